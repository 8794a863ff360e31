import { type EndSignal, onEarlyEnd } from '../early-end.ts'
import { KINDS } from '../kinds/index.ts'
import type { Plan, SymbolUpload } from '../model/plan.ts'
import { EXIT, isFailure, type OutcomeStatus } from '../model/report.ts'
import { type Category, type Problem, SymupError } from '../problems/problems.ts'
import { renderProof } from '../proof/render-proof.ts'
import { checkKey } from '../send/check-key.ts'
import { allowedFindings, type Settings } from '../settings/settings.ts'
import { type CleanedUp, cleanUp, clearMaps, remainingLines } from './clean-up.ts'
import type { Collect, Collection, DeliveryInput, Opened, Outputs } from './delivery.ts'
import { earlyEndText, judge, unusableEnding } from './ending.ts'
import { type GateOptions, gate } from './gate.ts'
import type { BuildOutput, RunState } from './outputs.ts'
import { mustFail, underPolicy } from './policy.ts'
import { Preparation } from './preparation.ts'
import type { Presenter } from './present.ts'
import { ledgerFile, settingsLines } from './project-cache.ts'
import { renderPlan, renderProblems } from './render.ts'
import { sendStagedCommand } from './resume-command.ts'
import { describeAttempt, Phases } from './trace.ts'
import { type UploadOptions, upload } from './upload.ts'
import type { Ending, Verdict } from './verdict.ts'
import { wantedOf } from './wanted.ts'

/**
 * One run after the settings have been resolved: collect, prepare, send, clean up, verdict. The clean-up always runs, even after an
 * exception, a signal or `process.exit()`.
 */
export class Run {
  readonly #opened: Opened
  readonly #input: DeliveryInput
  readonly #present: Presenter
  readonly #cwd: string
  readonly #phases = new Phases()
  #watched: readonly BuildOutput[] = []
  #collection: Pick<Collection, 'outputs' | 'keyOnly'> | undefined
  #uploads: readonly SymbolUpload[] = []
  readonly #statuses = new Map<SymbolUpload, OutcomeStatus>()
  /** The controller that stops the upload. Undefined while nothing is being sent. */
  #sending: AbortController | undefined
  #signal: EndSignal | undefined
  #unwatch: (() => void) | undefined

  constructor(opened: Opened) {
    this.#opened = opened
    this.#input = opened.input
    this.#present = opened.present
    this.#cwd = opened.cwd
  }

