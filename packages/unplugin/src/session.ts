import { readFileSync } from 'node:fs'
import {
  collectJavaScript,
  defaultLedgerPath,
  describeSettings,
  findRepository,
  isComplete,
  type Line,
  type Plan,
  type Problem,
  problem,
  type RepositoryFinding,
  renderPlan,
  renderProblems,
  renderReport,
  resolveSettings,
  type Settings,
  SymupError,
  upload,
} from '@symup/core'
import { deleteMaps } from './delete-maps.ts'
import { inspectOutputs, inspectPlan } from './inspect.ts'
import { onePerUrl } from './one-per-url.ts'
import type { SymupOptions } from './options.ts'
import { failsBuild } from './policy.ts'
import { resumeCommands } from './resume-command.ts'

/** What a bundler's adapter tells about the build, before it runs. */
export interface BuildContext {
  /** `vite`, `webpack`, …; part of the origin that the intake records. */
  bundler: string
  /** Project directory. */
  root: string
  log(line: Line): void
  /** Where the bundler's config says the output is deployed. */
  prefix?: { value: string; from: string } | undefined
}

/** What the build wrote below one output directory. */
export interface BuildOutput {
  /** Absolute path. */
  directory: string
  /** Relative to the directory, `/`-separated. */
  files: Set<string>
  /** Source map of a file where the bundler knows it. */
  mapOf: Map<string, string>
  /** Files, relative to the directory, that may be deleted once the intake has them. */
  deletable: Set<string>
}

const { version: pluginVersion } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** One build with the plugin: its settings, found before the build, and the upload after it. */
export interface Session {
  /** Collects and uploads what was written. @throws SymupError when the options say that the trouble fails the build. */
  finish(outputs: readonly BuildOutput[]): Promise<void>
}

/**
 * Finds the settings before the build starts, so that an unusable configuration costs no build time.
 * @returns undefined when there is nothing to do after the build (the configuration is unusable and the options say to go on).
 * @throws SymupError with every configuration problem at once.
 */
export function openSession(options: SymupOptions, context: BuildContext): Session | undefined {
  const resolution = resolveSettings({
    options,
    cwd: context.root,
    ignoreConfigFile: options.ignoreConfigFile ?? false,
    dryRun: options.dryRun ?? false,
    inferredPrefix: context.prefix,
  })
  if (resolution.ok) {
    logAll(context, renderProblems(resolution.problems))
    // Git answers while the build runs. It is also cheaper to start now than from the large process that a bundler becomes.
    const repository = options.git === false ? undefined : findRepository({ directory: context.root })
    return { finish: (outputs) => finish(outputs, options, context, resolution.settings, repository) }
  }
  const message = 'symup cannot upload source maps: its configuration is unusable.'
  if (failsBuild(resolution.problems, options.onError)) throw failure(message, resolution.problems)
  logAll(context, [
    ...renderProblems(resolution.problems),
    { severity: 'error', text: `${message} Nothing will be uploaded.` },
  ])
  return undefined
}

async function finish(
  outputs: readonly BuildOutput[],
  options: SymupOptions,
  context: BuildContext,
  settings: Settings,
  repository: Promise<RepositoryFinding> | undefined,
): Promise<void> {
  const collected = await collectAll(outputs, options, settings, context.root)
  for (const text of describeSettings(settings)) context.log({ severity: 'info', text })
  const { plan, ...proof } = await inspectPlan(collected, repository, context)
  logAll(context, proof.lines)
  if (options.strict && proof.problems.length > 0) {
    throw failure('Not everything would resolve, so nothing was uploaded (strict).', proof.problems)
  }
  if (options.dryRun) {
    logAll(context, renderPlan(plan, context.root))
    return
  }
  const report = await upload(plan, settings, {
    adapter: { name: context.bundler, version: pluginVersion },
    cwd: context.root,
    ledger: defaultLedgerPath(context.root),
    ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
  })
  const fails = failsBuild(report, options.onError)
  const deleted = await deleteMaps(outputs, plan, report, context.root)
  report.problems.push(...deleted.problems)
  const resume = resumeCommands(outputs, plan, report, settings, {
    root: context.root,
    projectPath: options.projectPath,
  })
  const leaks = await inspectOutputs(outputs, options, context, settings)
  const [...rendered] = renderReport(report)
  const summary = rendered.pop() as Line
  // What is to be sent again is no leak yet.
  const leaked = isComplete(report) || leaks.problems.length > 0 ? leaks.lines : []
  const lines = [...rendered, ...resume, ...deleted.lines, ...leaked, summary]
  if (options.strict && leaks.problems.length > 0) {
    logAll(context, lines)
    throw failure('The output holds what must not ship (strict).', leaks.problems, false)
  }
  if (fails) {
    logAll(context, lines.slice(0, -1))
    const problems = report.outcomes.flatMap((outcome) => (outcome.problem ? [outcome.problem] : []))
    throw failure(summary.text, [...report.problems, ...problems], false)
  }
  logAll(context, lines)
}

async function collectAll(
  outputs: readonly BuildOutput[],
  options: SymupOptions,
  settings: Settings,
  root: string,
): Promise<Plan> {
  const plan: Plan = { uploads: [], problems: [] }
  for (const { directory, files, mapOf } of outputs) {
    const part = await collectJavaScript({
      directory,
      files: [...files].sort(),
      mapOf,
      service: settings.service.value,
      version: settings.version.value,
      minifiedPathPrefix: settings.minifiedPathPrefix?.value ?? '',
      projectPath: options.projectPath ?? '',
      toolVersion: pluginVersion,
    })
    plan.uploads.push(...part.uploads)
    plan.problems.push(...part.problems)
  }
  if (plan.uploads.length === 0) {
    if (outputs.length === 0) plan.problems.push(problem('nothing-found', 'The build wrote no files.'))
    return plan
  }
  const { uploads, problems } = await onePerUrl(plan.uploads, root)
  // One output of several may well hold no script.
  const others = plan.problems.filter(({ code }) => code !== 'nothing-found')
  return { uploads, problems: [...others, ...problems] }
}

function logAll(context: BuildContext, lines: Line[]): void {
  for (const line of lines) context.log(line)
}

/** An error that a bundler prints well: all problems in the message, and no stack of ours below it. */
function failure(message: string, problems: Problem[], withDetails = true): SymupError {
  const details = withDetails ? renderProblems(problems).map(({ text }) => `\n  ${text}`) : []
  const error = new SymupError(message + details.join(''), problems)
  error.stack = `${error.name}: ${error.message}`
  return error
}
