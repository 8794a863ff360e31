import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { attachRepository } from '../git/attach.ts'
import { findRepository, type RepositoryFinding } from '../git/repository.ts'
import type { Collected } from '../kinds/kind.ts'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import { isComplete, type Report } from '../model/report.ts'
import { type Category, type Problem, SymupError } from '../problems/problems.ts'
import { prove } from '../proof/prove.ts'
import { renderProof } from '../proof/render-proof.ts'
import type { Adapter } from '../send/client.ts'
import { ledgerPath } from '../send/ledger.ts'
import { type UploadOptions, upload } from '../send/upload.ts'
import { type ResolveInput, resolveSettings } from '../settings/resolve.ts'
import { describeSettings, type Settings } from '../settings/settings.ts'
import { deleteMaps } from './delete-maps.ts'
import { interruptible, SIGNAL_EXIT } from './interrupt.ts'
import { wantedOf } from './left-out.ts'
import { findLeftovers } from './leftovers.ts'
import type { BuildOutput } from './outputs.ts'
import { mustFail, POLICIES, type Policy, problemsOf, underPolicy } from './policy.ts'
import type { Presenter } from './present.ts'
import { renderPlan, renderProblems } from './render.ts'
import { resumeCommands } from './resume-command.ts'
import {
  dryRunVerdict,
  type Judgement,
  reportVerdict,
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
   * resolves; with `leak: 'fail'` the outputs may hold no source maps, no names of maps and no API key.
   */
  policy?: Policy
  /** Warnings count as failures. Default false. */
  failOnWarnings?: boolean
  /** Source maps left in the outputs are a warning; else a choice, of which one line tells. Default: when leaks fail the run. */
  mapsMustGo?: boolean
  /** Resolve sample positions through JavaScript source maps before they are sent. Default true. */
  proof?: boolean
  /** Say in JavaScript uploads which commit was built. Default false. */
  git?: boolean
  /** What stands in the way besides the settings' own problems, which are given; an error makes the configuration unusable. */
  furtherProblems?(found: readonly Problem[]): Problem[]
  /** What the last line names, such as `mapping file of shop 1.2.3`. Default: nothing. */
  subject?(settings: Settings): string
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

/**
 * The one way from settings to verdict. Finds the settings, which a bundler's adapter does before the build starts, so that an unusable
 * configuration costs no build time. Shows the problems of the settings. Throws nothing.
 */
export function openDelivery(input: DeliveryInput): Delivery | { usable: false; verdict: Verdict } {
  const run = new Run(input)
  const resolution = resolveSettings(input.settings)
  const known = [...resolution.problems, ...(input.furtherProblems?.(resolution.problems) ?? [])]
  if (!resolution.ok || known.some(({ severity }) => severity === 'error')) {
    return { usable: false, verdict: run.unusable(known) }
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

class Run {
  readonly cwd: string
  readonly #input: DeliveryInput
  readonly #judgement: Judgement
  readonly #dryRun: boolean

  constructor(input: DeliveryInput) {
    this.#input = input
    this.cwd = resolve(input.settings.cwd ?? '.')
    this.#judgement = { policy: input.policy ?? POLICIES.strict, failOnWarnings: input.failOnWarnings ?? false }
    this.#dryRun = input.settings.dryRun ?? false
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
    const { present, subject } = this.#input
    const collected = await collect({
      settings,
      service: settings.service.value,
      version: settings.version.value,
      minifiedPathPrefix: settings.minifiedPathPrefix?.value ?? '',
      toolVersion: this.#input.adapter.version,
      cwd: this.cwd,
      dryRun: this.#dryRun,
    })
    const { outputs = [], details = [] } = collected
    present.show(
      [...describeSettings(settings).map((text): Line => ({ severity: 'info', text })), ...details],
      'detail',
    )

    const { include, exclude } = settings
    const wanted = await wantedOf(collected, { include: include?.value, exclude: exclude?.value }, this.cwd)
    const proven = await this.#prove({ uploads: wanted.uploads, problems: [...known, ...wanted.problems] })
    if (!this.#dryRun && this.#fails('would-not-resolve', proven.plan.problems))
      return this.#concluded(unprovenVerdict(proven.plan, settings, this.#judgement))
    const plan = repository
      ? attachRepository(proven.plan, await repository, { directory: this.cwd, sources: proven.sources })
      : proven.plan
    if (this.#dryRun) {
      present.show(renderPlan(plan, this.cwd), 'detail')
      return this.#concluded(dryRunVerdict(plan, settings, this.#judgement))
    }

    const sent = await this.#send(plan, settings)
    if (sent.unusable) return this.unusable([...plan.problems, ...sent.unusable])
    const { report, signal } = sent
    const lines = await this.#cleanUp(outputs, plan, report, settings)
    const verdict = reportVerdict(report, settings, this.#judgement, subject?.(settings))
    return this.#concluded(signal ? { ...verdict, exitCode: SIGNAL_EXIT[signal], signal } : verdict, lines)
  }

  #fails(category: Category, problems: readonly Problem[]): boolean {
    const { policy } = this.#judgement
    return mustFail(
      problems.filter((one) => one.category === category),
      policy,
    )
  }

  async #prove(plan: Plan) {
    const { proof: wanted, present } = this.#input
    if (wanted === false) return { plan, sources: new Map() }
    const proof = await prove(plan.uploads, { cwd: this.cwd })
    present.show(renderProof(proof), 'detail')
    return {
      plan: {
        // What cannot be used is not sent.
        uploads: plan.uploads.filter((upload) => !proof.unusable.has(upload)),
        problems: [...plan.problems, ...proof.problems],
      },
      sources: proof.sources,
    }
  }

  async #send(plan: Plan, settings: Settings): Promise<Sent> {
    const { adapter, present, send: { ledger, ...options } = {} } = this.#input
    const file = this.#ledger(settings, ledger, options.resume ?? false)
    try {
      const { result, signal } = await interruptible((stop) =>
        upload(plan, settings, {
          ...options,
          adapter,
          cwd: this.cwd,
          signal: stop,
          ...(file !== undefined && { ledger: file }),
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
    const isAtHand = cacheDirectory.from.kind !== 'default' || existsSync(join(this.cwd, 'node_modules'))
    return (wanted ?? (resume || isAtHand)) ? ledgerPath(cacheDirectory.value) : undefined
  }

  /** After sending: deletes the maps that may go, finds what must not ship, and says how to send the rest. */
  async #cleanUp(outputs: readonly BuildOutput[], plan: Plan, report: Report, settings: Settings): Promise<Line[]> {
    const { mapsMustGo = this.#judgement.policy.leak === 'fail' } = this.#input
    const root = this.cwd
    const deleted = await deleteMaps(outputs, plan, report, root)
    const leaks = await findLeftovers(outputs, { root, mapsMustGo, apiKey: settings.apiKey })
    report.problems.push(...deleted.problems)
    const lines = this.#problemLines(problemsOf(report))
    report.problems.push(...leaks.problems)
    // What is to be sent again is no leak yet.
    const leaked = isComplete(report) || leaks.problems.length > 0 ? leaks.lines : []
    return [...lines, ...resumeCommands(outputs, plan, report, settings, root), ...deleted.lines, ...leaked]
  }

  #problemLines(problems: readonly Problem[]): Line[] {
    return renderProblems(underPolicy(problems, this.#judgement.policy))
  }

  #concluded(verdict: Verdict, lines: readonly Line[] = renderProblems(verdict.problems)): Verdict {
    const { present } = this.#input
    present.show(lines, 'problem')
    present.record?.(verdict)
    present.show([verdict.summary], 'summary')
    return verdict
  }
}
