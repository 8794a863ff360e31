import { RE2JS } from 're2js'
import { invalidParameter } from '../errors.ts'
import type { EscalationRuleUpdate } from '../resources/escalation-rule.ts'

type Target = EscalationRuleUpdate['layers'][number]['target']

const LONGEST_PATTERN = 1000

/**
 * What the schema cannot say of an update: every layer reaches somebody somehow, and every pattern compiles.
 * @throws ApiError naming the field.
 */
export function checkEscalationRule({ layers, filters = [] }: EscalationRuleUpdate): void {
  for (const [nth, { target }] of layers.entries()) checkTarget(target, `layers[${nth}].target`)
  for (const [nth, group] of filters.entries()) {
    for (const [position, { vals }] of group.entries()) {
      for (const [place, value] of vals.entries()) checkPattern(value, `filters[${nth}][${position}].vals[${place}]`)
    }
  }
}

function checkTarget(target: Target, at: string): void {
  const { person_ids, team_ids, emails, schedule_to_role_ids, by, webhooks } = target
  const schedules = Object.keys(schedule_to_role_ids ?? {})
  if (![person_ids, team_ids, emails, schedules].some((ids) => ids && ids.length > 0)) {
    throw invalidParameter(at, {
      en: 'It needs person_ids, team_ids, schedule_to_role_ids or emails.',
      zh: '至少需要 person_ids、team_ids、schedule_to_role_ids 或 emails 之一。',
    })
  }
  if (schedules.some((id) => !/^\d{1,19}$/.test(id))) throw invalidParameter(`${at}.schedule_to_role_ids`)
  const hasBy =
    by != null && (by.follow_preference === true || [by.critical, by.warning, by.info].some((names) => names?.length))
  if (!hasBy && !webhooks?.length) {
    throw invalidParameter(at, {
      en: 'It needs by (follow_preference or channels of a severity) or webhooks.',
      zh: '至少需要 by（follow_preference 或某一级别的通知渠道）或 webhooks。',
    })
  }
}

/** RE2 matches in linear time, whatever the pattern; what it does not know, such as look-behind, is refused. */
function checkPattern(value: string, at: string): void {
  if (value.length < 2 || !value.startsWith('/') || !value.endsWith('/')) return
  try {
    if (value.length > LONGEST_PATTERN) throw new Error('too long')
    RE2JS.compile(value.slice(1, -1))
  } catch {
    throw invalidParameter(at, { en: 'It is no regular expression of RE2.', zh: '不是有效的 RE2 正则表达式。' })
  }
}
