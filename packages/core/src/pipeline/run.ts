import { join } from 'node:path'
import { type EndSignal, onEarlyEnd } from '../early-end.ts'
import type { RepositoryFinding } from '../git/repository.ts'
import { isScriptPath } from '../kinds/index.ts'
import { pairsByName } from '../kinds/javascript/pairs-by-name.ts'
import { KnownFiles } from '../leaks/known-files.ts'
import type { Plan } from '../model/plan.ts'
import { EXIT, isFailure } from '../model/report.ts'
import { type Category, type Problem, SymupError } from '../problems/problems.ts'
import { renderProof } from '../proof/render-proof.ts'
import { checkKey } from '../send/check-key.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { type CleanedUp, type CleanUpInput, cleanUp, clearMaps, listOf, remainingLines } from './clean-up.ts'
import type { Collect, Collection, DeliveryInput, Outputs } from './delivery.ts'
import { type Ending, type Judging, judge, unusableEnding } from './ending.ts'
import { type GateOptions, gate } from './gate.ts'
import type { Artifact } from './map-fates.ts'
import type { BuildOutput } from './outputs.ts'
import { mustFail, underPolicy } from './policy.ts'
import { ProofAndCommit } from './preparation.ts'
import type { Presenter } from './present.ts'
import { ledgerFile, settingsLines } from './project-cache.ts'
import { renderPlan, renderProblems } from './render.ts'
import { sendStagedCommand } from './resume-command.ts'
import { describeAttempt, Phases } from './trace.ts'
import { type UploadOptions, upload } from './upload.ts'
import type { Verdict } from './verdict.ts'
import { wantedOf } from './wanted.ts'

/** The state before the build. */
export interface Opened {
  input: DeliveryInput
  cwd: string
  usable: boolean
  /** Problems of the settings. */
  problems: readonly Problem[]
  present: Presenter
  judging: Judging
  repository: Promise<RepositoryFinding> | undefined
  /** The verdict shown before the build, if the configuration is unusable. */
  shown?: Verdict
}

/**
 * One run after the settings: collect, prepare, send, clean up, verdict. Every ending cleans up, including an exception, a signal and
 * `process.exit()`.
 */
