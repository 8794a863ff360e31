import type { Platform } from '@symup/core/resolving'
import type { Budget } from './budget.ts'
import type { BinaryImage } from './resolvers/native/binary-image.ts'

/** The default number and the maximum number of source lines to show before and after a position. */
export const [DEFAULT_NEAR, MAX_NEAR] = [3, 20]

export interface StackQuestion {
  /** The text of the stack, as printed by the runtime. */
  stack: string
  /** The service that the stack comes from. */
  service: string
  /** The version of the release that the stack comes from. */
  version: string
  /**
   * The platform that the stack comes from.
   * @default `browser`
   */
  platform?: Platform
  /** The appid that distinguishes mini programs with the same service and version. */
  appid?: string
  /** The build variant of an Android release that has several variants. */
  variant?: string
  /** The id of the app build if the release has several builds. */
  buildId?: string
  /** The ECMA-426 debug ids from the event. The keys are file names, as they appear in the stack. */
  debugIds?: Readonly<Record<string, string>>
  /** The time of the event, in milliseconds since the Unix epoch. */
  eventTime?: number
  /** The images that were loaded in the Apple app, if the stack does not list them. */
  images?: readonly BinaryImage[]
  /** The architecture. Used to select native libraries if the stack does not contain ids. */
  arch?: string
  /**
   * The number of source lines to show before and after a position, at most 20.
   * @default 3
   */
  near?: number
  /**
   * A limit that applies to all frames together.
   * @default none
   */
  budget?: Budget
}
