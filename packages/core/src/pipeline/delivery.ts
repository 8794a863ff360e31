import type { RepositoryFinding } from '../git/repository.ts'
import type { Collected, CollectedRelease } from '../kinds/kind.ts'
import type { Problem } from '../problems/problems.ts'
import type { TransformFaults } from '../proof/transform-faults.ts'
import type { Adapter } from '../send/intake.ts'
import type { ResolveInput } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import type { BuildOutput } from './outputs.ts'
import type { Policy } from './policy.ts'
import type { Presenter } from './present.ts'
import type { UploadOptions } from './upload.ts'
import type { Judging, Verdict } from './verdict.ts'

/** The adapter's input for a run. */
export interface DeliveryInput {
  /** The adapter, which the intake records. */
  adapter: Adapter
  /** Sources of the settings. `dryRun` makes it a dry run. */
  settings: ResolveInput
  present: Presenter
  /**
   * Which errors fail the run. Default `POLICIES.default`. With `'would-not-resolve': 'fail'` nothing is sent if an artifact would not resolve.
   */
  policy?: Policy
  /**
   * A missing API key makes the configuration unusable. Default: in CI, and for the command, whose user requested this upload. Otherwise it
   * is one warning, and the run succeeds without sending anything, so that a developer can build without a key.
   */
  keyRequired?: boolean
  /** Stages the artifacts for `symup upload --staged` instead of sending them. No key is needed. Default false. */
  later?: boolean
  /** Warnings count as failures. Default false. */
  failOnWarnings?: boolean
  /** Source maps left in the outputs are a warning. Otherwise they are the user's choice, reported in one line. Default false. */
  mapsMustGo?: boolean
  /** Every finding is an error: artifacts that would not resolve, and every leak, including maps and references to maps. Default false. */
  strictFindings?: boolean
  /** Check sample positions in JavaScript source maps before the upload. Default true. */
  proof?: boolean
  /**
   * Returns the bundler's knowledge about transforms that lost maps, at the end of the build. The check then names the plugin. Default:
   * none.
   */
  transformFaults?: (() => TransformFaults | undefined) | undefined
  /** Add the built commit to JavaScript uploads. Default false. */
  git?: boolean
  /** Adds problems to those of the settings. An error makes the configuration unusable. */
  furtherProblems?(found: readonly Problem[]): Problem[]
  /** Subject of the last line, such as `mapping file of shop 1.2.3`. Default: none. */
  subject?(settings: Settings): string
  /** Show only inferred settings and those set in several places. Default: one line each. */
  briefSettings?: boolean
  /**
   * Options for sending. `ledger`: a file, true for one in the cache directory, false for none. Default: true if the project has its own or
   * a configured cache directory, and for `resume`.
   */
  send?: Pick<UploadOptions, 'concurrency' | 'attempts' | 'compression' | 'timeBudget' | 'resume'> & {
    ledger?: string | boolean
  }
}

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

/** The result of collecting for a delivery. */
export interface Collection extends Collected {
  /** Output directories of the build. They are searched for leaks, and their maps may be deleted after the upload. */
  outputs?: readonly BuildOutput[]
  /** Search the outputs only for the API key, because source maps are there for the upload. Default false. */
  keyOnly?: boolean
}

/** All settings, and those that collecting needs as plain values. */
export interface CollectContext extends CollectedRelease {
  settings: Settings
}

/** Finds the artifacts to send. Expected failures are problems in the result; an exception is a bug and passes through. */
export type Collect = (context: CollectContext) => Promise<Collection> | Collection

/** Outputs of a build, or a function that finds them. */
export type Outputs = readonly BuildOutput[] | (() => Promise<Pick<Collection, 'outputs' | 'keyOnly'>>)

/** A run, from its settings to its verdict. */
export interface Delivery {
  /** False if nothing will be sent: the configuration is unusable, or an optional key is missing. */
  readonly usable: boolean
  /** Incomplete if it is not usable. */
  readonly settings: Partial<Settings>
  /** Set if it is not usable. {@link finish} may return a worse one, because it also searches the outputs. */
  readonly verdict: Verdict | undefined
  /**
   * Cleans these outputs if the process ends before {@link finish} does. Process listeners exist until `finish` ends or {@link unwatch} is
   * called.
   */
  watch(outputs: readonly BuildOutput[]): void
  /** For a failed build: its output stays unchanged. */
  unwatch(): void
  /**
   * Collects, prepares, sends, cleans up, and reports each step.
   * @param outputs searched and cleaned if `collect` is not called or throws. Default: none.
   * @throws only the errors of `collect`.
   */
  finish(collect: Collect, outputs?: Outputs): Promise<Verdict>
}
