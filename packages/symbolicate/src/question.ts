import type { Platform } from '@symup/core/resolving'
import type { Budget } from './budget.ts'
import type { BinaryImage } from './resolvers/native/binary-image.ts'

/** Source lines shown on each side of a position. */
export const [DEFAULT_NEAR, MAX_NEAR] = [3, 20]

export interface StackQuestion {
  /** Its text, as the runtime printed it. */
  stack: string
  /** Service that it comes from. */
  service: string
  /** Release that it comes from. */
  version: string
  /** Where the stack is from. Default `browser`. */
  platform?: Platform
  /** Tells mini programs of the same service and version apart. */
  appid?: string
  /** Build variant of an Android release, where one release has several. */
  variant?: string
  /** Id of the app build, where one release has several. */
  buildId?: string
  /** Debug ids (ECMA-426) of the files in the stack, if the event has them. The key is the file as the stack names it. */
  debugIds?: Readonly<Record<string, string>>
  /** When the event happened, in Unix milliseconds, where it says so. */
  eventTime?: number
  /** Images that were loaded, where they came beside an Apple stack. */
  images?: readonly BinaryImage[]
  /** Architecture, to choose by among native libraries that the stack names without an id. */
  arch?: string
  /** Source lines shown on each side of a position, at most 20. Default 3. */
  near?: number
  /** What it may cost, over all frames. Default: as much as it takes. */
  budget?: Budget
}
