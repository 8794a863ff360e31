/**
 * Why a question has no answer.
 * - `too-expensive`: it exceeded the time or memory limit for one question.
 * - `busy`: too many other questions were waiting.
 * - `cancelled`: the caller no longer waits.
 */
export type UnansweredCode = 'too-expensive' | 'busy' | 'cancelled'

/** A question without an answer. The message is a sentence without its full stop. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly code: UnansweredCode

  constructor(code: UnansweredCode, message: string) {
    super(message)
    this.code = code
  }
}
