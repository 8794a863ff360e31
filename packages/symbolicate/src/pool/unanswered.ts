/**
 * Why a question has no answer.
 * - `too-expensive`: it took more time or memory than one question may take.
 * - `busy`: too many other questions were waiting.
 * - `cancelled`: whoever asked does not wait any more.
 */
export type UnansweredCode = 'too-expensive' | 'busy' | 'cancelled'

/** A question that got no answer. The message is a sentence without its full stop. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly code: UnansweredCode

  constructor(code: UnansweredCode, message: string) {
    super(message)
    this.code = code
  }
}
