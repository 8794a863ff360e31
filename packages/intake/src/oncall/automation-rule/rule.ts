import { randomInt } from 'node:crypto'
import type { Account, Caller } from '../../platform/accounts/directory.ts'
import { digest } from '../../platform/accounts/keys.ts'
import { invalidParameter, noTeam } from '../../platform/errors.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { nextNumber } from '../resource/object-id.ts'
import type { Resources } from '../resource/resources.ts'
import { nextFire, normalizeCron } from './cron.ts'
import type { AutomationRuleCreate, AutomationRuleUpdate, SeededAutomationRule, Severity } from './schema.ts'

export interface AutomationRule {
  rule_id: string
  account_id: Int64
  team_id: Int64
  owner_id: Int64
  name: string
  enabled: boolean
  cron_expr: string
  timezone: string
  prompt: string
  environment_kind: '' | 'cloud' | 'byoc'
  environment_id: string
  schedule_trigger_id?: string
  schedule_trigger_enabled: boolean
  http_post_trigger_id?: string
  http_post_trigger_enabled: boolean
  /** SHA-256 hash of the token for the HTTP POST trigger, in hex. */
  http_post_token_sha256?: string
  oncall_incident_trigger_id?: string
  oncall_incident_trigger_enabled: boolean
  oncall_incident_channel_ids?: Int64[]
  oncall_incident_severities?: Severity[]
  /** Unix time in milliseconds. */
  created_at: number
  updated_at: number
}

type Owned = Pick<AutomationRule, 'team_id' | 'owner_id'>

/** Only the owner can manage a personal rule. Team members and the account's admins can manage a team rule. */
export function canManage({ member }: Caller, { team_id, owner_id }: Owned): boolean {
  if (team_id === 0) return owner_id === member.id
  return member.isAdmin || member.teamIds.has(team_id)
}

/**
 * Admins see all rules in the account. Other members see their own rules and the rules of their teams. Source: the service's specification,
 * §2.2.
 */
export function canSee({ member }: Caller, { team_id, owner_id }: Owned): boolean {
  return member.isAdmin || owner_id === member.id || (team_id !== 0 && member.teamIds.has(team_id))
}

/** @returns the Unix time of the next scheduled run, in milliseconds; undefined if no run is scheduled. */
export function nextFireOf(rule: AutomationRule, from: number): number | undefined {
  if (!rule.enabled || !rule.schedule_trigger_enabled) return undefined
  return nextFire(rule.cron_expr, rule.timezone, from)
}

