import type { Kysely } from 'kysely'
import { monotonicFactory } from 'ulid'
import type { Database } from '../../platform/database/database.ts'
import type { AutomationRunRow, Tables } from '../../platform/database/schema.ts'
import type { AutomationRule } from './rule.ts'
import type { AutomationRunItem, RunStatus, TriggerKind } from './schema.ts'

/** Empty strings match everything. */
export interface RunFilter {
  trigger_kind?: TriggerKind | ''
  status?: RunStatus | ''
  started_after_ms?: number
  started_before_ms?: number
}

/** Maximum number of characters to store for the cause of a run. Longer causes are truncated, and the original length is appended. */
const MAX_INPUT = 100_000
const STATUS: RunStatus = 'succeeded'

export type Runs = ReturnType<typeof createRuns>

/** Records which trigger started a rule and why. The intake does not run prompts. */
export function createRuns({ scans }: Database) {
  // Monotonic ids keep runs in order of creation, even within a millisecond.
  const ulid = monotonicFactory()
  return {
    /**
     * Adds a run in a transaction that locks its rule.
     * @param input cause of the run, as JSON.
     * @returns the run's id.
     */
    async record(
      transaction: Kysely<Tables>,
      { rule_id, account_id }: AutomationRule,
      trigger_kind: TriggerKind,
      trigger_id: string,
      input: string,
      now: number,
    ) {
      const run_id = `trun_${ulid(now)}`
      await transaction
        .insertInto('automation_run')
        .values({
          run_id,
          rule_id,
          account_id: Number(account_id),
          trigger_kind,
          trigger_id,
          input: input.length > MAX_INPUT ? `${input.slice(0, MAX_INPUT)}… (${input.length} characters)` : input,
          created_at: now,
        })
        .execute()
      return run_id
    },
    async list(ruleIds: readonly string[], filter: RunFilter, page: number, limit: number) {
      const isOther = filter.status !== undefined && filter.status !== '' && filter.status !== STATUS
      if (ruleIds.length === 0 || isOther) return { total: 0, runs: [] }
      let found = scans.selectFrom('automation_run').where('rule_id', 'in', ruleIds)
      if (filter.trigger_kind) found = found.where('trigger_kind', '=', filter.trigger_kind)
      if (filter.started_after_ms) found = found.where('created_at', '>=', filter.started_after_ms)
      if (filter.started_before_ms) found = found.where('created_at', '<=', filter.started_before_ms)
      const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const rows = await found
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('run_id', 'desc')
        .offset((page - 1) * limit)
        .limit(limit)
        .execute()
      return { total, runs: rows.map(toRunItem) }
    },
  }
}

export function toRunItem(row: AutomationRunRow): AutomationRunItem {
  const { run_id, created_at } = row
  return {
    ...row,
    trigger_kind: row.trigger_kind as TriggerKind,
    status: STATUS,
    kind: 'automation',
    attempts: 1,
    error_code: '',
    error_message: '',
    occurrence_key: run_id,
    result_json: {},
    stats_json: {},
    duration_ms: 0,
    started_at: created_at,
    completed_at: created_at,
    updated_at: created_at,
  }
}

/** Derives the session id that the hosted service would assign to the run. */
export function sessionOf(runId: string): string {
  return runId.replace(/^[a-z]+_/, 'sess_')
}
