import { resolve } from 'node:path'
import {
  type Collect,
  type DeliveryInput,
  deliver,
  type Kind,
  type Presenter,
  type Problem,
  type ResolveInput,
  type SettingOptions,
} from '@symup/core/internal'
import { githubAnnotations } from './annotations.ts'
import { settingsIn, type UploadFlags } from './flags.ts'
import { keepMemorySmall } from './memory.ts'
import { writeProblems } from './problem-files.ts'
import { withTemporaryDirectory } from './temporary-directory.ts'
import { type Output, printLines, progressOf } from './terminal.ts'

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
}

/** The values of a command's flags: those of every upload, and those of its kind that mean the same for all. */
export type KindFlags = UploadFlags & {
  minifiedPathPrefix?: string
  /** Commander's form of `--no-proof`. */
  proof?: boolean
  disableGit?: boolean
}

/** What stands after the command: at least one path. */
export type Paths = readonly [string, ...string[]]

/** Uploads what a kind collects; returns the exit code. */
export function uploadKind(
  { collect, command }: Kind,
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
      git: command?.flags?.disableGit !== undefined && !flags.disableGit,
      furtherProblems: () => command?.problems?.(given) ?? [],
      async collect({ settings: _, ...release }) {
        const context = { ...given, ...release, temporaryDirectory }
        return { directories: paths, ...(await collect(command?.input?.(context) ?? context)) }
      },
    })
  })
}

/** Runs a delivery for an uploading command: its flags in, lines, documents and the exit code out. */
export async function runUpload({ flags, toolVersion, collect, ...command }: UploadCommand): Promise<number> {
  keepMemorySmall()
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
  )
  return exitCode
}

function terminal(flags: UploadFlags, cwd: string, toolVersion: string): Presenter {
  // With --json standard output is one document and nothing else.
  const prose = flags.json ? process.stderr : process.stdout
  const progress = progressOf(process.stderr)
  return {
    show(lines, role) {
      if (flags.quiet && role === 'detail') return
      printLines(lines, role === 'unusable' ? process.stderr : prose)
    },
    ...(!flags.quiet && { progress: progress.show }),
    progressEnd: progress.clear,
    record(verdict) {
      if (flags.json) writeJson(verdict.document)
      publish(verdict.problems, flags, cwd, toolVersion, prose)
    },
  }
}

function publish(
  problems: readonly Problem[],
  { output }: UploadFlags,
  cwd: string,
  toolVersion: string,
  prose: Output,
): void {
  for (const text of githubAnnotations(problems, process.env)) prose.write(`${text}\n`)
  if (output === undefined) return
  try {
    writeProblems(resolve(cwd, output), problems, toolVersion)
  } catch (error) {
    const text = `${output} could not be written (${(error as NodeJS.ErrnoException).code}).`
    printLines([{ severity: 'warning', text }], process.stderr)
  }
}

function writeJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