/** The response contains the token only if the token has just been created. */
export function toItem(rule: AutomationRule, caller: Caller, now: number, token?: string) {
  const { http_post_token_sha256: _, ...shown } = rule
  const trigger = rule.http_post_trigger_id
  return {
    ...shown,
    run_scope: rule.team_id === 0 ? 'person' : 'team',
    ...(trigger !== undefined && { http_post_trigger_url: `/safari/automation/triggers/${trigger}/fire` }),
    ...(token !== undefined && { http_post_token: token }),
    can_edit: canManage(caller, rule),
    schedule_next_fire_at_ms: nextFireOf(rule, now) ?? 0,
  }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** @param letters number of letters. 22 letters contain as much entropy as a UUID, and 43 as much as a 256-bit key. */
function randomId(prefix: string, letters = 22): string {
  return `${prefix}_${randomLetters(letters)}`
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Creates ids in ascending order, even if several rules are created in the same millisecond. */
function newRuleId(): string {
  let letters = ''
  for (let rest = nextNumber(); rest > 0; rest = Math.floor(rest / ALPHABET.length))
    letters = `${ALPHABET[rest % ALPHABET.length]}${letters}`
  return `arule_${letters}${randomLetters(22 - letters.length)}`
}

type RuleChanges = Omit<AutomationRuleUpdate, 'rule_id'>

/**
 * Applies changes to a rule. Absent fields are not changed.
 * @returns the changed rule, and the token if a new one was created. The intake stores only the token's hash.
 * @throws ApiError with the name of the invalid field.
 */
export function changeRule(
  rule: AutomationRule,
  changes: RuleChanges,
  resources: Resources,
  now: number,
): { rule: AutomationRule; token?: string } {
  if (changes.team_id != null && changes.team_id !== rule.team_id) {
    throw invalidParameter('team_id', { en: 'The value cannot be changed.', zh: '创建后不可更改。' })
  }
  const settled: AutomationRule = {
    ...rule,
    name: changes.name ?? rule.name,
    prompt: changes.prompt ?? rule.prompt,
    enabled: changes.enabled ?? rule.enabled,
    cron_expr: changes.cron_expr == null ? rule.cron_expr : normalizeCron(changes.cron_expr),
    timezone: changes.timezone ?? rule.timezone,
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
  // Only `byoc` rules can use a runner, so changing the kind removes the runner.
  const id = changes.environment_id ?? (kind === 'byoc' ? rule.environment_id : '')
  if (kind === 'byoc' && id === '') {
    throw invalidParameter('environment_id', { en: 'byoc requires a runner id.', zh: 'byoc 需要 runner ID。' })
  }
  if (kind !== 'byoc' && id !== '') {
    throw invalidParameter('environment_id', {
      en: 'A runner id is allowed only for byoc.',
      zh: '仅 byoc 可以指定 runner ID。',
    })
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
  const channels = [...new Set(changes.oncall_incident_channel_ids ?? rule.oncall_incident_channel_ids ?? [])]
  const severities = [...new Set(changes.oncall_incident_severities ?? rule.oncall_incident_severities ?? [])]
  const unknown = changes.oncall_incident_channel_ids?.find((id) => !known.has(id))
  if (unknown !== undefined) {
    throw invalidParameter('oncall_incident_channel_ids', {
      en: `Channel not found: ${unknown}.`,
      zh: `协作空间 ${unknown} 不存在。`,
    })
  }
  // A channel may have been deleted since the trigger was set. Changes that do not affect the trigger are still allowed.
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

const NEEDS_ONE = { en: 'The on-call trigger requires at least one value.', zh: 'On-call 触发器至少需要一个。' }

/**
 * Creates a rule for a person or a team. As in the hosted service, a new rule is disabled by default, but its schedule is enabled.
 * @returns the rule, and the token if it has an HTTP POST trigger.
 * @throws ApiError with the name of the invalid field.
 */
export function createRule(
  { team_id, ...given }: AutomationRuleCreate,
  ownerId: Int64,
  accountId: Int64,
  resources: Resources,
  now: number,
): { rule: AutomationRule; token?: string } {
  const team = team_id ?? 0
  if (team !== 0 && !resources.team.has(team)) throw noTeam('team_id', team)
  const blank: AutomationRule = {
    rule_id: newRuleId(),
    account_id: accountId,
    team_id: team,
    owner_id: ownerId,
    name: given.name,
    enabled: false,
    cron_expr: '0 0 * * *',
    timezone: 'UTC',
    prompt: given.prompt,
    environment_kind: '',
    environment_id: '',
    schedule_trigger_id: randomId('atrig'),
    schedule_trigger_enabled: true,
    http_post_trigger_enabled: false,
    oncall_incident_trigger_enabled: false,
    created_at: now,
    updated_at: now,
  }
  return changeRule(blank, given, resources, now)
}

/**
 * Unlike other new rules, rules from a seed are enabled by default.
 * @throws ApiError with the name of the invalid field.
 */
export function seededRule(
  seeded: SeededAutomationRule,
  account: Account,
  resources: Resources,
  now: number,
): AutomationRule {
  const { rule_id, owner_id, http_post_token: token, ...rest } = seeded
  const { schedule_trigger_id, http_post_trigger_id, oncall_incident_trigger_id, ...given } = rest
  const { rule } = createRule({ ...given, enabled: given.enabled ?? true }, owner_id, account.id, resources, now)
  return {
    ...rule,
    rule_id,
    ...(schedule_trigger_id && { schedule_trigger_id }),
    ...(http_post_trigger_id && { http_post_trigger_id }),
    ...(oncall_incident_trigger_id && { oncall_incident_trigger_id }),
    ...(token && { http_post_token_sha256: digest(token).toString('hex') }),
  }
}