export class Run {
  readonly #opened: Opened
  readonly #input: DeliveryInput
  readonly #present: Presenter
  readonly #cwd: string
  readonly #phases = new Phases()
  #watched: readonly BuildOutput[] = []
  #collection: Pick<Collection, 'outputs' | 'keyOnly'> | undefined
  #artifacts: Artifact[] = []
  #knownFiles: KnownFiles | undefined
  /** Stops the upload; undefined if nothing is being sent. */
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
    try {
      const [run] = await Promise.allSettled([usable ? this.#go(collect) : unusableEnding(problems, this.#input)])
      this.#collection ??= await find()
      const cleaned = await this.#phases.time('clean up', () => cleanUp(this.#cleanUpInput()))
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
    const collection = await this.#phases.time('collect', () => collect(this.#context(settings)))
    this.#collection = collection
    const { briefSettings: isBrief = false } = this.#input
    const remembers = !this.#opened.judging.dryRun
    const lines = await settingsLines(settings, { project: this.#cwd, isBrief, remembers })
    this.#present.show([...lines, ...(collection.details ?? [])], 'detail')
    const { include, exclude } = settings
    const wanted = await wantedOf(collection, { include: include?.value, exclude: exclude?.value }, this.#cwd)
    const plan: Plan = {
      uploads: wanted.uploads,
      problems: [...this.#opened.problems, ...gate(wanted.problems, { ...this.#gate, files: [] })],
    }
    this.#artifacts = plan.uploads.map((upload) => ({ upload }))
    // Still needed: this removes the maps from the outputs.
    return refusal ? this.#send(plan, { refusal }) : this.#prepareAndSend(plan)
  }

  /**
   * Sends each artifact after preparing it, so that its files are read once, and the next one is prepared while one is
   * being sent. If the check decides whether anything is sent, all artifacts are prepared first.
   */
  async #prepareAndSend(plan: Plan): Promise<Ending> {
    const { later = false, adapter } = this.#input
    const { dryRun, policy } = this.#opened.judging
    const isStrict = policy['would-not-resolve'] === 'fail'
    const isAllFirst = dryRun || later || isStrict
    if (!isAllFirst) this.#knownFiles = knownFilesOf(this.#outputs, this.#opened.judging.settings)
    const preparation = await this.#preparation(plan)
    if (!isAllFirst) {
      const ending = await this.#phases.time('proof and send', () => this.#send(plan, { preparation }))
      this.#artifacts = this.#artifacts.filter(({ upload }) => !preparation.leftOut.has(upload))
      this.#showProof(preparation)
      if (ending.kind === 'unusable') return { ...ending, problems: [...preparation.problems(), ...ending.problems] }
      return withPositions(ending, preparation)
    }
    const prepared = await this.#phases.time('proof', () => preparation.all())
    this.#showProof(preparation)
    this.#artifacts = prepared.uploads.map((upload) => ({ upload }))
    if (dryRun) {
      this.#present.show(renderPlan(prepared, this.#cwd), 'detail')
      return { kind: 'dry-run', plan: prepared }
    }
    if (isStrict && this.#isBarred(prepared)) return { kind: 'unproven', plan: prepared }
    if (later) return { kind: 'kept', plan: prepared, command: sendStagedCommand(this.#cwd, adapter.version) }
    return withPositions(await this.#phases.time('send', () => this.#send(prepared)), preparation)
  }

  /** Whether the findings block the upload under a strict policy. */
  #isBarred({ problems }: Plan): boolean {
    const { policy, failOnWarnings } = this.#opened.judging
    const findings = problems.filter(({ category }) => BARRED.has(category))
    return mustFail(findings, policy) || (failOnWarnings && findings.some((one) => isFailure(one, true)))
  }

  async #preparation(plan: Plan): Promise<ProofAndCommit> {
    const { proof: proves = true, transformFaults: faults } = this.#input
    const { repository: found } = this.#opened
    const repository = found && (await this.#phases.time('git', () => found))
    return new ProofAndCommit(plan, {
      cwd: this.#cwd,
      proves,
      repository,
      faults,
      known: this.#knownFiles,
      gate: this.#gate,
    })
  }

  get #gate(): Pick<GateOptions, 'allow' | 'strict'> {
    const { settings } = this.#opened.judging
    return { allow: listOf(settings.allow?.value), strict: this.#input.strictFindings ?? false }
  }

  #showProof(preparation: ProofAndCommit): void {
    const { proof } = preparation
    if (proof) this.#present.show(renderProof(proof), 'detail')
  }

  /** Asks the intake, unless nothing may be sent. */
  async #refusal(settings: Settings): Promise<Problem | undefined> {
    const { adapter, later = false, send: { resume = false } = {} } = this.#input
    if (this.#opened.judging.dryRun || later || resume) return undefined
    return this.#phases.time('key check', () => checkKey(settings, adapter))
  }

  async #send(plan: Plan, how: Pick<UploadOptions, 'preparation' | 'refusal'> = {}): Promise<Ending> {
    const settings = this.#opened.judging.settings as Settings
    const { adapter, send: { ledger, ...options } = {} } = this.#input
    const present = this.#present
    const file = ledgerFile(settings, { project: this.#cwd, wanted: ledger, resume: options.resume ?? false })
    const artifacts = new Map(this.#artifacts.map((artifact) => [artifact.upload, artifact]))
    this.#sending = new AbortController()
    try {
      const report = await upload(plan, settings, {
        ...options,
        ...how,
        adapter,
        cwd: this.#cwd,
        signal: this.#sending.signal,
        ...(file !== undefined && { ledger: file }),
        ...(present.trace && { onAttempt: (attempt) => present.trace?.(describeAttempt(attempt)) }),
        ...(present.progress && { onProgress: (progress) => present.progress?.(progress) }),
        onOutcome: (item, { status }) => Object.assign(artifacts.get(item) ?? {}, { status }),
      })
      return { kind: 'sent', report, signal: this.#signal }
    } catch (error) {
      if (!(error instanceof SymupError)) throw error
      return { kind: 'unusable', problems: [...plan.problems, ...error.problems] }
    } finally {
      this.#sending = undefined
      present.progressEnd?.()
    }
  }

  /** The first signal stops the upload, and the run ends normally. A second one ends it immediately. */
  #takes(signal: EndSignal): boolean {
    if (!this.#sending || this.#sending.signal.aborted) return false
    this.#signal = signal
    this.#sending.abort()
    return true
  }

  /** The process ends in the middle of the run. */
  #leave(cause: 'exit' | EndSignal): void {
    this.#unwatch = undefined
    const { policy } = this.#opened.judging
    if (!this.#collection) this.#artifacts = this.#uncollected()
    const input = this.#cleanUpInput()
    const cleared = clearMaps(input)
    const { gone, problems } = cleared
    const fails = policy.config === 'fail' || mustFail(problems, policy)
    if (cause === 'exit' && fails && !process.exitCode) process.exitCode = EXIT.incomplete
    const what = cause === 'exit' ? t`process.exit() was called` : cause
    const removed =
      gone.length === 0 ? '' : t` ${gone.length} source map${gone.length === 1 ? '' : 's'} removed from the output.`
    const isLost = cleared.staged.length === 0 && gone.some((path) => isScriptPath(path.replace(/\.map$/, '')))
    const lost = isLost ? t` They cannot be sent later: build again.` : ''
    const text = t`The process ended before the upload was finished (${what}).${removed}${lost}`
    this.#present.progressEnd?.()
    const lines = [...renderProblems(underPolicy(problems, policy)), ...remainingLines(input, cleared)]
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
    // Already shown before the build, unless the clean-up found more.
    if (shown && cleaned.problems.length + cleaned.leaks.problems.length === 0) return shown
    present.record?.(verdict)
    present.show([...(shown ? renderProblems(cleaned.problems) : lines), verdict.summary], 'unusable')
    return verdict
  }

  /** The artifacts that can be staged before anything was collected. */
  #uncollected(): Artifact[] {
    const { service, version, minifiedPathPrefix } = this.#opened.judging.settings
    if (!this.#opened.usable || !service || !version || !minifiedPathPrefix) return []
    const release = { service: service.value, version: version.value, prefix: minifiedPathPrefix.value }
    const onDisk = this.#watched.filter(({ contents }) => !contents)
    return onDisk
      .flatMap(({ directory, files }) => pairsByName(directory, files, release))
      .map((upload) => ({ upload }))
  }

  get #outputs(): readonly BuildOutput[] {
    return this.#collection?.outputs ?? this.#watched
  }

  #cleanUpInput(): CleanUpInput {
    const { adapter, settings: given, git = false, later = false } = this.#input
    const { mapsMustGo = false, strictFindings = false } = this.#input
    const { settings, dryRun } = this.#opened.judging
    return {
      outputs: this.#outputs,
      artifacts: this.#artifacts,
      settings,
      root: this.#cwd,
      git,
      later,
      dryRun,
      mapsMustGo,
      strictFindings,
      known: this.#knownFiles,
      sends: this.#opened.usable,
      isCommand: given.adapter === 'cli',
      keyOnly: this.#collection?.keyOnly ?? false,
      toolVersion: adapter.version,
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

/** Adds how many positions resolve in the sent artifacts. */
function withPositions(ending: Ending, preparation: ProofAndCommit): Ending {
  const { positions = 0, resolved = 0 } = preparation.proof ?? {}
  if (ending.kind !== 'sent' || positions === 0) return ending
  return { ...ending, report: { ...ending.report, positions: { checked: positions, resolved } } }
}

/** Categories of findings that block the upload under a strict policy. */
const BARRED: ReadonlySet<Category> = new Set(['would-not-resolve', 'invalid-artifact'])

/** Collects scan results of sent files, so that the leak guard need not read them again. */
function knownFilesOf(outputs: readonly BuildOutput[], { apiKey }: Partial<Settings>): KnownFiles | undefined {
  if (!apiKey || outputs.length === 0) return undefined
  const leaving = outputs.flatMap(({ directory, deletable }) => [...deletable].map((file) => join(directory, file)))
  return new KnownFiles(apiKey.value, new Set(leaving))
}
