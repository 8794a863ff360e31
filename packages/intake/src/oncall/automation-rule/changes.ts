import { digest } from '../../platform/accounts/keys.ts'
import { invalidParameter } from '../../platform/errors.ts'
import type { Resources } from '../resource/resources.ts'
import { checkTimezone, normalizeCron } from './cron.ts'
import { type AutomationRule, randomId, uniqueIds } from './rule.ts'
import type { AutomationRuleUpdate } from './schema.ts'

export type RuleChanges = Omit<AutomationRuleUpdate, 'rule_id'>

/**
 * The rule with changes made; what is absent stays as it is.
 * @returns the token too, where one was made: it is in no other place.
 * @throws ApiError naming the field that cannot be.
 */
export function changeRule(
  rule: AutomationRule,
  changes: RuleChanges,
  resources: Resources,
  now: number,
): { rule: AutomationRule; token?: string } {
  if (changes.team_id != null && changes.team_id !== rule.team_id) {
    throw invalidParameter('team_id', { en: 'It cannot change.', zh: '创建后不可更改。' })
  }
  const settled: AutomationRule = {
    ...rule,
    name: changes.name ?? rule.name,
    prompt: changes.prompt ?? rule.prompt,
    enabled: changes.enabled ?? rule.enabled,
    cron_expr: changes.cron_expr == null ? rule.cron_expr : normalizeCron(changes.cron_expr),
    timezone: changes.timezone == null ? rule.timezone : checkTimezone(changes.timezone),
    schedule_trigger_enabled: changes.schedule_trigger_enabled ?? rule.schedule_trigger_enabled,
    ...environment(rule, changes),
    ...oncallTrigger(rule, changes, resources),
    updated_at: now,
  }
  if (settled.schedule_trigger_enabled) settled.schedule_trigger_id ??= randomId('atrig')
  const { trigger, token } = httpPostTrigger(rule, changes)
  return { rule: { ...settled, ...trigger }, ...(token !== undefined && { token }) }
}

function environment(rule: AutomationRule, changes: RuleChanges) {
  const kind = changes.environment_kind ?? rule.environment_kind
  // Another kind is another place: the old runner does not go with it.
  const id = changes.environment_id ?? (kind === 'byoc' ? rule.environment_id : '')
  if (kind === 'byoc' && id === '') {
    throw invalidParameter('environment_id', { en: 'byoc needs the id of a runner.', zh: 'byoc 需要 runner ID。' })
  }
  if (kind !== 'byoc' && id !== '') {
    throw invalidParameter('environment_id', { en: 'Only byoc has a runner.', zh: '仅 byoc 可以指定 runner ID。' })
  }
  return { environment_kind: kind, environment_id: id }
}

function httpPostTrigger(rule: AutomationRule, changes: RuleChanges) {
  const isEnabled = changes.http_post_trigger_enabled ?? rule.http_post_trigger_enabled
  const isMissing = rule.http_post_trigger_id === undefined
  const needsToken = changes.rotate_http_post_trigger_token === true || (isEnabled && isMissing)
  const token = needsToken ? randomId('sat', 43) : undefined
  return {
    token,
    trigger: {
      http_post_trigger_enabled: isEnabled,
      ...(token !== undefined && {
        http_post_trigger_id: rule.http_post_trigger_id ?? randomId('atrig'),
        http_post_token_sha256: digest(token).toString('hex'),
      }),
    },
  }
}

function oncallTrigger(rule: AutomationRule, changes: RuleChanges, { channel: known }: Resources) {
  const isEnabled = changes.oncall_incident_trigger_enabled ?? rule.oncall_incident_trigger_enabled
  const channels = uniqueIds(changes.oncall_incident_channel_ids ?? rule.oncall_incident_channel_ids ?? [])
  const severities = [...new Set(changes.oncall_incident_severities ?? rule.oncall_incident_severities ?? [])]
  const unknown = changes.oncall_incident_channel_ids?.find((id) => !known.has(id))
  if (unknown !== undefined) {
    throw invalidParameter('oncall_incident_channel_ids', {
      en: `There is no channel ${unknown}.`,
      zh: `协作空间 ${unknown} 不存在。`,
    })
  }
  // A channel may have been deleted since it was named. What leaves the trigger as it is still may change the rest of the rule.
  const isWatched = changes.oncall_incident_trigger_enabled ? channels.some((id) => known.has(id)) : channels.length > 0
  if (isEnabled && !isWatched) throw invalidParameter('oncall_incident_channel_ids', NEEDS_ONE)
  if (isEnabled && severities.length === 0) throw invalidParameter('oncall_incident_severities', NEEDS_ONE)
  const id = rule.oncall_incident_trigger_id ?? (isEnabled ? randomId('atrig') : undefined)
  return {
    oncall_incident_trigger_enabled: isEnabled,
    ...(id !== undefined && { oncall_incident_trigger_id: id }),
    oncall_incident_channel_ids: channels,
    oncall_incident_severities: severities,
  }
}

const NEEDS_ONE = { en: 'The on-call trigger needs at least one.', zh: 'On-call 触发器至少需要一个。' }
