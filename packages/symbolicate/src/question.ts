import type { Platform } from '@symup/core/resolving'
import type { Budget } from './budget.ts'
import type { BinaryImage } from './resolvers/native/binary-image.ts'

/** Source lines shown on each side of a position. */
export const [DEFAULT_NEAR, MAX_NEAR] = [3, 20]

export interface StackQuestion {
  /** Text of the stack, as the runtime printed it. */
  stack: string
  /** The stack's service. */
  service: string
  /** The stack's release. */
  version: string
  /** The stack's platform. Default `browser`. */
  platform?: Platform
  /** Distinguishes mini programs with the same service and version. */
  appid?: string
  /** Build variant of an Android release, if it has several. */
  variant?: string
  /** Id of the app build, if the release has several. */
  buildId?: string
  /** Debug ids (ECMA-426) of the files in the stack, if the event has them. Keys are file names as written in the stack. */
  debugIds?: Readonly<Record<string, string>>
  /** Time of the event in Unix milliseconds, if known. */
  eventTime?: number
  /** Loaded images, if they are not part of the Apple stack. */
  images?: readonly BinaryImage[]
  /** Architecture for choosing native libraries if the stack has no ids. */
  arch?: string
  /** Source lines shown on each side of a position, at most 20. Default 3. */
  near?: number
  /** Limits over all frames. Default: none. */
  budget?: Budget
}
