import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { eventLoopYielder } from '../event-loop.ts'
import { isInCi } from '../git/ci-variables.ts'
import { findRepository, type RepositoryFinding } from '../git/repository.ts'
import type { Collected } from '../kinds/kind.ts'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import { isComplete, type OutcomeStatus, type Report } from '../model/report.ts'
import { type Category, type Problem, type ProblemCode, SymupError } from '../problems/problems.ts'
import type { TransformFaults } from '../proof/blame.ts'
import { renderProof } from '../proof/render-proof.ts'
import type { Adapter } from '../send/client.ts'
import { ledgerPath } from '../send/ledger.ts'
import { type UploadOptions, upload } from '../send/upload.ts'
import { type ResolveInput, resolveSettings } from '../settings/resolve.ts'
import { describeSettings, type Settings } from '../settings/settings.ts'
import { briefSettings, lastSettings, rememberSettings } from './brief-settings.ts'
import { type Cleared, clearOutputs } from './clear-outputs.ts'
import { deleteMaps } from './delete-maps.ts'
import { interruptible, SIGNAL_EXIT } from './interrupt.ts'
import { wantedOf } from './left-out.ts'
import { findLeftovers } from './leftovers.ts'
import type { BuildOutput } from './outputs.ts'
import { mustFail, POLICIES, type Policy, problemsOf, underPolicy } from './policy.ts'
import { ProofAndCommit } from './preparation.ts'
import { type Presenter, printableOnly } from './present.ts'
import { renderPlan, renderProblems } from './render.ts'
import { describeAttempt, Phases } from './trace.ts'
import { unlinkMaps } from './unlink-maps.ts'
import {
  dryRunVerdict,
  type Judgement,
  reportVerdict,
  skippedVerdict,
  unprovenVerdict,
  unusableVerdict,
  type Verdict,
} from './verdict.ts'

/** What an adapter says of itself and of the run. */
export interface DeliveryInput {
  /** Who delivers; the intake records it. */
  adapter: Adapter
  /** Where the values of the settings come from. `dryRun` in it makes the run a dry one. */
  settings: ResolveInput
  present: Presenter
  /**
   * Which problems fail the run. Default `POLICIES.strict`: every error does. With `'would-not-resolve': 'fail'` nothing is sent unless all of it
   * resolves.
   */
  policy?: Policy
  /**
   * A missing API key makes the configuration unusable. Default: in CI, and for the command, whose user asked for this very upload. Else it
   * is one warning and the run passes without sending anything: a developer without a key can build.
   */
  keyRequired?: boolean
  /** Warnings count as failures. Default false. */
  failOnWarnings?: boolean
  /** Source maps left in the outputs are a warning; else a choice, of which one line tells. Default false. */
  mapsMustGo?: boolean
  /** Every leak in the outputs is an error, also those that may be meant: maps, and names of maps. Default false. */
  strictLeaks?: boolean
  /** Resolve sample positions through JavaScript source maps before they are sent. Default true. */
  proof?: boolean
  /** What the bundler knows, when the build is over, of transforms that returned no map: the proof then names the plugin. Default: nothing. */
  transformFaults?: (() => TransformFaults) | undefined
  /** Say in JavaScript uploads which commit was built. Default false. */
  git?: boolean
  /** What stands in the way besides the settings' own problems, which are given; an error makes the configuration unusable. */
  furtherProblems?(found: readonly Problem[]): Problem[]
  /** What the last line names, such as `mapping file of shop 1.2.3`. Default: nothing. */
  subject?(settings: Settings): string
  /** The settings take one line, and one more for each that changed since the last run or that several places set. Default: a line each. */
  briefSettings?: boolean
  /**
   * How to send. `ledger`: a file, true for one in the cache directory, false for none; left out, true where the project has a cache
   * directory of its own or somebody chose one, and for `resume`.
   */
  send?: Pick<UploadOptions, 'concurrency' | 'attempts' | 'compression' | 'timeBudget' | 'resume'> & {
    ledger?: string | boolean
  }
}

/** What was found for a delivery. */
export interface Collection extends Collected {
  /** Output directories of the build: their maps may be deleted once the intake has them, and they are searched for leaks. */
  outputs?: readonly BuildOutput[]
  /** The outputs are searched for the API key only: source maps are there to be uploaded. Default false. */
  keyOnly?: boolean
}

/** The settings, and what collecting needs of them as plain values. */
export interface CollectContext {
  settings: Settings
  service: string
  version: string
  /** '' where there is none. */
  minifiedPathPrefix: string
  /** Of the adapter; sent as `cli_version`. */
  toolVersion: string
  /** Absolute path of the project directory. */
  cwd: string
  /** Where links and names in files may lead besides what is uploaded. Absolute. */
  allowedRoot?: string
  dryRun: boolean
}

