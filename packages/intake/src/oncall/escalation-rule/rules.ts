import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { notFound } from '../../platform/errors.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { type Int64, parseJson, stringifyJson } from '../../platform/wire/int64.ts'
import { objectId } from '../resource/object-id.ts'
import { applySeed } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import { checkEscalationRule } from './check.ts'
import type { EscalationRuleCreate, EscalationRuleItem } from './schema.ts'

type Defaults = Pick<EscalationRuleItem, 'priority' | 'aggr_window' | 'description' | 'time_filters' | 'filters'>

/** Updates replace the whole rule, so omitted fields are reset to their defaults. */
export const DEFAULTS: Defaults = { priority: 0, aggr_window: 0, description: '', time_filters: [], filters: [] }

export async function escalationRulesOf(
  { db }: Database,
  accountId: number,
  channelId: Int64,
): Promise<EscalationRuleItem[]> {
  const rows = await db
    .selectFrom('escalation_rule')
    .select('document')
    .where('account_id', '=', accountId)
    .where('channel_id', '=', String(channelId))
    .execute()
  return rows.map(read).sort((a, b) => a.priority - b.priority || (a.rule_id < b.rule_id ? -1 : 1))
}

export async function findEscalationRule(
  { db }: Pick<Database, 'db'>,
  accountId: number,
  channelId: Int64,
  ruleId: string,
  held: Database['forUpdate'] = (query) => query,
): Promise<EscalationRuleItem> {
  const found = db
    .selectFrom('escalation_rule')
    .select('document')
    .where('account_id', '=', accountId)
    .where('channel_id', '=', String(channelId))
    .where('rule_id', '=', ruleId.toLowerCase())
  const row = await held(found).executeTakeFirst()
  if (!row) throw notFound('rule_id', ruleId)
  return read(row)
}

/** Removes secrets, because rules that were stored by older versions may contain webhook secrets. */
function read({ document }: { document: string }): EscalationRuleItem {
  return withoutSecrets(parseJson(document) as EscalationRuleItem)
}

/** Webhook secrets are not stored, because the intake sends no notifications. */
function rowOf(rule: EscalationRuleItem): Tables['escalation_rule'] {
  const { account_id, channel_id, rule_id } = rule
  const document = stringifyJson(withoutSecrets(rule))
  return { account_id: Number(account_id), channel_id: String(channel_id), rule_id, document }
}

/** @throws ApiError ResourceNotFound */
export async function changeEscalationRule(
  { db, forUpdate }: Database,
  accountId: number,
  channelId: Int64,
  ruleId: string,
  change: (old: EscalationRuleItem) => EscalationRuleItem,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const old = await findEscalationRule({ db: transaction }, accountId, channelId, ruleId, forUpdate)
    const { document, ...place } = rowOf(change(old))
    await transaction
      .updateTable('escalation_rule')
      .set({ document })
      .where((eb) => eb.and(place))
      .execute()
  })
}

/**
 * @returns the id and name of the new rule.
 * @throws ApiError with the name of the invalid field.
 */
export async function addEscalationRule(
  on: Kysely<Tables>,
  accountId: number,
  given: EscalationRuleCreate,
  createdBy: Int64,
  now: number,
): Promise<{ rule_id: string; rule_name: string }> {
  await checkEscalationRule(given)
  const seconds = Math.floor(now / 1000)
  const rule: EscalationRuleItem = {
    ...DEFAULTS,
    ...given,
    rule_id: objectId(now),
    account_id: accountId,
    status: 'enabled',
    updated_by: createdBy,
    created_at: seconds,
    updated_at: seconds,
  }
  await on.insertInto('escalation_rule').values(rowOf(rule)).execute()
  const { rule_id, rule_name } = rule
  return { rule_id, rule_name }
}

export async function isNotified(
  on: Kysely<Tables>,
  accountId: number,
  isWanted: (target: EscalationRuleItem['layers'][number]['target']) => boolean | undefined,
): Promise<boolean> {
  const rows = await on.selectFrom('escalation_rule').select('document').where('account_id', '=', accountId).execute()
  return rows.map(read).some(({ layers }) => layers.some(({ target }) => isWanted(target)))
}

/**
 * Deletes one rule, or all rules of a channel.
 * @returns the number of deleted rules.
 */
export async function removeEscalationRules(
  on: Kysely<Tables>,
  accountId: number,
  channelId: Int64,
  ruleId?: string,
): Promise<number> {
  let rules = on.deleteFrom('escalation_rule').where('account_id', '=', accountId)
  rules = rules.where('channel_id', '=', String(channelId))
  if (ruleId !== undefined) rules = rules.where('rule_id', '=', ruleId.toLowerCase())
  const { numDeletedRows } = await rules.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export function seedEscalationRules(database: Database, seed: Seed, now: number): Promise<void> {
  const seconds = Math.floor(now / 1000)
  return applySeed(database, seed, {
    table: 'escalation_rule',
    kind: 'escalation_rule',
    key: ['account_id', 'channel_id', 'rule_id'],
    place(id) {
      const [channel_id = '', rule_id = ''] = id.split('/')
      return { channel_id, rule_id }
    },
    entriesOf: ({ account_id, members, escalation_rules = [] }) =>
      escalation_rules.map((entry) => {
        const row = rowOf({
          ...DEFAULTS,
          status: 'enabled',
          ...entry,
          rule_id: entry.rule_id.toLowerCase(),
          account_id,
          updated_by: members[0]?.person_id ?? 0,
          created_at: seconds,
          updated_at: seconds,
        })
        return { id: `${row.channel_id}/${row.rule_id}`, entry, row }
      }),
  })
}
