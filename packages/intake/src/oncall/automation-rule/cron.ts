import { Cron } from 'croner'
import { invalidParameter } from '../../platform/errors.ts'

interface Field {
  name: string
  least: number
  most: number
}

const FIELDS: readonly Field[] = [
  { name: 'hour', least: 0, most: 23 },
  { name: 'day', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12 },
  { name: 'weekday', least: 0, most: 7 },
]

/** The cron library also accepts `L`, `W`, `#` and `?`, which are not standard. */
const ITEM = /^(?:\*|(?:\d{1,2}|[A-Z]{3})(?:-(?:\d{1,2}|[A-Z]{3}))?)(?:\/\d{1,2})?$/
/** The cron library accepts `8/2` (every second value from 8) only if sloppy ranges are enabled. */
const SYNTAX = { paused: true, sloppyRanges: true }
/**
 * Maximum time in milliseconds to search ahead for the next run. 29 February falls on each weekday at least once every 40 years. A longer
 * search would be slow for dates that never occur.
 */
const MAX_WAIT_MS = 41 * 366 * 86_400_000

/**
 * Normalizes `hour day month weekday` or `minute hour day month weekday` to five fields. The minute is a single number. Other fields use
 * cron syntax: `*`, numbers, month and weekday names, ranges, lists and steps (`1-5`, `1,15`, `MON`, `8-18/2`).
 * @throws ApiError for `cron_expr` if a field is invalid.
 */
export function normalizeCron(expression: string): string {
  const given = expression.trim().split(/\s+/)
  const [minute = '', ...rest] = given.length === FIELDS.length ? ['0', ...given] : given
  if (rest.length !== FIELDS.length) {
    throw invalidParameter('cron_expr', {
      en: 'The expression must have 4 fields (hour day month weekday) or 5 fields (minute hour day month weekday).',
      zh: '需要 4 个字段（时 日 月 周）或 5 个字段（分 时 日 月 周）。',
    })
  }
  if (!/^\d{1,2}$/.test(minute) || Number(minute) > 59) {
    throw invalidParameter('cron_expr', {
      en: 'The minute must be a single number from 0 to 59.',
      zh: '字段 minute 必须是 0 到 59 之间的一个数字。',
    })
  }
  return [Number(minute), ...FIELDS.map((field, nth) => normalizeField(rest[nth] ?? '', field))].join(' ')
}

function normalizeField(text: string, field: Field): string {
  const written = text.toUpperCase().replace(/\b0+(?=\d)/g, '')
  const alone = ['0', ...FIELDS.map((other) => (other === field ? written : '*'))].join(' ')
  if (written.split(',').every((item) => ITEM.test(item)) && isCron(alone)) return written
  const { name, least, most } = field
  throw invalidParameter('cron_expr', {
    en: `The ${name} must be *, or numbers from ${least} to ${most} in cron syntax: 1-5, 1,15 or */2.`,
    zh: `字段 ${name} 必须是 *，或 ${least} 到 ${most} 之间的 cron 数值（如 1-5、1,15、*/2）。`,
  })
}

function isCron(expression: string): boolean {
  try {
    new Cron(expression, SYNTAX)
    return true
  } catch {
    return false
  }
}

/**
 * If both the day of the month and the weekday are restricted, a date matches if either field matches. If either field begins with `*`,
 * both fields must match.
 * @param expression from `normalizeCron`.
 * @returns the first matching Unix time after `from`, in milliseconds; undefined for dates that never occur, such as 31 February.
 */
export function nextFire(expression: string, timezone: string, from: number): number | undefined {
  const [, , day = '*', , weekday = '*'] = expression.split(' ')
  const domAndDow = day.startsWith('*') || weekday.startsWith('*')
  const cron = new Cron(expression, { ...SYNTAX, timezone, domAndDow, stopAt: new Date(from + MAX_WAIT_MS) })
  return cron.nextRun(new Date(from))?.getTime()
}
