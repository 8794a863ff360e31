import type { Problem } from '../problems/problems.ts'
import type { SymbolEvent } from './event.ts'

/**
 * - `accepted`: the intake stored it.
 * - `already-there`: the intake already had it (409).
 * - `refused`: the intake's answer is final, so another attempt would get the same one.
 * - `failed`: it did not arrive within the allowed attempts, or before the run ended.
 * - `not-tried`: an earlier failure would have repeated (wrong key, no network), or the run was stopped before an
 *   answer arrived.
 */
export type OutcomeStatus = 'accepted' | 'already-there' | 'refused' | 'failed' | 'not-tried'

/** Whether the intake has the artifact. */
export function hasArrived(status: OutcomeStatus | undefined): boolean {
  return status === 'accepted' || status === 'already-there'
}

/** The result of one upload. */
export interface Outcome {
  event: SymbolEvent
  status: OutcomeStatus
  /** Number of requests, including the final one. */
  attempts: number
  /** Bytes of the artifact's files before compression. */
  bytes: number
  /** Bytes that were not sent because the intake already had them. Absent if everything was sent. */
  heldBytes?: number
  /** The intake's id of the final request, which the intake's operator can look up. */
  requestId?: string
  problem?: Problem
}

export interface ReportTotals {
  accepted: number
  alreadyThere: number
  refused: number
  failed: number
  notTried: number
  /** Bytes of request bodies sent over the network, including failed attempts. */
  bytesSent: number
  milliseconds: number
}

/** The results of all uploads of a plan. This is also the stable JSON form. */
export interface Report {
  outcomes: Outcome[]
  problems: Problem[]
  totals: ReportTotals
  /** Positions checked, and how many of them resolve. Absent if none were checked. */
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

/** Whether the intake now has everything in the report. */
export function isComplete(report: Report): boolean {
  const { refused, failed, notTried } = report.totals
  return refused + failed + notTried === 0
}

export const EXIT = { ok: 0, incomplete: 1, unusable: 2, nothingFound: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Whether a problem fails the run: errors do, and with `failOnWarnings` also warnings. */
export function isFailure({ severity }: Problem, failOnWarnings: boolean): boolean {
  return severity === 'error' || (failOnWarnings && severity === 'warning')
}
