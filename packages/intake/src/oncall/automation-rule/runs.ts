import type { Kysely } from 'kysely'
import { monotonicFactory } from 'ulid'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { AutomationRule } from './rule.ts'
import type { AutomationRunItem, TriggerKind } from './schema.ts'

/** The runs in the store. Nothing runs a prompt here; a run says that its time had come, and why. */
export interface Runs {
  /**
   * Adds a run, in a transaction that holds its rule.
   * @param input what set it off, as JSON.
   * @returns its id.
   */
  record(
    transaction: Kysely<Tables>,
    rule: AutomationRule,
    kind: TriggerKind,
    triggerId: string,
    input: string,
    now: number,
  ): Promise<string>
  /** Of these rules, newest first. */
  list(ruleIds: readonly string[], page: number, limit: number): Promise<{ total: number; items: AutomationRunItem[] }>
}

const MAX_INPUT = 100_000

export function createRuns({ db }: Database): Runs {
  // In order even within a millisecond.
  const ulid = monotonicFactory()
  return {
    async record(transaction, { rule_id, account_id }, trigger_kind, trigger_id, input, now) {
      const run_id = `arun_${ulid(now)}`
      await transaction
        .insertInto('automation_run')
        .values({
          run_id,
          rule_id,
          account_id: Number(account_id),
          trigger_kind,
          trigger_id,
          input: input.slice(0, MAX_INPUT),
          created_at: now,
        })
        .execute()
      return run_id
    },
    async list(ruleIds, page, limit) {
      if (ruleIds.length === 0) return { total: 0, items: [] }
      const found = db.selectFrom('automation_run').where('rule_id', 'in', ruleIds)
      const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const rows = await found
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('run_id', 'desc')
        .offset((page - 1) * limit)
        .limit(limit)
        .execute()
      const items = rows.map((row) => ({
        ...row,
        trigger_kind: row.trigger_kind as TriggerKind,
        status: 'recorded' as const,
      }))
      return { total, items }
    },
  }
}
