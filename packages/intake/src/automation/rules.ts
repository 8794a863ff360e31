import type { Store } from '../store/store.ts'
import { parseJson, stringifyJson } from '../wire/int64.ts'
import { type AutomationRule, nextFireOf } from './rule.ts'

/** The rules in the store. */
export interface Rules {
  of(accountId: number): Promise<AutomationRule[]>
  find(accountId: number, ruleId: string): Promise<AutomationRule | undefined>
  findByTrigger(triggerId: string): Promise<AutomationRule | undefined>
  /** Enabled ones whose schedule is to fire by `now`. */
  due(now: number): Promise<AutomationRule[]>
  /** @returns whether it is this intake that fires a rule that is due; of several that share the store one is told so. */
  claim(rule: AutomationRule, now: number): Promise<boolean>
  /** Writes a rule, new or not, and when its schedule fires next after `now`. */
  save(rule: AutomationRule, now: number): Promise<void>
  saveNew(rules: readonly AutomationRule[], now: number): Promise<void>
  remove(accountId: number, ruleId: string): Promise<void>
  /** Passes over what was due while nothing ran. Where others may run, what came due just now is theirs. */
  reschedule(now: number): Promise<void>
}

/** By when one of several intakes has fired what is due. */
const FIRED_BY_OTHERS_MS = 60_000

export function createRules({ db, database }: Store): Rules {
  const rules = db.selectFrom('automation_rule').select('document')
  const read = ({ document }: { document: string }) => parseJson(document) as AutomationRule
  const toRow = (rule: AutomationRule, now: number) => ({
    rule_id: rule.rule_id,
    account_id: Number(rule.account_id),
    document: stringifyJson(rule),
    http_post_trigger_id: rule.http_post_trigger_id ?? null,
    next_fire_at: nextFireOf(rule, now) ?? null,
  })
  const save = async (rule: AutomationRule, now: number) => {
    const row = toRow(rule, now)
    const insert = db.insertInto('automation_rule').values(row)
    await insert.onConflict((conflict) => conflict.column('rule_id').doUpdateSet(row)).execute()
  }
  return {
    save,
    of: async (accountId) => (await rules.where('account_id', '=', accountId).orderBy('rule_id').execute()).map(read),
    async find(accountId, ruleId) {
      const row = await rules.where('account_id', '=', accountId).where('rule_id', '=', ruleId).executeTakeFirst()
      return row && read(row)
    },
    async findByTrigger(triggerId) {
      const row = await rules.where('http_post_trigger_id', '=', triggerId).executeTakeFirst()
      return row && read(row)
    },
    async claim(rule, now) {
      const claimed = await db
        .updateTable('automation_rule')
        .set({ next_fire_at: nextFireOf(rule, now) ?? null })
        .where('rule_id', '=', rule.rule_id)
        .where('next_fire_at', '<=', now)
        .returning('rule_id')
        .execute()
      return claimed.length > 0
    },
    due: async (now) => (await rules.where('next_fire_at', '<=', now).execute()).map(read),
    async saveNew(seeded, now) {
      if (seeded.length === 0) return
      const rows = seeded.map((rule) => toRow(rule, now))
      await db
        .insertInto('automation_rule')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async remove(accountId, ruleId) {
      await db.deleteFrom('automation_rule').where('account_id', '=', accountId).where('rule_id', '=', ruleId).execute()
    },
    async reschedule(now) {
      const latest = database.kind === 'postgres' ? now - FIRED_BY_OTHERS_MS : Number.MAX_SAFE_INTEGER
      for (const rule of (await rules.where('next_fire_at', '<=', latest).execute()).map(read)) await save(rule, now)
    },
  }
}
