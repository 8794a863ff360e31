import { randomInt } from 'node:crypto'
import type { Caller } from '../../platform/accounts/directory.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { nextNumber } from '../resource/object-id.ts'
import { nextFire } from './cron.ts'
import type { AutomationRuleItem } from './schema.ts'

type Computed = 'can_edit' | 'schedule_next_fire_at_ms' | 'http_post_trigger_url' | 'http_post_token' | 'run_scope'

/** A rule as the store keeps it. */
export interface AutomationRule extends Omit<AutomationRuleItem, Computed> {
  /** SHA-256 of the HTTP POST trigger's token, in hex. */
  http_post_token_sha256?: string
}

type Owned = Pick<AutomationRule, 'team_id' | 'owner_id'>

/** A personal rule is its owner's alone; a team rule its team's, and the account's admins'. */
export function canManage({ member }: Caller, { team_id, owner_id }: Owned): boolean {
  if (team_id === 0) return owner_id === member.id
  return member.isAdmin || member.teamIds.has(team_id)
}

/** Admins see all rules of the account, others theirs and those of their teams. Source: the service's specification, §2.2. */
export function canSee({ member }: Caller, { team_id, owner_id }: Owned): boolean {
  return member.isAdmin || owner_id === member.id || (team_id !== 0 && member.teamIds.has(team_id))
}

/** Unix milliseconds of the next scheduled run, undefined when there is none. */
export function nextFireOf(rule: AutomationRule, from: number): number | undefined {
  if (!rule.enabled || !rule.schedule_trigger_enabled) return undefined
  return nextFire(rule.cron_expr, rule.timezone, from)
}

/** A rule as a caller sees it; the token only where it was made just now. */
export function toItem(rule: AutomationRule, caller: Caller, now: number, token?: string): AutomationRuleItem {
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

/** @param letters 22 are as many as a UUID holds, 43 as a 256-bit key. */
export function randomId(prefix: string, letters = 22): string {
  return `${prefix}_${randomLetters(letters)}`
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Of rules made at one time the later has the greater id. */
export function newRuleId(): string {
  let letters = ''
  for (let rest = nextNumber(); rest > 0; rest = Math.floor(rest / ALPHABET.length))
    letters = `${ALPHABET[rest % ALPHABET.length]}${letters}`
  return `arule_${letters}${randomLetters(22 - letters.length)}`
}

export function uniqueIds(ids: readonly Int64[]): Int64[] {
  return [...new Set(ids)]
}
