import { relative, resolve } from 'node:path'
import {
  collectJavaScript,
  describeSettings,
  EXIT,
  exitCodeOf,
  type Plan,
  planDocument,
  type Report,
  renderPlan,
  renderProblems,
  renderReport,
  resolveSettings,
  type Settings,
  totalsOf,
  upload,
} from '@symup/core'
import { interruptible } from '../interrupt.ts'
import type { UploadFlags } from '../program.ts'
import { printLines, progressLine } from '../terminal.ts'

export interface WebUploadFlags extends UploadFlags {
  minifiedPathPrefix?: string
  projectPath?: string
}

/** `symup web upload <dir>`; returns the exit code. */
export async function uploadWeb(directory: string, flags: WebUploadFlags, toolVersion: string): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  // With --json standard output is one document and nothing else.
  const prose = flags.json ? process.stderr : process.stdout
  const resolution = resolveSettings({
    options: {
      apiKey: flags.apiKey,
      endpoint: flags.endpoint,
      site: flags.site,
      service: flags.service,
      version: flags.releaseVersion,
      minifiedPathPrefix: flags.minifiedPathPrefix,
    },
    cwd,
    ignoreConfigFile: !flags.configFile,
    naming: 'flag',
    dryRun: flags.dryRun ?? false,
  })
  if (!resolution.ok) {
    printLines(renderProblems(resolution.problems), process.stderr)
    printLines([{ severity: 'error', text: 'Nothing was uploaded: the configuration is unusable.' }], process.stderr)
    const empty: Plan = { uploads: [], problems: resolution.problems }
    if (flags.json) writeJson(flags.dryRun ? planDocument(empty) : emptyReport(empty))
    return EXIT.unusable
  }
  const { settings } = resolution
  const collected = await collectJavaScript({
    directory: resolve(cwd, directory),
    service: settings.service.value,
    version: settings.version.value,
    minifiedPathPrefix: settings.minifiedPathPrefix?.value ?? '',
    projectPath: flags.projectPath ?? '',
    toolVersion,
  })
  const plan: Plan = { uploads: collected.uploads, problems: [...resolution.problems, ...collected.problems] }
  if (!flags.quiet)
    printLines(
      describeSettings(settings).map((text) => ({ severity: 'info', text })),
      prose,
    )

  if (flags.dryRun) {
    printLines(renderPlan(shortened(plan, cwd)), prose)
    if (flags.json) writeJson(planDocument(plan))
    return exitCode(emptyReport(plan), plan, flags)
  }
  const { report, signalled } = await send(plan, settings, flags, cwd, toolVersion)
  printLines(renderReport(report), prose)
  if (flags.json) writeJson(report)
  return signalled ?? exitCode(report, plan, flags)
}

async function send(plan: Plan, settings: Settings, flags: WebUploadFlags, cwd: string, toolVersion: string) {
  const progress = progressLine(process.stderr)
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

function exitCode(report: Report, plan: Plan, flags: WebUploadFlags): number {
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
