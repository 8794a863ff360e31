import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { type Int64, parseJson, stringifyJson } from '../../platform/wire/int64.ts'
import { yieldingToOthers } from '../../platform/yielding.ts'
import { type AutomationRule, nextFireOf } from './rule.ts'
import type { Runs } from './runs.ts'
import type { TriggerKind } from './schema.ts'

/** The rules in the database. */
export interface Rules {
  of(accountId: number): Promise<AutomationRule[]>
  find(accountId: number, ruleId: string): Promise<AutomationRule | undefined>
  findByTrigger(triggerId: string): Promise<AutomationRule | undefined>
  /** Ids of the enabled ones whose schedule is to fire by `now`. */
  due(now: number): Promise<string[]>
  /** Ids of those whose schedule is set for a time after `now`. */
  setFor(now: number): Promise<string[]>
  /** Adds new rules; those that are there stay as they are. */
  add(rules: readonly AutomationRule[], now: number, on?: Kysely<Tables>): Promise<void>
  /** Writes rules, those that are there too; their runs stay. */
  put(rules: readonly AutomationRule[], now: number, on: Kysely<Tables>): Promise<void>
  remove(accountId: number, ruleId: string, on: Kysely<Tables>): Promise<void>
  /**
   * Works on one rule that nobody else changes, deletes or fires meanwhile, in one transaction: all of the work is kept, or, when it
   * throws, nothing.
   * @param work gets undefined when there is no such rule.
   */
  hold<T>(ruleId: string, work: (held: HeldRule | undefined) => Promise<T>): Promise<T>
}

export interface HeldRule {
  rule: AutomationRule
  /** Unix milliseconds for which its schedule was set; null when it is not to fire. */
  dueAt: number | null
  /** Writes the rule, and when its schedule fires next after `now`. */
  save(rule: AutomationRule, now: number): Promise<void>
  remove(): Promise<void>
  /** @returns the run's id. @param input what set it off, as JSON. */
  addRun(kind: TriggerKind, triggerId: string, input: string, now: number): Promise<string>
}

export function createRules({ db, forUpdate }: Database, runs: Runs): Rules {
  const rules = db.selectFrom('automation_rule').select('document')
  const nextFire = async (is: '<=' | '>', time: number) => {
    const found = db.selectFrom('automation_rule').select('rule_id').where('next_fire_at', is, time)
    return (await found.orderBy('rule_id').execute()).map(({ rule_id }) => rule_id)
  }
  return {
    of: async (accountId) => (await rules.where('account_id', '=', accountId).orderBy('rule_id').execute()).map(read),
    async find(accountId, ruleId) {
      const row = await rules.where('account_id', '=', accountId).where('rule_id', '=', ruleId).executeTakeFirst()
      return row && read(row)
    },
    async findByTrigger(triggerId) {
      const row = await rules.where('http_post_trigger_id', '=', triggerId).executeTakeFirst()
      return row && read(row)
    },
    due: (now) => nextFire('<=', now),
    setFor: (now) => nextFire('>', now),
    async add(added, now, on = db) {
      if (added.length === 0) return
      await on
        .insertInto('automation_rule')
        .values(added.map((rule) => toRow(rule, now)))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async put(written, now, on) {
      for (const rule of written) {
        const row = toRow(rule, now)
        await on
          .insertInto('automation_rule')
          .values(row)
          .onConflict((conflict) => conflict.column('rule_id').doUpdateSet(row))
          .execute()
      }
    },
    async remove(accountId, ruleId, on) {
      const rule = on.deleteFrom('automation_rule').where('account_id', '=', accountId)
      await rule.where('rule_id', '=', ruleId).execute()
    },
    hold(ruleId, work) {
      return db.transaction().execute(async (transaction) => {
        const query = transaction.selectFrom('automation_rule').select(['document', 'next_fire_at'])
        const row = await forUpdate(query.where('rule_id', '=', ruleId)).executeTakeFirst()
        return work(row && heldRule(transaction, runs, read(row), row.next_fire_at))
      })
    },
  }
}

/** Whether a rule of the account belongs to the team. */
export async function isOfTeam(on: Kysely<Tables>, accountId: number, teamId: Int64): Promise<boolean> {
  const rows = await on.selectFrom('automation_rule').select('document').where('account_id', '=', accountId).execute()
  return rows.map(read).some(({ team_id }) => team_id === teamId)
}

function heldRule(transaction: Transaction<Tables>, runs: Runs, rule: AutomationRule, dueAt: number | null): HeldRule {
  return {
    rule,
    dueAt,
    async save(changed, now) {
      const { rule_id, ...row } = toRow(changed, now)
      await transaction.updateTable('automation_rule').set(row).where('rule_id', '=', rule_id).execute()
    },
    async remove() {
      await transaction.deleteFrom('automation_rule').where('rule_id', '=', rule.rule_id).execute()
    },
    addRun: (...run) => runs.record(transaction, rule, ...run),
  }
}

function read({ document }: { document: string }): AutomationRule {
  return parseJson(document) as AutomationRule
}

function toRow(rule: AutomationRule, now: number) {
  return {
    rule_id: rule.rule_id,
    account_id: Number(rule.account_id),
    document: stringifyJson(rule),
    http_post_trigger_id: rule.http_post_trigger_id ?? null,
    next_fire_at: nextFireOf(rule, now) ?? null,
  }
}

/** Records the run of a schedule whose time has come, and sets the next time. */
export async function fireIfDue(held: HeldRule | undefined, now: number): Promise<void> {
  if (!held || held.dueAt === null || held.dueAt > now) return
  const { rule } = held
  const input = stringifyJson({ cron_expr: rule.cron_expr, timezone: rule.timezone })
  await held.addRun('schedule', rule.schedule_trigger_id ?? '', input, now)
  await held.save(rule, now)
}

/** Milliseconds that a clock which is put right may go back: what was fired a moment ago is not due once more. */
const MAX_STEP_BACK = 60_000

/** Sees when a clock goes back. */
export interface ClockWatch {
  /** Looks at the clock. @param maxStep milliseconds that it may go back. */
  look(maxStep?: number): void
  /** The earliest time that it went back to, in Unix milliseconds; undefined where it did not. Says so once. */
  take(): number | undefined
}

export function watchClock(now: () => number): ClockWatch {
  let last = now()
  let setBackTo: number | undefined
  return {
    look(maxStep = MAX_STEP_BACK) {
      const time = now()
      if (time < last - maxStep) setBackTo = Math.min(time, setBackTo ?? time)
      last = time
    },
    take() {
      const time = setBackTo
      setBackTo = undefined
      return time
    },
  }
}

/** Sets schedules that wait for a time after `from` (Unix milliseconds) as a clock that is there sets them: they were set by one that was ahead. */
export async function setAgain(rules: Rules, from: number, now: () => number): Promise<void> {
  const yieldToOthers = yieldingToOthers()
  for (const id of await rules.setFor(from)) {
    await rules.hold(id, async (held) => {
      if (!held) return
      const { rule, dueAt } = held
      // What was changed since, was set by the clock as it is.
      const after = rule.updated_at <= now() ? Math.max(from, rule.updated_at) : from
      if (dueAt !== (nextFireOf(rule, after) ?? null)) await held.save(rule, after)
    })
    await yieldToOthers()
  }
}
