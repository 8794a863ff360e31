import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Collect,
  type Collected,
  type Collection,
  collectStaged,
  type DeliveryInput,
  deliver,
  type FilePart,
  isInCi,
  type Kind,
  listFiles,
  nameBelow,
  type Outputs,
  type Presenter,
  problem,
  publishProblems,
  type ResolveInput,
  type SettingOptions,
} from '@symup/core'
import { mapOf, withTemporaryDirectory } from '@symup/core/internal'
import { t } from '@symup/core/text'
import { printDocument } from './failure.ts'
import { settingsIn, type UploadFlags } from './flags.ts'
import { progressOf } from './progress.ts'
import { printLines } from './terminal.ts'

/** What distinguishes one uploading command from another. */
export interface UploadCommand extends Pick<DeliveryInput, 'proof' | 'git' | 'furtherProblems'> {
  flags: UploadFlags
  toolVersion: string
  /** Values of flags that only this command has. */
  options?: SettingOptions
  /** False for kinds of symbol files without a path prefix. Default true. */
  needsPrefix?: boolean
  /** Service and version as the project's build says them. */
  inferred?: Pick<ResolveInput, 'inferredService' | 'inferredVersion'>
  /** False for kinds that are found by an id alone. Default true. */
  needsRelease?: boolean
  collect: Collect
  /** What is looked through where nothing is collected. Default: nothing. */
  outputs?: Outputs
}

/** The values of a command's flags: those of every upload, and those of its kind that mean the same for all. */
export type KindFlags = UploadFlags & {
  minifiedPathPrefix?: string
  /** Commander's form of `--no-proof`. */
  proof?: boolean
  disableGit?: boolean
  deleteAfterUpload?: boolean
}

/** What stands after the command: at least one path. */
export type Paths = readonly [string, ...string[]]

/** Uploads what a kind collects; returns the exit code. */
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
        const absent = notThere(paths, cwd)
        if (absent) return absent
        const context = { ...given, ...release, temporaryDirectory }
        const collected = await collect(command?.input?.(context) ?? context)
        return {
          directories: paths,
          ...collected,
          ...(traits?.ships && outputOf(collected, resolve(cwd, paths[0]), flags)),
        }
      },
    })
  })
}

/** Where none of the paths exists, the command is wrong, whatever its kind: there is nothing of a build that could be unusable. */
export function notThere(paths: Paths, cwd: string, fix?: string): Collection | undefined {
  if (paths.some((path) => existsSync(resolve(cwd, path)))) return undefined
  const flaw = (file: string) =>
    problem('directory-unreadable', t`It does not exist.`, { file, ...(fix !== undefined && { fix }) })
  return { uploads: [], problems: paths.map(flaw), directories: paths }
}

/** Uploads what builds of the project kept to be sent later; returns the exit code. */
export function uploadStaged(flags: KindFlags, toolVersion: string): Promise<number> {
  const { proof = true, disableGit = false } = flags
  const release = { needsPrefix: false, needsRelease: false }
  return runUpload({ flags, toolVersion, ...release, proof, git: !disableGit, collect: collectStaged })
}

/** What ships is searched for the API key, and its source maps may go once the intake has them. */
function outputOf(
  { uploads }: Collected,
  directory: string,
  { deleteAfterUpload = false }: KindFlags,
): Pick<Collection, 'outputs' | 'keyOnly'> {
  const named = (parts: readonly (FilePart | undefined)[]) =>
    new Set(parts.flatMap((part) => (part && part.content === undefined ? [nameBelow(directory, part.path)] : [])))
  const deletable = deleteAfterUpload ? named(uploads.map(mapOf)) : new Set<string>()
  return {
    outputs: [{ directory, files: named(uploads.flatMap(({ parts }) => parts)), deletable }],
    keyOnly: !deleteAfterUpload,
  }
}

/** The same where nothing was collected. */
async function unsentOutput(directory: string, { deleteAfterUpload = false }: KindFlags) {
  const files = deleteAfterUpload ? await listFiles(directory).catch(() => []) : []
  const deletable = new Set(files.filter((file) => file.endsWith('.map')))
  return { outputs: [{ directory, files: deletable, deletable }], keyOnly: !deleteAfterUpload }
}

/** Runs a delivery for an uploading command: its flags in, lines, documents and the exit code out. */
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
      send: {
        ...(concurrency !== undefined && { concurrency }),
        ...(compression !== undefined && { compression }),
        ...(attempts !== undefined && { attempts }),
        ...(timeBudget !== undefined && { timeBudget: timeBudget * 1000 }),
        ...(ledger !== undefined && { ledger }),
        ...(resume !== undefined && { resume }),
      },
    },
    collect,
    outputs,
  )
  return exitCode
}

function terminal(flags: UploadFlags, cwd: string, toolVersion: string): Presenter {
  // With --json standard output is one document and nothing else.
  const prose = flags.json ? process.stderr : process.stdout
  const progress = progressOf(process.stderr)
  const trace = (text: string) => {
    progress.clear()
    printLines([{ severity: 'info', text }], process.stderr)
  }
  return {
    show(lines, role) {
      if (flags.quiet && role === 'detail') return
      printLines(lines, role === 'unusable' ? process.stderr : prose, cwd)
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
