/**
 * The reason why a request was not answered.
 * - `too-expensive`: the request exceeded the time or memory limit.
 * - `busy`: too many other requests were waiting.
 * - `cancelled`: the caller stopped waiting.
 */
export type UnansweredCode = 'too-expensive' | 'busy' | 'cancelled'

/** Thrown if a request is not answered. The message is a sentence without a final period. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly code: UnansweredCode

  constructor(code: UnansweredCode, message: string) {
    super(message)
    this.code = code
  }
}
