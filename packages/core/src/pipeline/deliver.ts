import { join, resolve } from 'node:path'
import { eventLoopYielder } from '../event-loop.ts'
import { findRepository, type RepositoryFinding } from '../git/repository.ts'
import { KnownFiles } from '../leaks/known-files.ts'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import type { Report } from '../model/report.ts'
import { type Category, type Problem, SymupError } from '../problems/problems.ts'
import { renderProof } from '../proof/render-proof.ts'
import { checkKey } from '../send/check-key.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import { t, useLocale } from '../text.ts'
import { CleanUp, clearUnsent } from './clean-up.ts'
import type { Collect, Collection, Delivery, DeliveryInput, NoDelivery } from './delivery.ts'
import { interruptible, SIGNAL_EXIT } from './interrupt.ts'
import type { BuildOutput } from './outputs.ts'
import { mustFail, POLICIES } from './policy.ts'
import { ProofAndCommit } from './preparation.ts'
import { printableOnly } from './present.ts'
import { ledgerFile, settingsLines } from './project-cache.ts'
import { renderPlan, renderProblems } from './render.ts'
import { sendStagedCommand } from './resume-command.ts'
import { describeAttempt, Phases } from './trace.ts'
import { type UploadOptions, upload } from './upload.ts'
import {
  dryRunVerdict,
  type Judgement,
  reportVerdict,
  skippedVerdict,
  stagedVerdict,
  unprovenVerdict,
  unusableVerdict,
  type Verdict,
} from './verdict.ts'
import { wantedOf } from './wanted.ts'
import { isSkipped } from './without-key.ts'

/**
 * The one way from settings to verdict. Finds the settings, which a bundler's adapter does before the build starts, so that an unusable
 * configuration costs no build time. Shows the problems of the settings. Throws nothing.
 */
export function openDelivery(input: DeliveryInput): Delivery | NoDelivery {
  useLocale(input.settings.env)
  const run = new Run(input)
  const resolution = resolveSettings({ ...input.settings, ...(input.later && { needsKey: false }) })
  const known = [...resolution.problems, ...(input.furtherProblems?.(resolution.problems) ?? [])]
  if (!resolution.ok || known.some(({ severity }) => severity === 'error')) {
    const verdict = isSkipped(input, known) ? run.skipped() : run.unusable(known)
    const found = resolution.ok ? resolution.settings : resolution.found
    return { usable: false, verdict, settings: found, clear: (outputs) => run.clear(outputs) }
  }
  const { settings } = resolution
  // Git answers while a build runs. It is also cheaper to start now than from the large process that a bundler becomes.
  const asksGit = input.git === true && !input.later
  const repository = asksGit ? findRepository({ directory: run.cwd }) : undefined
  return { usable: true, settings, finish: (collect) => run.finish(collect, settings, known, repository) }
}

/**
 * Settings, collect, prove, send, verdict: a whole run for a caller with files at hand. The last line has been shown when it returns.
 * @throws only what `collect` throws.
 */
export async function deliver(input: DeliveryInput, collect: Collect): Promise<Verdict> {
  const delivery = openDelivery(input)
  return delivery.usable ? delivery.finish(collect) : delivery.verdict
}

/** What became of sending; `unusable` where it could not begin. */
type Sent =
  | { report: Report; signal?: keyof typeof SIGNAL_EXIT; unusable?: undefined }
  | { unusable: readonly Problem[] }

/** A dry run changes nothing, so the maps that a real one would remove are there; of what is in memory they are not handed on. */
function mapsOfDryRun(outputs: readonly BuildOutput[]): Line[] {
  const waiting = outputs.filter(
    ({ clears, contents, deletable }) => clears && !contents && [...deletable].some((file) => file.endsWith('.map')),
  )
  if (waiting.length === 0) return []
  return [{ severity: 'warning', text: t`Do not deploy the output of a dry run: its source maps are still there.` }]
}

/** Where the leak guard comes after sending: what is sent need not be read again for it. */
function knownFilesOf(outputs: readonly BuildOutput[], { apiKey }: Settings): KnownFiles | undefined {
  if (!apiKey || outputs.length === 0) return undefined
  const leaving = outputs.flatMap(({ directory, deletable }) => [...deletable].map((file) => join(directory, file)))
  return new KnownFiles(apiKey.value, new Set(leaving))
}

