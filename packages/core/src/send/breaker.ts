import type { Problem } from '../problems/problems.ts'

/** If three artifacts in a row get no response, the intake is considered unreachable. */
const UNREACHABLE_IN_A_ROW = 3
/** A server error may affect only one artifact, so the run stops only after many consecutive server errors. */
const SERVER_ERRORS_IN_A_ROW = 10

/** Decides whether a run should continue with the next artifact. */
export class Breaker {
  #cause: Problem | undefined
  #unreachable = 0
  #serverErrors = 0

  get cause(): Problem | undefined {
    return this.#cause
  }

  /** Called when the intake has accepted or rejected an artifact and is therefore known to be reachable. */
  answered(): void {
    this.#unreachable = 0
    this.#serverErrors = 0
  }

  /** Called when all attempts to send an artifact have failed. */
  exhausted(problem: Problem): void {
    if (problem.code === 'unreachable') this.#unreachable++
    else {
      this.#unreachable = 0
      this.#serverErrors++
    }
    if (this.#unreachable >= UNREACHABLE_IN_A_ROW || this.#serverErrors >= SERVER_ERRORS_IN_A_ROW) this.open(problem)
  }

  /** Stops the run. Only the first call sets the cause. */
  open(problem: Problem): void {
    this.#cause ??= problem
  }
}
