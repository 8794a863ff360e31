/**
 * Why a question has no answer.
 * - `too-expensive`: it exceeded the time or memory limit for one question.
 * - `busy`: too many other questions were waiting.
 * - `cancelled`: the caller is no longer waiting.
 */
export type UnansweredCode = 'too-expensive' | 'busy' | 'cancelled'

/** Thrown for a question without an answer. The message is a sentence without its final period. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly code: UnansweredCode

  constructor(code: UnansweredCode, message: string) {
    super(message)
    this.code = code
  }
}
