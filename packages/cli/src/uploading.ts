import { relative, resolve } from 'node:path'
import {
  describeSettings,
  EXIT,
  exitCodeOf,
  type Plan,
  type Problem,
  planDocument,
  type Report,
  type ResolveInput,
  renderPlan,
  renderProblems,
  renderReport,
  resolveSettings,
  type SettingOptions,
  type Settings,
  totalsOf,
  upload,
} from '@symup/core'
import { githubAnnotations } from './annotations.ts'
import { interruptible } from './interrupt.ts'
import { writeProblems } from './problem-files.ts'
import type { UploadFlags } from './program.ts'
import { printLines, progressOf } from './terminal.ts'

/** What distinguishes one uploading command from another. */
export interface UploadCommand {
  flags: UploadFlags
  toolVersion: string
  /** Values of flags that only this command has. */
  options?: SettingOptions
  /** False for kinds of symbol files without a path prefix. Default true. */
  needsPrefix?: boolean
  /** Service and version as the project's build says them. */
  inferred?: Pick<ResolveInput, 'inferredService' | 'inferredVersion'>
  /** What else stands in the way or is worth saying, given the problems of the settings; an error makes the command unusable. */
  furtherProblems?(found: readonly Problem[]): Problem[]
  /** False for kinds that are found by an id alone. Default true. */
  needsRelease?: boolean
  /** Finds what is to be sent. */
  collect(settings: Settings, cwd: string): Promise<Plan>
}

/** Settings, plan, upload, report: what every uploading command does around its `collect`. Returns the exit code. */
export async function runUpload({ flags, toolVersion, collect, ...command }: UploadCommand): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  // With --json standard output is one document and nothing else.
  const prose = flags.json ? process.stderr : process.stdout
  const tell = (problems: readonly Problem[]) => publish(problems, flags, cwd, toolVersion, prose)
  const resolution = resolveSettings({
    options: {
      apiKey: flags.apiKey,
      endpoint: flags.endpoint,
      site: flags.site,
      service: flags.service,
      version: flags.releaseVersion,
      ...command.options,
    },
    cwd,
    ignoreConfigFile: !flags.configFile,
    naming: 'flag',
    dryRun: flags.dryRun ?? false,
    needsPrefix: command.needsPrefix ?? true,
    ...command.inferred,
    needsRelease: command.needsRelease ?? true,
  })
  const problems = [...resolution.problems, ...(command.furtherProblems?.(resolution.problems) ?? [])]
  if (!resolution.ok || problems.some(({ severity }) => severity === 'error')) {
    printLines(renderProblems(problems), process.stderr)
    printLines([{ severity: 'error', text: 'Nothing was uploaded: the configuration is unusable.' }], process.stderr)
    const empty: Plan = { uploads: [], problems }
    if (flags.json) writeJson(flags.dryRun ? planDocument(empty) : emptyReport(empty))
    tell(problems)
    return EXIT.unusable
  }
  const { settings } = resolution
  const collected = await collect(settings, cwd)
  const plan: Plan = { uploads: collected.uploads, problems: [...problems, ...collected.problems] }
  if (!flags.quiet)
    printLines(
      describeSettings(settings).map((text) => ({ severity: 'info', text })),
      prose,
    )

  if (flags.dryRun) {
    printLines(renderPlan(shortened(plan, cwd)), prose)
    if (flags.json) writeJson(planDocument(plan))
    tell(plan.problems)
    return exitCode(emptyReport(plan), plan, flags)
  }
  const { report, signalled } = await send(plan, settings, flags, cwd, toolVersion)
  const lines = renderReport(report)
  printLines(lines.slice(0, -1), prose)
  if (flags.json) writeJson(report)
  tell([...report.problems, ...report.outcomes.flatMap((outcome) => (outcome.problem ? [outcome.problem] : []))])
  // The last line is the truth about the run.
  printLines(lines.slice(-1), prose)
  return signalled ?? exitCode(report, plan, flags)
}

async function send(plan: Plan, settings: Settings, flags: UploadFlags, cwd: string, toolVersion: string) {
  const progress = progressOf(process.stderr)
  const { result, exitCode: signalled } = await interruptible((signal) =>
    upload(plan, settings, {
      adapter: { name: 'cli', version: toolVersion },
      cwd,
      signal,
      ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
      ...(!flags.quiet && { onProgress: progress.show }),
    }),
  )
  progress.clear()
  return { report: result, signalled }
}

function publish(
  problems: readonly Problem[],
  { output }: UploadFlags,
  cwd: string,
  toolVersion: string,
  prose: NodeJS.WriteStream,
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

function exitCode(report: Report, plan: Plan, flags: UploadFlags): number {
  // A directory that is not there is a mistake in the command, not an empty build.
  if (plan.problems.some(({ code }) => code === 'directory-unreadable')) return EXIT.unusable
  if (flags.dryRun && plan.uploads.length > 0) {
    const counts = flags.strict ? ['error', 'warning'] : ['error']
    return plan.problems.some(({ severity }) => counts.includes(severity)) ? EXIT.incomplete : EXIT.ok
  }
  return exitCodeOf(report, { strict: flags.strict ?? false })
}

function emptyReport({ problems }: Plan): Report {
  return { outcomes: [], problems, totals: totalsOf([], 0, 0) }
}

/** The plan with paths as the user would write them. */
function shortened(plan: Plan, cwd: string): Plan {
  const uploads = plan.uploads.map((item) => ({
    ...item,
    parts: item.parts.map((part) => ({ ...part, path: relative(cwd, part.path) })),
  }))
  return { ...plan, uploads }
}

function writeJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
