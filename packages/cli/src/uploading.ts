import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type BuildOutput,
  type Collect,
  type Collection,
  collectStaged,
  type DeliveryInput,
  deliver,
  isInCi,
  type Kind,
  listFiles,
  type Outputs,
  type Presenter,
  problem,
  publishProblems,
  type ResolveInput,
  type SettingOptions,
} from '@symup/core'
import { type JavaScriptFlags, outputOf, progressOf, withTemporaryDirectory } from '@symup/core/internal'
import { t } from '@symup/core/text'
import { printDocument } from './failure.ts'
import { settingsIn, type UploadFlags } from './flags.ts'
import { printLines } from './terminal.ts'

export interface UploadCommand extends Pick<DeliveryInput, 'proof' | 'git' | 'furtherProblems'> {
  flags: UploadFlags
  toolVersion: string
  options?: SettingOptions
  /** Whether symbol files of this kind need a path prefix. Default: true. */
  needsPrefix?: boolean
  inferred?: Pick<ResolveInput, 'inferredService' | 'inferredVersion'>
  /** Whether a release is required. Kinds whose files are found by id do not need one. Default: true. */
  needsRelease?: boolean
  collect: Collect
  /** Directories to search for leaks if no files are collected. Default: none. */
  outputs?: Outputs
}

/** Flags of all kinds. Each flag has the same meaning for every kind that supports it. */
export type KindFlags = UploadFlags & JavaScriptFlags

export type Paths = readonly [string, ...string[]]

/** @returns the exit code. */
export function uploadKind(
  { collect, command, traits }: Kind,
  paths: Paths,
  flags: KindFlags,
  toolVersion: string,
): Promise<number> {
  const given = { paths, flags }
  return withTemporaryDirectory(async (temporaryDirectory) => {
    const project = await command?.inferred?.(given, resolve(flags.cwd ?? '.'))
    return runUpload({
      flags,
      toolVersion,
      options: { minifiedPathPrefix: flags.minifiedPathPrefix },
      needsPrefix: command?.needsPrefix ?? false,
      inferred: { inferredService: project?.service, inferredVersion: project?.version },
      needsRelease: command?.needsRelease ?? true,
      proof: flags.proof ?? true,
      git: traits?.ships === true && !flags.disableGit,
      furtherProblems: () => command?.problems?.(given) ?? [],
      ...(traits?.ships && { outputs: () => unsentOutput(resolve(flags.cwd ?? '.', paths[0]), flags) }),
      async collect({ settings: _, ...release }) {
        const { cwd } = release
        const absent = missingPaths(paths, cwd)
        if (absent) return absent
        const context = { ...given, ...release, temporaryDirectory }
        const collected = await collect(command?.input?.(context) ?? context)
        return {
          directories: paths,
          ...collected,
          ...(traits?.ships && deployed(outputOf(resolve(cwd, paths[0]), collected.uploads), flags)),
        }
      },
    })
  })
}

/** Returns a problem if none of the paths exist. In that case, the command line is wrong, not the build output. */
export function missingPaths(paths: Paths, cwd: string, fix?: string): Collection | undefined {
  if (paths.some((path) => existsSync(resolve(cwd, path)))) return undefined
  const flaw = (file: string) =>
    problem('directory-unreadable', t`The file or directory does not exist.`, { file, fix })
  return { uploads: [], problems: paths.map(flaw), directories: paths }
}

/** @returns the exit code. */
export function uploadStaged(flags: KindFlags, toolVersion: string): Promise<number> {
  const { proof = true, disableGit = false } = flags
  const release = { needsPrefix: false, needsRelease: false }
  return runUpload({ flags, toolVersion, ...release, proof, git: !disableGit, collect: collectStaged })
}

/** Describes the deployed output. It is searched for the API key, and its maps are deletable only with `deleteAfterUpload`. */
function deployed(output: BuildOutput, { deleteAfterUpload = false }: KindFlags) {
  return {
    outputs: [deleteAfterUpload ? output : { ...output, deletable: new Set<string>() }],
    keyOnly: !deleteAfterUpload,
  }
}

async function unsentOutput(directory: string, flags: KindFlags) {
  const files = flags.deleteAfterUpload ? await listFiles(directory).catch(() => []) : []
  const maps = new Set(files.filter((file) => file.endsWith('.map')))
  return deployed({ directory, files: maps, deletable: maps }, flags)
}

/** @returns the exit code. */
export async function runUpload({ flags, toolVersion, collect, outputs, ...command }: UploadCommand): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  const { options, inferred, needsPrefix = true, needsRelease = true, ...delivery } = command
  const { concurrency, compression, attempts, timeBudget, ledger, resume } = flags
  const { exitCode } = await deliver(
    {
      ...delivery,
      adapter: { name: 'cli', version: toolVersion },
      settings: {
        options: { ...settingsIn(flags), ...options },
        cwd,
        ignoreConfigFile: !flags.configFile,
        adapter: 'cli',
        dryRun: flags.dryRun ?? false,
        needsPrefix,
        ...inferred,
        needsRelease,
      },
      briefSettings: !flags.verbose,
      ...(flags.skipWithoutKey && { keyRequired: isInCi(process.env) }),
      present: terminal(flags, cwd, toolVersion),
      ...(flags.policy && { policy: flags.policy }),
      failOnWarnings: flags.failOnWarnings ?? false,
      send: { concurrency, compression, attempts, ledger, resume, timeBudget: timeBudget && timeBudget * 1000 },
    },
    collect,
    outputs,
  )
  return exitCode
}

function terminal(flags: UploadFlags, cwd: string, toolVersion: string): Presenter {
  // With `--json`, standard output must contain only the document.
  const prose = flags.json ? process.stderr : process.stdout
  const progress = progressOf(process.stderr, '  ')
  const trace = (text: string) => {
    progress.clear()
    printLines([{ severity: 'info', text }], process.stderr)
  }
  return {
    show(lines, role) {
      if (flags.quiet && role === 'detail') return
      printLines(lines, role === 'unusable' ? process.stderr : prose)
    },
    ...(flags.verbose && { trace }),
    ...(!flags.quiet && { progress: progress.show }),
    progressEnd: progress.clear,
    record(verdict) {
      if (flags.json) printDocument(verdict.document)
      publishProblems(verdict.problems, {
        cwd,
        toolVersion,
        output: flags.output,
        print: (line) => prose.write(`${line}\n`),
        warn: (line) => printLines([line], process.stderr),
      })
    },
  }
}
