import type { Problem } from '../problems/problems.ts'
import type { SymbolEvent } from './event.ts'

/**
 * - `accepted`: the intake took it.
 * - `already-there`: the intake has it (409).
 * - `refused`: the intake's answer is final; sending the same again gives the same answer.
 * - `failed`: it did not arrive within the attempts allowed, or within those that were made before the run ended.
 * - `not-tried`: an earlier outcome made trying pointless (wrong key, no network), or the run was stopped before an answer came.
 */
export type OutcomeStatus = 'accepted' | 'already-there' | 'refused' | 'failed' | 'not-tried'

/** Whether the intake has the artifact. */
export function hasArrived(status: OutcomeStatus | undefined): boolean {
  return status === 'accepted' || status === 'already-there'
}

/** What became of one upload. */
export interface Outcome {
  event: SymbolEvent
  status: OutcomeStatus
  /** Requests made, the last included. */
  attempts: number
  /** Bytes of the artifact's files before compression. */
  bytes: number
  /** Of these, the bytes that were not sent because the intake had them. Absent when everything was sent. */
  heldBytes?: number
  /** The intake's id of the request that settled it; give it to whoever runs the intake. */
  requestId?: string
  problem?: Problem
}

export interface ReportTotals {
  accepted: number
  alreadyThere: number
  refused: number
  failed: number
  notTried: number
  /** Request body bytes written to the network, failed attempts included. */
  bytesSent: number
  milliseconds: number
}

/** What became of every upload of a plan. This is also its stable JSON form. */
export interface Report {
  outcomes: Outcome[]
  problems: Problem[]
  totals: ReportTotals
  /** Positions that were checked, and how many of them resolve. Absent when none was checked. */
  positions?: { checked: number; resolved: number }
}

export function totalsOf(outcomes: Outcome[], bytesSent: number, milliseconds: number): ReportTotals {
  const count = (status: OutcomeStatus) => outcomes.filter((outcome) => outcome.status === status).length
  return {
    accepted: count('accepted'),
    alreadyThere: count('already-there'),
    refused: count('refused'),
    failed: count('failed'),
    notTried: count('not-tried'),
    bytesSent,
    milliseconds: Math.round(milliseconds),
  }
}

/** Whether everything in the report is now at the intake. */
export function isComplete(report: Report): boolean {
  const { refused, failed, notTried } = report.totals
  return refused + failed + notTried === 0
}

export const EXIT = { ok: 0, incomplete: 1, unusable: 2, nothingFound: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Whether a problem makes a run a failure: errors do, with `failOnWarnings` warnings too. */
export function isFailure({ severity }: Problem, failOnWarnings: boolean): boolean {
  return severity === 'error' || (failOnWarnings && severity === 'warning')
}

/**
 * The exit code a report deserves: 0 everything accepted, 1 something was refused or lost, 3 nothing to upload.
 * An artifact that could not even be planned (severity `error`) counts as lost.
 */
export function exitCodeOf(report: Report): ExitCode {
  if (!isComplete(report)) return EXIT.incomplete
  if (report.outcomes.length === 0) return EXIT.nothingFound
  return report.problems.some(({ severity }) => severity === 'error') ? EXIT.incomplete : EXIT.ok
}
