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
  /** The calling adapter. The intake records it. */
  adapter: Adapter
  /** Sources of the settings. `dryRun` makes it a dry run. */
  settings: ResolveInput
  present: Presenter
  /**
   * Which errors fail the run. Default `POLICIES.default`. With `'would-not-resolve': 'fail'`, nothing is sent if an
   * artifact would not resolve.
   */
  policy?: Policy
  /**
   * Whether a missing API key makes the configuration unusable. Default: true in CI and for the command, whose user requested this upload.
   * Otherwise a missing key causes one warning, and the run succeeds without sending anything, so that developers can build without a key.
   */
  keyRequired?: boolean
  /** Stages the artifacts for `symup upload --staged` instead of sending them. No key is needed. Default false. */
  later?: boolean
  /** Warnings count as failures. Default false. */
  failOnWarnings?: boolean
  /**
   * Source maps left in the outputs cause a warning. Otherwise symup assumes that the user wants them, and reports them
   * in one line. Default false.
   */
  mapsMustGo?: boolean
  /**
   * Treat every finding as an error: artifacts that would not resolve, and every leak, including maps and references to
   * maps. Default false.
   */
  strictFindings?: boolean
  /** Check sample positions in JavaScript source maps before the upload. Default true. */
  proof?: boolean
  /**
   * Returns the bundler's knowledge about transforms that lost maps, at the end of the build. The check then names the
   * responsible plugin. Default: none.
   */
  transformFaults?: (() => TransformFaults | undefined) | undefined
  /** Add the built commit to JavaScript uploads. Default false. */
  git?: boolean
  /** Returns additional problems. An error makes the configuration unusable. */
  furtherProblems?(found: readonly Problem[]): Problem[]
  /** What the last line is about, such as `mapping file of shop 1.2.3`. Default: nothing. */
  subject?(settings: Settings): string
  /** Show only inferred settings and those set in several places. Default: one line each. */
  briefSettings?: boolean
  /**
   * Options for sending. `ledger` is a file, true for one in the cache directory, or false for none. Default: true with
   * `resume`, or if the project has its own or a configured cache directory.
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
  /** Search the outputs only for the API key. Source maps are there on purpose, for the upload. Default false. */
  keyOnly?: boolean
}

/** All settings, and the ones that collecting needs as plain values. */
export interface CollectContext extends CollectedRelease {
  settings: Settings
}

/** Finds the artifacts to send. Expected failures become problems in the result; an exception is a bug and passes through. */
export type Collect = (context: CollectContext) => Promise<Collection> | Collection

/** Outputs of a build, or a function that finds them. */
export type Outputs = readonly BuildOutput[] | (() => Promise<Pick<Collection, 'outputs' | 'keyOnly'>>)

/** A run, from its settings to its verdict. */
export interface Delivery {
  /** False if nothing will be sent: the configuration is unusable, or an optional key is missing. */
  readonly usable: boolean
  /** Incomplete if the configuration is unusable. */
  readonly settings: Partial<Settings>
  /** Set if nothing will be sent. {@link finish} may return a worse verdict, because it also searches the outputs. */
  readonly verdict: Verdict | undefined
  /**
   * Cleans these outputs if the process ends before {@link finish} does. Process listeners exist until `finish` ends or {@link unwatch} is
   * called.
   */
  watch(outputs: readonly BuildOutput[]): void
  /** Leaves the output of a failed build unchanged. */
  unwatch(): void
  /**
   * Collects, prepares, sends, cleans up, and reports each step.
   * @param outputs searched and cleaned if `collect` is not called or throws. Default: none.
   * @throws only the errors of `collect`.
   */
  finish(collect: Collect, outputs?: Outputs): Promise<Verdict>
}