  watch(outputs: readonly BuildOutput[]): void {
    this.#watched = outputs
    this.#unwatch ??= onEarlyEnd(
      (cause) => this.#leave(cause),
      (signal) => this.#takes(signal),
    )
  }

  unwatch(): void {
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  async finish(collect: Collect, outputs: Outputs = []): Promise<Verdict> {
    const { usable, problems } = this.#opened
    const find = typeof outputs === 'function' ? outputs : async () => ({ outputs })
    this.watch(typeof outputs === 'function' ? [] : outputs)
    this.#phases.begin()
    try {
      const [run] = await Promise.allSettled([usable ? this.#go(collect) : unusableEnding(problems, this.#input)])
      this.#collection ??= await find()
      const cleaned = await cleanUp(this.#state)
      this.#phases.end('cleanUp')
      if (run.status === 'fulfilled') return this.#conclude(run.value, cleaned)
      this.#present.show([...renderProblems(cleaned.problems), ...cleaned.lines, ...cleaned.leaks.lines], 'problem')
      throw run.reason
    } finally {
      this.unwatch()
    }
  }

  async #go(collect: Collect): Promise<Ending> {
    const settings = this.#opened.judging.settings as Settings
    const refusal = await this.#refusal(settings)
    const collection = await collect(this.#context(settings))
    this.#phases.end('collect')
    this.#collection = collection
    const lines = settingsLines(settings, this.#input.briefSettings ?? false)
    this.#present.show([...lines, ...(collection.details ?? [])], 'detail')
    const { include, exclude } = settings
    const wanted = await wantedOf(collection, { include: include?.value, exclude: exclude?.value }, this.#cwd)
    const plan: Plan = {
      uploads: wanted.uploads,
      problems: [...this.#opened.problems, ...gate(wanted.problems, { ...this.#gate, files: [] })],
    }
    this.#uploads = plan.uploads
    return this.#prepareAndSend(plan, refusal)
  }

  /**
   * Sends each artifact as soon as it is prepared, so that its files are read only once. If the check decides whether anything is sent, all
   * artifacts are prepared first. If the intake would reject all uploads, nothing is prepared, but the maps must still be removed from the
   * outputs.
   */
  async #prepareAndSend(plan: Plan, refusal: Problem | undefined): Promise<Ending> {
    const preparation = refusal ? undefined : await this.#preparation(plan)
    const problems = () => [...plan.problems, ...(preparation?.problems() ?? [])]
    const sending = new AbortController()
    let ending: Ending | undefined
    const barrier = (uploads: SymbolUpload[]) => {
      this.#endOfPreparation('proof', preparation)
      ending = this.#endBeforeSending({ uploads, problems: problems() })
      if (!ending) this.#sending = sending
      return !ending
    }
    const hasBarrier = preparation !== undefined && this.#hasBarrier
    if (!hasBarrier) this.#sending = sending
    try {
      const report = await upload(plan, this.#opened.judging.settings as Settings, {
        ...this.#sendOptions,
        signal: sending.signal,
        refusal,
        prepare: preparation && ((item, parts) => preparation.prepare(item, parts)),
        barrier: hasBarrier ? barrier : undefined,
      })
      if (ending) return ending
      report.problems.push(...(preparation?.problems() ?? []))
      const { positions = 0, resolved = 0 } = preparation?.proof ?? {}
      if (positions > 0) report.positions = { checked: positions, resolved }
      return { kind: 'sent', report, signal: this.#signal }
    } catch (error) {
      if (!(error instanceof SymupError)) throw error
      return { kind: 'unusable', problems: [...problems(), ...error.problems] }
    } finally {
      this.#uploads = this.#uploads.filter((item) => !preparation?.leftOut.has(item))
      if (this.#sending) this.#present.progressEnd?.()
      this.#sending = undefined
      if (!hasBarrier) this.#endOfPreparation('proofAndSend', preparation)
      else if (!ending) this.#phases.end('send')
    }
  }

  get #hasBarrier(): boolean {
    const { dryRun, policy } = this.#opened.judging
    return dryRun || this.#input.later === true || policy['would-not-resolve'] === 'fail'
  }

  #endBeforeSending(plan: Plan): Ending | undefined {
    const { later = false, adapter } = this.#input
    const { dryRun, policy, failOnWarnings } = this.#opened.judging
    if (dryRun) {
      this.#present.show(renderPlan(plan, this.#cwd), 'detail')
      return { kind: 'dry-run', plan }
    }
    const findings = plan.problems.filter(({ category }) => BARRED.has(category))
    const isBarred = mustFail(findings, policy) || (failOnWarnings && findings.some((one) => isFailure(one, true)))
    if (isBarred && policy['would-not-resolve'] === 'fail') return { kind: 'unproven', plan }
    return later ? { kind: 'kept', plan, command: sendStagedCommand(this.#cwd, adapter.version) } : undefined
  }

  async #preparation(plan: Plan): Promise<Preparation> {
    const { proof: proves = true, transformFaults: faults } = this.#input
    const repository = await this.#opened.repository
    if (repository) this.#phases.end('git')
    return new Preparation(plan, { cwd: this.#cwd, proves, repository, faults, gate: this.#gate })
  }

  get #gate(): Pick<GateOptions, 'allow' | 'strict'> {
    const { settings } = this.#opened.judging
    return { allow: allowedFindings(settings), strict: this.#input.strictFindings ?? false }
  }

  #endOfPreparation(phase: 'proof' | 'proofAndSend', preparation: Preparation | undefined): void {
    this.#phases.end(phase)
    const proof = preparation?.proof
    if (proof) this.#present.show(renderProof(proof), 'detail')
  }

  /** Checks whether the intake would reject all uploads, except in runs that may end without an upload. */
  async #refusal(settings: Settings): Promise<Problem | undefined> {
    const { adapter, later = false, send: { resume = false } = {} } = this.#input
    if (this.#opened.judging.dryRun || later || resume) return undefined
    const refusal = await checkKey(settings, adapter)
    this.#phases.end('keyCheck')
    return refusal
  }

  get #sendOptions(): UploadOptions {
    const { adapter, send: { ledger: wanted, ...options } = {} } = this.#input
    const present = this.#present
    const settings = this.#opened.judging.settings as Settings
    const ledger = ledgerFile(settings, { project: this.#cwd, wanted, resume: options.resume ?? false })
    return {
      ...options,
      adapter,
      cwd: this.#cwd,
      ...(ledger !== undefined && { ledger }),
      ...(present.trace && { onAttempt: (attempt) => present.trace?.(describeAttempt(attempt)) }),
      ...(present.progress && { onProgress: (progress) => present.progress?.(progress) }),
      onOutcome: (item, { status }) => this.#statuses.set(item, status),
    }
  }

  /** The first signal stops the upload, and the run ends normally. A second signal ends the run immediately. */
  #takes(signal: EndSignal): boolean {
    if (!this.#sending || this.#sending.signal.aborted) return false
    this.#signal = signal
    this.#sending.abort()
    return true
  }

  #leave(cause: 'exit' | EndSignal): void {
    this.#unwatch = undefined
    const { policy } = this.#opened.judging
    if (!this.#collection) this.#uploads = this.#uncollected()
    const state = this.#state
    const cleared = clearMaps(state)
    const { problems } = cleared
    const fails = policy.config === 'fail' || mustFail(problems, policy)
    if (cause === 'exit' && fails && !process.exitCode) process.exitCode = EXIT.incomplete
    this.#present.progressEnd?.()
    const lines = [...renderProblems(underPolicy(problems, policy)), ...remainingLines(state, cleared)]
    const text = earlyEndText(cause, cleared)
    this.#present.show([...lines, { severity: fails ? 'error' : 'warning', text }], 'problem')
  }

  #conclude(ending: Ending, cleaned: CleanedUp): Verdict {
    const { present, judging, shown } = this.#opened
    const { verdict, lines, cleanUpLines } = judge(ending, cleaned, judging)
    present.trace?.(this.#phases.text)
    if (ending.kind !== 'unusable' && ending.kind !== 'skipped') {
      present.show([...lines, ...cleanUpLines], 'problem')
      present.record?.(verdict)
      present.show([verdict.summary], 'summary')
      return verdict
    }
    present.show(cleanUpLines, 'problem')
    // The problems were already shown before the build, so show only new problems from the clean-up.
    if (shown && cleaned.problems.length + cleaned.leaks.problems.length === 0) return shown
    present.record?.(verdict)
    present.show([...(shown ? renderProblems(cleaned.problems) : lines), verdict.summary], 'unusable')
    return verdict
  }

  /** Returns the artifacts to stage if the process ends before anything is collected. */
  #uncollected(): SymbolUpload[] {
    const { service, version, minifiedPathPrefix } = this.#opened.judging.settings
    if (!this.#opened.usable || !service || !version || !minifiedPathPrefix) return []
    const release = { service: service.value, version: version.value, minifiedPathPrefix: minifiedPathPrefix.value }
    const onDisk = this.#watched.filter(({ contents }) => !contents)
    return onDisk.flatMap(({ directory, files }) =>
      KINDS.flatMap((kind) => kind.pairsByName?.(directory, files, release) ?? []),
    )
  }

  get #outputs(): readonly BuildOutput[] {
    return this.#collection?.outputs ?? this.#watched
  }

  get #state(): RunState {
    const { input, judging, usable } = this.#opened
    return {
      ...input,
      ...judging,
      outputs: this.#outputs,
      artifacts: this.#uploads.map((item) => ({ upload: item, status: this.#statuses.get(item) })),
      root: this.#cwd,
      sendsNothing: !usable,
      isCommand: input.settings.adapter === 'cli',
      keyOnly: this.#collection?.keyOnly ?? false,
      toolVersion: input.adapter.version,
    }
  }

  #context(settings: Settings) {
    return {
      settings,
      service: settings.service.value,
      version: settings.version.value,
      minifiedPathPrefix: settings.minifiedPathPrefix?.value ?? '',
      toolVersion: this.#input.adapter.version,
      cwd: this.#cwd,
      ...(settings.allowedRoot && { allowedRoot: settings.allowedRoot.value }),
      dryRun: this.#opened.judging.dryRun,
    }
  }
}

/** Categories of findings that block the upload under a strict policy. */
const BARRED: ReadonlySet<Category> = new Set(['would-not-resolve', 'invalid-artifact'])
