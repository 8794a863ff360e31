import type { Problem } from '../problems/problems.ts'

/** So many artifacts in a row that never got an answer mean that the intake is away. */
const UNREACHABLE_IN_A_ROW = 3
/** A server's own error may be about one artifact, so it takes more of them to give up on the rest. */
const SERVER_ERRORS_IN_A_ROW = 10

/** Knows whether trying the next artifact of a run still makes sense. */
export class Breaker {
  #cause: Problem | undefined
  #unreachable = 0
  #serverErrors = 0

  /** Why the rest of the run is pointless; undefined while it is not. */
  get cause(): Problem | undefined {
    return this.#cause
  }

  /** The intake took something, or refused it for good: it is there. */
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

  /** Nothing more is tried; the first cause stays. */
  open(problem: Problem): void {
    this.#cause ??= problem
  }
}
