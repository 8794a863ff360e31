import { invalidParameter } from '../../platform/errors.ts'
import type { EscalationRuleCreate } from './schema.ts'

type Target = EscalationRuleCreate['layers'][number]['target']

/** Maximum total cost of all patterns in a rule. The cost of a pattern is its length with all repetitions expanded. */
const MAX_PATTERN_WORK = 10_000
/** Cost of a Unicode class such as `\pL`, which contains hundreds of ranges. */
const UNICODE_CLASS_WORK = 50

/**
 * Checks constraints that a schema cannot express: every layer must have a recipient and a notification method, and every pattern must
 * compile.
 * @throws ApiError with the name of the invalid field.
 */
export async function checkEscalationRule({
  layers,
  filters = [],
}: Pick<EscalationRuleCreate, 'layers' | 'filters'>): Promise<void> {
  for (const [nth, { target }] of layers.entries()) checkTarget(target, `layers[${nth}].target`)
  let work = 0
  for (const [nth, group] of filters.entries()) {
    for (const [position, { vals }] of group.entries()) {
      for (const [place, value] of vals.entries()) {
        const pattern = patternOf(value)
        if (pattern === undefined) continue
        work += workOf(pattern)
        await checkPattern(pattern, work, `filters[${nth}][${position}].vals[${place}]`)
      }
    }
  }
}

function checkTarget(target: Target, at: string): void {
  const { person_ids, team_ids, emails, schedule_to_role_ids, by, webhooks } = target
  const schedules = Object.keys(schedule_to_role_ids ?? {})
  if (![person_ids, team_ids, emails, schedules].some((ids) => ids && ids.length > 0)) {
    throw invalidParameter(at, {
      en: 'Set person_ids, team_ids, schedule_to_role_ids or emails.',
      zh: '至少需要 person_ids、team_ids、schedule_to_role_ids 或 emails 之一。',
    })
  }
  if (schedules.some((id) => !/^\d{1,19}$/.test(id))) throw invalidParameter(`${at}.schedule_to_role_ids`)
  const hasBy =
    by != null && (by.follow_preference === true || [by.critical, by.warning, by.info].some((names) => names?.length))
  if (!hasBy && !webhooks?.length) {
    throw invalidParameter(at, {
      en: 'Set `by` (follow_preference or channels for a severity) or `webhooks`.',
      zh: '至少需要 by（follow_preference 或某一级别的通知渠道）或 webhooks。',
    })
  }
}

/** Values between slashes are patterns. All other values are plain text. */
function patternOf(value: string): string | undefined {
  return value.length >= 2 && value.startsWith('/') && value.endsWith('/') ? value.slice(1, -1) : undefined
}

function workOf(pattern: string): number {
  const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d+))?/g)].map(([, least, most]) => Number(most ?? least))
  const classes = pattern.match(/\\p/gi)?.length ?? 0
  return repeats.reduce((sum, count) => sum + count, pattern.length + classes * UNICODE_CLASS_WORK)
}

/** Uses RE2, which matches any pattern in linear time. RE2 rejects some syntax, such as look-behind. */
async function checkPattern(pattern: string, work: number, at: string): Promise<void> {
  if (work > MAX_PATTERN_WORK) {
    throw invalidParameter(at, { en: 'The patterns in the rule are too large.', zh: '规则中的正则表达式过大。' })
  }
  // The library is large and few intakes need it, so it is loaded on first use.
  const { RE2JS } = await import('re2js')
  try {
    RE2JS.compile(pattern)
  } catch {
    throw invalidParameter(at, {
      en: 'The value is not a valid RE2 regular expression.',
      zh: '不是有效的 RE2 正则表达式。',
    })
  }
}
