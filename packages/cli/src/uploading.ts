import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import {
  defaultLedgerPath,
  describeSettings,
  EXIT,
  exitCodeUnder,
  type Line,
  mustFail,
  type Plan,
  POLICIES,
  type Policy,
  type Problem,
  planDocument,
  problemsOf,
  type Report,
  type ResolveInput,
  renderPlan,
  renderProblems,
  resolveSettings,
  type SettingOptions,
  type Settings,
  SymupError,
  summaryOf,
  summaryUnderPolicy,
  totalsOf,
  underPolicy,
  upload,
} from '@symup/core'
import { githubAnnotations } from './annotations.ts'
import type { UploadFlags } from './flags.ts'
import { interruptible } from './interrupt.ts'
import { writeProblems } from './problem-files.ts'
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
  keepHeapSmall()
  const cwd = resolve(flags.cwd ?? '.')
  // With --json standard output is one document and nothing else.
  const prose = flags.json ? process.stderr : process.stdout
  const tell = (problems: readonly Problem[]) => publish(problems, flags, cwd, toolVersion, prose)
  const policy = flags.policy ?? POLICIES.strict
  const unusable = (problems: Problem[]) => {
    printLines(renderProblems(underPolicy(problems, policy)), process.stderr)
    const passes = policy.config !== 'fail'
    const summary: Line = { severity: 'error', text: 'Nothing was uploaded: the configuration is unusable.' }
    printLines([summaryUnderPolicy(summary, passes)], process.stderr)
    const empty: Plan = { uploads: [], problems }
    if (flags.json) writeJson(flags.dryRun ? planDocument(empty) : emptyReport(empty))
    tell(problems)
    return passes ? EXIT.ok : EXIT.unusable
  }
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
  const known = [...resolution.problems, ...(command.furtherProblems?.(resolution.problems) ?? [])]
  if (!resolution.ok || known.some(({ severity }) => severity === 'error')) {
    return unusable(known)
  }
  const { settings } = resolution
  const collected = await collect(settings, cwd)
  const plan: Plan = { uploads: collected.uploads, problems: [...known, ...collected.problems] }
  if (!flags.quiet)
    printLines(
      describeSettings(settings).map((text) => ({ severity: 'info', text })),
      prose,
    )

  if (flags.dryRun) {
    printLines(renderPlan({ ...shortened(plan, cwd), problems: underPolicy(plan.problems, policy) }), prose)
    if (flags.json) writeJson(planDocument(plan))
    tell(plan.problems)
    return dryRunExitCode(plan, policy, flags)
  }
  let sent: Awaited<ReturnType<typeof send>>
  try {
    sent = await send(plan, settings, flags, cwd, toolVersion)
  } catch (error) {
    if (!(error instanceof SymupError)) throw error
    return unusable([...plan.problems, ...error.problems])
  }
  const { report, signalled } = sent
  const problems = problemsOf(report)
  printLines(renderProblems(underPolicy(problems, policy)), prose)
  if (flags.json) writeJson(report)
  tell(problems)
  // The last line is the truth about the run.
  printLines([summaryUnderPolicy(summaryOf(report), !mustFail(problems, policy))], prose)
  return signalled ?? exitCodeUnder(policy, report, { strict: flags.strict ?? false })
}

/** Sending makes much short-lived garbage; a young generation that grows with it would hold memory for no gain. */
function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

async function send(plan: Plan, settings: Settings, flags: UploadFlags, cwd: string, toolVersion: string) {
  const progress = progressOf(process.stderr)
  const { result, exitCode: signalled } = await interruptible((signal) =>
    upload(plan, settings, {
      adapter: { name: 'cli', version: toolVersion },
      cwd,
      signal,
      ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
      ...(flags.compression !== undefined && { compression: flags.compression }),
      ...(flags.attempts !== undefined && { attempts: flags.attempts }),
      ...(flags.timeBudget !== undefined && { timeBudget: flags.timeBudget * 1000 }),
      ...(flags.proxy !== undefined && { proxy: flags.proxy }),
      ...(flags.ca !== undefined && { ca: resolve(cwd, flags.ca) }),
      ...ledgerOf(flags, cwd),
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

/** Without `--ledger` one is kept where a project has its caches; `--resume` asks for one in any case. */
function ledgerOf({ ledger, resume = false }: UploadFlags, cwd: string): { ledger?: string; resume?: boolean } {
  if (ledger === false) return {}
  if (ledger !== undefined) return { ledger: resolve(cwd, ledger), resume }
  return resume || existsSync(join(cwd, 'node_modules')) ? { ledger: defaultLedgerPath(cwd), resume } : {}
}

function dryRunExitCode(plan: Plan, policy: Policy, { strict = false }: UploadFlags): number {
  // The report of a run in which everything was accepted.
  const outcomes = plan.uploads.map(({ event }) => ({ event, status: 'accepted' as const, attempts: 0, bytes: 0 }))
  return exitCodeUnder(policy, { outcomes, problems: plan.problems, totals: totalsOf(outcomes, 0, 0) }, { strict })
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
