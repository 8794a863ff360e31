import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { type Int64, parseJson, stringifyJson } from '../../platform/wire/int64.ts'
import { yieldingToOthers } from '../../platform/yielding.ts'
import { type AutomationRule, nextFireOf } from './rule.ts'
import type { Runs } from './runs.ts'
import type { TriggerKind } from './schema.ts'

export type Rules = ReturnType<typeof createRules>

export function createRules({ db, forUpdate }: Database, runs: Runs) {
  const rules = db.selectFrom('automation_rule').select('document')
  const nextFire = async (is: '<=' | '>', time: number) => {
    const found = db.selectFrom('automation_rule').select('rule_id').where('next_fire_at', is, time)
    return (await found.orderBy('rule_id').execute()).map(({ rule_id }) => rule_id)
  }
  return {
    of: async (accountId: number) =>
      (await rules.where('account_id', '=', accountId).orderBy('rule_id').execute()).map(read),
    async find(accountId: number, ruleId: string) {
      const row = await rules.where('account_id', '=', accountId).where('rule_id', '=', ruleId).executeTakeFirst()
      return row && read(row)
    },
    async findByTrigger(triggerId: string) {
      const row = await rules.where('http_post_trigger_id', '=', triggerId).executeTakeFirst()
      return row && read(row)
    },
    due: (now: number) => nextFire('<=', now),
    setFor: (now: number) => nextFire('>', now),
    /**
     * Locks a rule during a transaction, so that no other request can change, delete or fire it. If `work` throws, the transaction is
     * rolled back.
     * @param work receives undefined if the rule does not exist.
     */
    hold<T>(ruleId: string, work: (held: HeldRule | undefined) => Promise<T>) {
      return db.transaction().execute(async (transaction) => {
        const query = transaction.selectFrom('automation_rule').select(['document', 'next_fire_at'])
        const row = await forUpdate(query.where('rule_id', '=', ruleId)).executeTakeFirst()
        return work(row && heldRule(transaction, runs, read(row), row.next_fire_at))
      })
    },
  }
}

export async function isOfTeam(on: Kysely<Tables>, accountId: number, teamId: Int64): Promise<boolean> {
  const rows = await on.selectFrom('automation_rule').select('document').where('account_id', '=', accountId).execute()
  return rows.map(read).some(({ team_id }) => team_id === teamId)
}

export type HeldRule = ReturnType<typeof heldRule>

/** @param dueAt scheduled Unix time in milliseconds; null if no run is scheduled. */
function heldRule(transaction: Transaction<Tables>, runs: Runs, rule: AutomationRule, dueAt: number | null) {
  return {
    rule,
    dueAt,
    async save(changed: AutomationRule, now: number) {
      const { rule_id, ...row } = toRow(changed, now)
      await transaction.updateTable('automation_rule').set(row).where('rule_id', '=', rule_id).execute()
    },
    async remove() {
      await transaction.deleteFrom('automation_rule').where('rule_id', '=', rule.rule_id).execute()
    },
    addRun: (kind: TriggerKind, triggerId: string, input: string, now: number) =>
      runs.record(transaction, rule, kind, triggerId, input, now),
  }
}

function read({ document }: { document: string }): AutomationRule {
  return parseJson(document) as AutomationRule
}

export function toRow(rule: AutomationRule, now: number) {
  return {
    rule_id: rule.rule_id,
    account_id: Number(rule.account_id),
    document: stringifyJson(rule),
    http_post_trigger_id: rule.http_post_trigger_id ?? null,
    next_fire_at: nextFireOf(rule, now) ?? null,
  }
}

export async function fireIfDue(held: HeldRule | undefined, now: number): Promise<void> {
  if (!held || held.dueAt === null || held.dueAt > now) return
  const { rule } = held
  const input = stringifyJson({ cron_expr: rule.cron_expr, timezone: rule.timezone })
  await held.addRun('schedule', rule.schedule_trigger_id ?? '', input, now)
  await held.save(rule, now)
}

/**
 * Recomputes schedules whose next run is after `from` (Unix time in milliseconds), because these runs were computed while the clock was
 * ahead.
 */
export async function reschedule(rules: Rules, from: number, now: () => number): Promise<void> {
  const yieldToOthers = yieldingToOthers()
  for (const id of await rules.setFor(from)) {
    await rules.hold(id, async (held) => {
      if (!held) return
      const { rule, dueAt } = held
      // If a rule was changed after the clock was corrected, the next run is computed from the time of the change.
      const after = rule.updated_at <= now() ? Math.max(from, rule.updated_at) : from
      if (dueAt !== (nextFireOf(rule, after) ?? null)) await held.save(rule, after)
    })
    await yieldToOthers()
  }
}
