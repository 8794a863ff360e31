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

export interface DeliveryInput {
  /** The calling adapter. The intake records its name and version. */
  adapter: Adapter
  settings: ResolveInput
  present: Presenter
  /**
   * Decides which errors fail the run. With `'would-not-resolve': 'fail'`, nothing is sent if an artifact would not resolve. Default:
   * `POLICIES.default`.
   */
  policy?: Policy
  /**
   * Whether a missing API key makes the configuration unusable. If false, a missing key causes one warning, and the run succeeds without
   * sending anything, so that developers can build without a key. Default: true in CI, and for the command, because users who run the
   * command want to upload.
   */
  keyRequired?: boolean
  /** Whether to stage the artifacts for `symup upload --staged` instead of sending them. Staging needs no key. Default: false. */
  later?: boolean
  /** Whether warnings count as failures. Default: false. */
  failOnWarnings?: boolean
  /**
   * Whether source maps that remain in the outputs are treated as errors. If not, symup assumes that the user wants to keep the maps, and
   * lists them in one line. Default: false.
   */
  mapsMustGo?: boolean
  /**
   * Whether every finding is treated as an error: artifacts that would not resolve, and every leak, including maps and references to maps.
   * Default: false.
   */
  strictFindings?: boolean
  /** Whether to check sample positions in JavaScript source maps before the upload. Default: true. */
  proof?: boolean
  /**
   * Returns the transforms that lost maps, as recorded by the bundler until the end of the build. The check uses them to identify the
   * responsible plugin.
   */
  transformFaults?: (() => TransformFaults | undefined) | undefined
  /** Whether to add the built commit to JavaScript uploads. Default: false. */
  git?: boolean
  /** Returns additional problems. An error among them makes the configuration unusable. */
  furtherProblems?(found: readonly Problem[]): Problem[]
  /** Returns a description of the artifact for the last line, such as `mapping file of shop 1.2.3`. */
  subject?(settings: Settings): string
  /** Whether to show only settings that were inferred or set in several places. By default, all settings are shown. */
  briefSettings?: boolean
  /**
   * Options for sending. `ledger` is the path of a file, true for a file in the cache directory, or false for no ledger. By default,
   * `ledger` is true if `resume` is set, or if the project has its own cache directory or a configured one.
   */
  send?: Pick<UploadOptions, 'concurrency' | 'attempts' | 'compression' | 'timeBudget' | 'resume'> & {
    ledger?: string | boolean
  }
}

export interface Opened {
  input: DeliveryInput
  cwd: string
  usable: boolean
  problems: readonly Problem[]
  present: Presenter
  judging: Judging
  repository: Promise<RepositoryFinding> | undefined
  /** The verdict that was shown before the build, if the configuration is unusable. */
  shown?: Verdict
}

export interface Collection extends Collected {
  /** The output directories of the build. symup searches them for leaks, and may delete their maps after the upload. */
  outputs?: readonly BuildOutput[]
  /**
   * Whether to search the outputs only for the API key. Set this option if the source maps in the outputs exist only for the upload.
   * Default: false.
   */
  keyOnly?: boolean
}

/** All settings. The values that are needed to collect artifacts are also available as plain properties. */
export interface CollectContext extends CollectedRelease {
  settings: Settings
}

/**
 * Finds the artifacts to send. Expected failures become problems in the result. An exception is considered a bug and is rethrown by
 * `deliver`.
 */
export type Collect = (context: CollectContext) => Promise<Collection> | Collection

export type Outputs = readonly BuildOutput[] | (() => Promise<Pick<Collection, 'outputs' | 'keyOnly'>>)

export interface Delivery {
  /** Whether anything can be sent. False if the configuration is unusable or an optional key is missing. */
  readonly usable: boolean
  /** The settings found so far. Settings may be missing if the configuration is unusable. */
  readonly settings: Partial<Settings>
  /** The verdict if nothing will be sent. {@link finish} may return a worse verdict, because it also searches the outputs. */
  readonly verdict: Verdict | undefined
  /**
   * Cleans the given outputs if the process ends before {@link finish} does. The process listeners stay until `finish` ends or {@link
   * unwatch} is called.
   */
  watch(outputs: readonly BuildOutput[]): void
  /** Removes the process listeners, so that the output of a failed build is not changed. */
  unwatch(): void
  /**
   * Collects, prepares and sends the artifacts, cleans up, and reports each step.
   * @param outputs the outputs to search and clean if `collect` is not called or throws. Default: none.
   * @throws only the errors from `collect`.
   */
  finish(collect: Collect, outputs?: Outputs): Promise<Verdict>
}