/** Finds what is to be sent. Expected failures are problems of the collection; what it throws is a bug and passes through. */
export type Collect = (context: CollectContext) => Promise<Collection> | Collection

/** A run whose settings are known. */
export interface Delivery {
  usable: true
  settings: Settings
  /** Collects, proves, sends, cleans up, and shows all of it. */
  finish(collect: Collect): Promise<Verdict>
}

/** A run that sends nothing: the configuration is unusable, or there is no key and none is needed. */
export interface NoDelivery {
  usable: false
  verdict: Verdict
  /** For a build that goes on all the same: deletes the maps that were not to stay in the outputs, and shows how many. */
  clear(outputs: readonly BuildOutput[]): Promise<void>
}

/**
 * The one way from settings to verdict. Finds the settings, which a bundler's adapter does before the build starts, so that an unusable
 * configuration costs no build time. Shows the problems of the settings. Throws nothing.
 */
export function openDelivery(input: DeliveryInput): Delivery | NoDelivery {
  const run = new Run(input)
  const resolution = resolveSettings(input.settings)
  const known = [...resolution.problems, ...(input.furtherProblems?.(resolution.problems) ?? [])]
  if (!resolution.ok || known.some(({ severity }) => severity === 'error')) {
    const verdict = run.isSkipped(known) ? run.skipped() : run.unusable(known)
    return { usable: false, verdict, clear: (outputs) => run.clear(outputs) }
  }
  const { settings } = resolution
  // Git answers while a build runs. It is also cheaper to start now than from the large process that a bundler becomes.
  const repository = input.git === true ? findRepository({ directory: run.cwd }) : undefined
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

/** What is not there where there is no key: CI has it. */
const ABSENT: ReadonlySet<ProblemCode> = new Set([
  'api-key-missing',
  'service-missing',
  'version-missing',
  'prefix-missing',
  'inference-failed',
])

/** A dry run changes nothing, so the maps that a real one would remove are there. */
function mapsOfDryRun(outputs: readonly BuildOutput[]): Line[] {
  const waiting = outputs.filter(
    ({ clears, deletable }) => clears && [...deletable].some((file) => file.endsWith('.map')),
  )
  if (waiting.length === 0) return []
  return [{ severity: 'warning', text: 'Do not deploy the output of a dry run: its source maps are still there.' }]
}

/** A list setting as it was read. */
function listOf(value: string | boolean | readonly string[]): readonly string[] {
  return typeof value === 'boolean' ? [] : [value].flat()
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

  /** Without a key nothing is sent, so whatever else is not there does not matter either; what is there and wrong does. */
  isSkipped(problems: readonly Problem[]): boolean {
    const { keyRequired, settings } = this.#input
    const required = keyRequired ?? (settings.adapter === 'cli' || isInCi(settings.env ?? process.env))
    const errors = problems.filter(({ severity }) => severity === 'error')
    return (
      !required && errors.some(({ code }) => code === 'api-key-missing') && errors.every(({ code }) => ABSENT.has(code))
    )
  }

  skipped(): Verdict {
    const { present } = this.#input
    const verdict = skippedVerdict(this.#dryRun)
    present.record?.(verdict)
    present.show([verdict.summary], 'unusable')
    return verdict
  }

  async clear(outputs: readonly BuildOutput[]): Promise<void> {
    const { present } = this.#input
    for (const output of outputs) {
      const { unsent, problems } = await deleteMaps(output, { uploads: [], problems: [] }, [], this.cwd)
      const unlinked = await unlinkMaps(output.directory, unsent, this.cwd)
      const count = `${unsent.length} source map${unsent.length === 1 ? '' : 's'}`
      const line: Line = { severity: 'info', text: `Deleted ${count}, as nothing is uploaded.` }
      present.show([...this.#problemLines(problems), ...(unsent.length > 0 ? [line] : []), ...unlinked], 'problem')
    }
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
    const found = repository && (await this.#phases.time('git', () => repository))
    if (this.#dryRun || this.#judgement.policy['would-not-resolve'] === 'fail') {
      const proven = await this.#phases.time('proof', () => this.#prove(plan, found))
      if (this.#dryRun) {
        present.show(renderPlan(proven, this.cwd), 'detail')
        const verdict = dryRunVerdict(proven, settings, this.#judgement)
        return this.#concluded(verdict, [...renderProblems(verdict.problems), ...mapsOfDryRun(outputs)])
      }
      if (this.#fails('would-not-resolve', proven.problems)) return this.#unproven(proven, outputs, settings)
      return this.#delivered(
        collected,
        proven,
        await this.#phases.time('send', () => this.#send(proven, settings)),
        settings,
      )
    }
    // Each artifact is proven just before it is sent, so that its files are read once, and the next is proven while one is sent.
    const preparation = this.#preparation(plan, found)
    const sent = await this.#phases.time('proof and send', () => this.#send(plan, settings, preparation))
    this.#showProof(preparation)
    return this.#delivered(collected, preparation.sent(), sent, settings)
  }

  /** What comes after sending. */
  async #delivered(collected: Collection, plan: Plan, sent: Sent, settings: Settings): Promise<Verdict> {
    if (sent.unusable) return this.unusable([...plan.problems, ...sent.unusable])
    const { report, signal } = sent
    const lines = await this.#phases.time('clean up', () => this.#cleanUp(collected, plan, report, settings))
    const verdict = reportVerdict(report, settings, this.#judgement, this.#input.subject?.(settings))
    return this.#concluded(signal ? { ...verdict, exitCode: SIGNAL_EXIT[signal], signal } : verdict, lines)
  }

  /** Nothing is sent, as not all of it resolves. */
  async #unproven(plan: Plan, outputs: readonly BuildOutput[], settings: Settings): Promise<Verdict> {
    const cleared = await this.#clear(outputs, plan, [], settings)
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

  #preparation(plan: Plan, repository: RepositoryFinding | undefined): ProofAndCommit {
    const { proof: proves = true, transformFaults: faults } = this.#input
    return new ProofAndCommit(plan, { cwd: this.cwd, proves, repository, faults })
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

  async #send(plan: Plan, settings: Settings, preparation?: ProofAndCommit): Promise<Sent> {
    const { adapter, present, send: { ledger, ...options } = {} } = this.#input
    const file = this.#ledger(settings, ledger, options.resume ?? false)
    try {
      const { result, signal } = await interruptible((stop) =>
        upload(plan, settings, {
          ...options,
          adapter,
          cwd: this.cwd,
          signal: stop,
          ...(preparation && { preparation }),
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

  #ledger({ cacheDirectory }: Settings, wanted: string | boolean | undefined, resume: boolean): string | undefined {
    if (typeof wanted === 'string') return resolve(this.cwd, wanted)
    return (wanted ?? (resume || this.#hasCache(cacheDirectory))) ? ledgerPath(cacheDirectory.value) : undefined
  }

  /** Whether there is a cache directory of the project's own, or one that somebody chose. */
  #hasCache({ from }: Settings['cacheDirectory']): boolean {
    return from.kind !== 'default' || existsSync(join(this.cwd, 'node_modules'))
  }

  async #settingsLines(settings: Settings): Promise<Line[]> {
    const { briefSettings: isBrief = false } = this.#input
    if (!isBrief) return describeSettings(settings).map((text) => ({ severity: 'info', text }))
    const { cacheDirectory } = settings
    if (!this.#hasCache(cacheDirectory)) return briefSettings(settings, undefined)
    const lines = briefSettings(settings, lastSettings(cacheDirectory.value, this.cwd))
    if (!this.#dryRun) await rememberSettings(cacheDirectory.value, this.cwd, settings)
    return lines
  }

  /** After sending: deletes the maps that may go, finds what must not ship, and says how to send the rest. */
  async #cleanUp(
    { outputs = [], keyOnly = false }: Collection,
    plan: Plan,
    report: Report,
    settings: Settings,
  ): Promise<Line[]> {
    const { mapsMustGo = false, strictLeaks = false } = this.#input
    const statuses = report.outcomes.map(({ status }) => status)
    const cleared = await this.#clear(outputs, plan, statuses, settings)
    const leaks = await findLeftovers(outputs, {
      root: this.cwd,
      mapsMustGo: mapsMustGo || strictLeaks,
      strict: strictLeaks,
      allow: settings.allowLeaks && listOf(settings.allowLeaks.value),
      keyOnly,
      apiKey: settings.apiKey,
    })
    report.problems.push(...cleared.problems)
    const lines = this.#problemLines(problemsOf(report))
    report.problems.push(...leaks.problems)
    // What is to be sent again is no leak yet.
    const leaked = isComplete(report) || leaks.problems.length > 0 ? leaks.lines : []
    return [...lines, ...cleared.lines, ...cleared.details, ...leaked]
  }

  #clear(
    outputs: readonly BuildOutput[],
    plan: Plan,
    statuses: readonly OutcomeStatus[],
    settings: Settings,
  ): Promise<Cleared> {
    const { adapter, settings: given, git = false } = this.#input
    const isCommand = given.adapter === 'cli'
    const context = { settings, root: this.cwd, toolVersion: adapter.version, git, isCommand }
    return clearOutputs(outputs, plan, statuses, context)
  }

  #problemLines(problems: readonly Problem[]): Line[] {
    return renderProblems(underPolicy(problems, this.#judgement.policy))
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
