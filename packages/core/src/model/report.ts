import type { Problem } from '../problems/problems.ts'
import type { SymbolEvent } from './event.ts'

/**
 * The status of an upload.
 * - `accepted`: The intake stored the artifact.
 * - `already-there`: The intake already had the artifact (409).
 * - `refused`: The intake rejected the artifact, and another attempt would have the same result.
 * - `failed`: The artifact could not be delivered within the allowed number of attempts, or before the run ended.
 * - `not-tried`: The upload would have failed for the same reason as an earlier one, or the run was stopped before a response arrived.
 */
export type OutcomeStatus = 'accepted' | 'already-there' | 'refused' | 'failed' | 'not-tried'

export function hasArrived(status: OutcomeStatus | undefined): boolean {
  return status === 'accepted' || status === 'already-there'
}

export interface Outcome {
  event: SymbolEvent
  status: OutcomeStatus
  attempts: number
  /** The size of the artifact's files before compression. */
  bytes: number
  /** The size of the files that were not sent, because the intake already had them. Undefined if all files were sent. */
  heldBytes?: number
  /** The intake's id for the final request, which the intake's operator can look up. */
  requestId?: string
  problem?: Problem
}

export interface ReportTotals {
  accepted: number
  alreadyThere: number
  refused: number
  failed: number
  notTried: number
  /** The size of all request bodies that went over the network, including failed attempts. */
  bytesSent: number
  milliseconds: number
}

/** The results of all uploads in a plan, in the stable JSON form. */
export interface Report {
  outcomes: Outcome[]
  problems: Problem[]
  totals: ReportTotals
  /** The number of positions checked, and how many of them resolve. Undefined if no positions were checked. */
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

export function isComplete(report: Report): boolean {
  const { refused, failed, notTried } = report.totals
  return refused + failed + notTried === 0
}

export const EXIT = { ok: 0, incomplete: 1, unusable: 2, nothingFound: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export function isFailure({ severity }: Problem, failOnWarnings: boolean): boolean {
  return severity === 'error' || (failOnWarnings && severity === 'warning')
}
