import type { Problem } from '../problems/problems.ts'

/** If this many artifacts in a row get no answer, the intake is unreachable. */
const UNREACHABLE_IN_A_ROW = 3
/** A server error may concern only one artifact, so stopping the run needs more of them. */
const SERVER_ERRORS_IN_A_ROW = 10

/** Decides whether it makes sense to try the next artifact of a run. */
export class Breaker {
  #cause: Problem | undefined
  #unreachable = 0
  #serverErrors = 0

  /** Why the rest of the run is pointless; undefined if it should continue. */
  get cause(): Problem | undefined {
    return this.#cause
  }

  /** Called if the intake accepted or finally refused an artifact, so it is reachable. */
  answered(): void {
    this.#unreachable = 0
    this.#serverErrors = 0
  }

  /** Called if one artifact used up its attempts. */
  exhausted(problem: Problem): void {
    if (problem.code === 'unreachable') this.#unreachable++
    else {
      this.#unreachable = 0
      this.#serverErrors++
    }
    if (this.#unreachable >= UNREACHABLE_IN_A_ROW || this.#serverErrors >= SERVER_ERRORS_IN_A_ROW) this.open(problem)
  }

  /** Stops the run. The first cause stays. */
  open(problem: Problem): void {
    this.#cause ??= problem
  }
}
