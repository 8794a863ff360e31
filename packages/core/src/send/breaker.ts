import type { Problem } from '../problems/problems.ts'

/** This many consecutive artifacts without an answer mean that the intake is unreachable. */
const UNREACHABLE_IN_A_ROW = 3
/** A server error may concern only one artifact, so more of them are needed to stop the run. */
const SERVER_ERRORS_IN_A_ROW = 10

/** Decides whether trying the next artifact of a run still makes sense. */
export class Breaker {
  #cause: Problem | undefined
  #unreachable = 0
  #serverErrors = 0

  /** Why the rest of the run is pointless; undefined if it is not. */
  get cause(): Problem | undefined {
    return this.#cause
  }

  /** The intake accepted or finally refused an artifact, so it is reachable. */
  answered(): void {
    this.#unreachable = 0
    this.#serverErrors = 0
  }

  /** One artifact used up its attempts. */
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