class Run {
  readonly cwd: string
  readonly #input: DeliveryInput
  readonly #judgement: Judgement
  readonly #dryRun: boolean
  readonly #phases = new Phases()

  constructor(input: DeliveryInput) {
    this.#input = { ...input, present: printableOnly(input.present) }
    this.cwd = resolve(input.settings.cwd ?? '.')
    this.#judgement = { policy: input.policy ?? POLICIES.strict, failOnWarnings: input.failOnWarnings ?? false }
    this.#dryRun = input.settings.dryRun ?? false
  }

  skipped(): Verdict {
    const { present } = this.#input
    const verdict = skippedVerdict(this.#dryRun, this.#input.settings.env ?? process.env)
    present.record?.(verdict)
    present.show([verdict.summary], 'unusable')
    return verdict
  }

  /** Deletes the maps that were not to stay, as nothing is uploaded. */
  async clear(outputs: readonly BuildOutput[]): Promise<void> {
    for (const output of outputs)
      this.#input.present.show(await clearUnsent(output, this.cwd, this.#judgement.policy), 'problem')
  }

  unusable(problems: Problem[]): Verdict {
    const { present } = this.#input
    const verdict = unusableVerdict(problems, this.#judgement, this.#dryRun)
    present.record?.(verdict)
    present.show([...renderProblems(verdict.problems), verdict.summary], 'unusable')
    return verdict
  }

  async finish(
    collect: Collect,
    settings: Settings,
    known: readonly Problem[],
    repository: Promise<RepositoryFinding> | undefined,
  ): Promise<Verdict> {
    const { present } = this.#input
    const refusal = await this.#refusal(settings)
    const collected = await this.#phases.time('collect', () =>
      collect({
        settings,
        service: settings.service.value,
        version: settings.version.value,
        minifiedPathPrefix: settings.minifiedPathPrefix?.value ?? '',
        toolVersion: this.#input.adapter.version,
        cwd: this.cwd,
        ...(settings.allowedRoot && { allowedRoot: settings.allowedRoot.value }),
        dryRun: this.#dryRun,
      }),
    )
    const { outputs = [], details = [] } = collected
    present.show([...(await this.#settingsLines(settings)), ...details], 'detail')

    const { include, exclude } = settings
    const wanted = await wantedOf(collected, { include: include?.value, exclude: exclude?.value }, this.cwd)
    const plan: Plan = { uploads: wanted.uploads, problems: [...known, ...wanted.problems] }
    // What was collected still has to leave the outputs, or to be kept for later.
    if (refusal) return this.#delivered(collected, plan, await this.#send(plan, settings, { refusal }), settings)
    const found = repository && (await this.#phases.time('git', () => repository))
    const { later = false } = this.#input
    if (this.#dryRun || later || this.#judgement.policy['would-not-resolve'] === 'fail') {
      const proven = await this.#phases.time('proof', () => this.#prove(plan, found))
      if (this.#dryRun) {
        present.show(renderPlan(proven, this.cwd), 'detail')
        const verdict = dryRunVerdict(proven, settings, this.#judgement)
        return this.#concluded(verdict, [...renderProblems(verdict.problems), ...mapsOfDryRun(outputs)])
      }
      if (this.#fails('would-not-resolve', proven.problems)) return this.#unproven(proven, outputs, settings)
      if (later) return this.#kept(collected, proven, settings)
      return this.#delivered(
        collected,
        proven,
        await this.#phases.time('send', () => this.#send(proven, settings)),
        settings,
      )
    }
    // Each artifact is proven just before it is sent, so that its files are read once, and the next is proven while one is sent.
    const knownFiles = knownFilesOf(outputs, settings)
    const preparation = this.#preparation(plan, found, knownFiles)
    const sent = await this.#phases.time('proof and send', () => this.#send(plan, settings, { preparation }))
    this.#showProof(preparation)
    return this.#delivered(collected, preparation.sent(), sent, settings, knownFiles)
  }

  /** What comes after sending. */
  async #delivered(
    collected: Collection,
    plan: Plan,
    sent: Sent,
    settings: Settings,
    known?: KnownFiles,
  ): Promise<Verdict> {
    if (sent.unusable) return this.unusable([...plan.problems, ...sent.unusable])
    const { report, signal } = sent
    const lines = await this.#phases.time('clean up', () =>
      this.#cleanUp(settings, known).afterSending(collected, plan, report),
    )
    const verdict = reportVerdict(report, settings, this.#judgement, this.#input.subject?.(settings))
    return this.#concluded(signal ? { ...verdict, exitCode: SIGNAL_EXIT[signal], signal } : verdict, lines)
  }

  /** Nothing is sent yet. */
  async #kept(collected: Collection, plan: Plan, settings: Settings): Promise<Verdict> {
    const { lines, problems } = await this.#phases.time('clean up', () => this.#cleanUp(settings).keep(collected, plan))
    plan.problems.push(...problems)
    const command = sendStagedCommand(this.cwd, this.#input.adapter.version)
    return this.#concluded(stagedVerdict(plan, settings, this.#judgement, command), lines)
  }

  /** Nothing is sent, as not all of it resolves. */
  async #unproven(plan: Plan, outputs: readonly BuildOutput[], settings: Settings): Promise<Verdict> {
    const cleared = await this.#cleanUp(settings).clear(outputs, plan, [])
    plan.problems.push(...cleared.problems)
    const verdict = unprovenVerdict(plan, settings, this.#judgement)
    return this.#concluded(verdict, [...renderProblems(verdict.problems), ...cleared.lines, ...cleared.details])
  }

  #fails(category: Category, problems: readonly Problem[]): boolean {
    const { policy } = this.#judgement
    return mustFail(
      problems.filter((one) => one.category === category),
      policy,
    )
  }

  #preparation(plan: Plan, repository: RepositoryFinding | undefined, known?: KnownFiles): ProofAndCommit {
    const { proof: proves = true, transformFaults: faults } = this.#input
    return new ProofAndCommit(plan, { cwd: this.cwd, proves, repository, faults, known })
  }

  /** Proves all of a plan before anything is sent. */
  async #prove(plan: Plan, repository: RepositoryFinding | undefined): Promise<Plan> {
    const preparation = this.#preparation(plan, repository)
    const yieldToEventLoop = eventLoopYielder()
    for (const upload of plan.uploads) {
      await yieldToEventLoop()
      preparation.ready(upload, upload.parts)
    }
    this.#showProof(preparation)
    return preparation.sent()
  }

  #showProof(preparation: ProofAndCommit): void {
    const proof = preparation.proof()
    if (proof) this.#input.present.show(renderProof(proof), 'detail')
  }

  /** Nothing is asked where nothing may be sent. */
  async #refusal(settings: Settings): Promise<Problem | undefined> {
    const { adapter, later = false, send: { resume = false } = {} } = this.#input
    if (this.#dryRun || later || resume) return undefined
    return this.#phases.time('key check', () => checkKey(settings, adapter))
  }

  async #send(plan: Plan, settings: Settings, how: Pick<UploadOptions, 'preparation' | 'refusal'> = {}): Promise<Sent> {
    const { adapter, present, send: { ledger, ...options } = {} } = this.#input
    const file = ledgerFile(settings, { project: this.cwd, wanted: ledger, resume: options.resume ?? false })
    try {
      const { result, signal } = await interruptible((stop) =>
        upload(plan, settings, {
          ...options,
          adapter,
          cwd: this.cwd,
          signal: stop,
          ...how,
          ...(file !== undefined && { ledger: file }),
          ...(present.trace && { onAttempt: (attempt) => present.trace?.(describeAttempt(attempt)) }),
          ...(present.progress && { onProgress: (progress) => present.progress?.(progress) }),
        }),
      )
      return { report: result, ...(signal && { signal }) }
    } catch (error) {
      if (!(error instanceof SymupError)) throw error
      return { unusable: error.problems }
    } finally {
      present.progressEnd?.()
    }
  }

  #settingsLines(settings: Settings): Promise<Line[]> {
    const { briefSettings: isBrief = false } = this.#input
    return settingsLines(settings, { project: this.cwd, isBrief, remembers: !this.#dryRun })
  }

  #cleanUp(settings: Settings, known?: KnownFiles): CleanUp {
    return new CleanUp(this.#input, settings, { root: this.cwd, policy: this.#judgement.policy, known })
  }

  #concluded(verdict: Verdict, lines: readonly Line[] = renderProblems(verdict.problems)): Verdict {
    const { present } = this.#input
    present.trace?.(this.#phases.text)
    present.show(lines, 'problem')
    present.record?.(verdict)
    present.show([verdict.summary], 'summary')
    return verdict
  }
}
