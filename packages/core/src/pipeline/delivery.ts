import type { Collected } from '../kinds/kind.ts'
import type { Problem } from '../problems/problems.ts'
import type { TransformFaults } from '../proof/transform-faults.ts'
import type { Adapter } from '../send/intake.ts'
import type { ResolveInput } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import type { BuildOutput } from './outputs.ts'
import type { Policy } from './policy.ts'
import type { Presenter } from './present.ts'
import type { UploadOptions } from './upload.ts'
import type { Verdict } from './verdict.ts'

/** What an adapter says of itself and of the run. */
export interface DeliveryInput {
  /** Who delivers; the intake records it. */
  adapter: Adapter
  /** Where the values of the settings come from. `dryRun` in it makes the run a dry one. */
  settings: ResolveInput
  present: Presenter
  /**
   * Which errors fail the run. Default `POLICIES.default`. With `'would-not-resolve': 'fail'` nothing is sent if an artifact would not resolve.
   */
  policy?: Policy
  /**
   * A missing API key makes the configuration unusable. Default: in CI, and for the command, whose user asked for this very upload. Else it
   * is one warning and the run passes without sending anything: a developer without a key can build.
   */
  keyRequired?: boolean
  /** Nothing is sent: what is found is kept for `symup upload --staged`, and no key is needed. Default false. */
  later?: boolean
  /** Warnings count as failures. Default false. */
  failOnWarnings?: boolean
  /** Source maps left in the outputs are a warning; else a choice, of which one line tells. Default false. */
  mapsMustGo?: boolean
  /** Every finding is an error: what would not resolve, and every leak in the outputs, also maps and names of maps. Default false. */
  strictFindings?: boolean
  /** Resolve sample positions through JavaScript source maps before they are sent. Default true. */
  proof?: boolean
  /** What the bundler knows, when the build is over, of transforms that returned no map: the proof then names the plugin. Default: nothing. */
  transformFaults?: (() => TransformFaults | undefined) | undefined
  /** Say in JavaScript uploads which commit was built. Default false. */
  git?: boolean
  /** What stands in the way besides the settings' own problems, which are given; an error makes the configuration unusable. */
  furtherProblems?(found: readonly Problem[]): Problem[]
  /** What the last line names, such as `mapping file of shop 1.2.3`. Default: nothing. */
  subject?(settings: Settings): string
  /** Show only the settings that were inferred and those that several places set. Default: a line each. */
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

/** Outputs of a build, or a function that finds them. */
export type Outputs = readonly BuildOutput[] | (() => Promise<Pick<Collection, 'outputs' | 'keyOnly'>>)

/** A run, from its settings to its verdict. */
export interface Delivery {
  /** False: nothing will be sent, because the configuration is unusable, or there is no key and none is needed. */
  readonly usable: boolean
  /** Only some of them when it is not usable. */
  readonly settings: Partial<Settings>
  /** Set when it is not usable. {@link finish} may return a worse one, because it also searches the outputs. */
  readonly verdict: Verdict | undefined
  /**
   * Clears the maps of these outputs if the process ends before {@link finish} does.
   * The process has listeners for this until `finish` ends or {@link unwatch} is called.
   */
  watch(outputs: readonly BuildOutput[]): void
  /** For a build that failed: its output stays as it is. */
  unwatch(): void
  /**
   * Collects, prepares, sends, cleans up, and shows all of it.
   * @param outputs are searched and cleared when `collect` is not called, or throws. Default: none.
   * @throws only what `collect` throws.
   */
  finish(collect: Collect, outputs?: Outputs): Promise<Verdict>
}
