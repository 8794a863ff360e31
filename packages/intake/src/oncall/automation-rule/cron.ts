import { Cron } from 'croner'
import { invalidParameter } from '../../platform/errors.ts'
import { isTimezone } from '../../platform/wire/timezone.ts'

interface Field {
  name: string
  least: number
  most: number
  /** What it may be beside a number. */
  other?: RegExp
}

const MINUTE: Field = { name: 'minute', least: 0, most: 59 }
const FIELDS: readonly Field[] = [
  MINUTE,
  { name: 'hour', least: 0, most: 23, other: /^\*(?:\/(?:[1-9]|1\d|2[0-3]))?$/ },
  { name: 'day', least: 1, most: 31, other: /^\*$/ },
  { name: 'month', least: 1, most: 12, other: /^\*$/ },
  { name: 'weekday', least: 0, most: 7, other: /^\*$/ },
]

/**
 * `hour day month weekday` or `minute hour day month weekday` as five fields, each a single number or `*`, the hour also every n hours.
 * @throws ApiError naming `cron_expr` and the field that is wrong.
 */
export function normalizeCron(expression: string): string {
  const given = expression.trim().split(/\s+/)
  const fields = given.length === FIELDS.length - 1 ? ['0', ...given] : given
  if (fields.length !== FIELDS.length) {
    throw invalidParameter('cron_expr', {
      en: 'It needs 4 fields (hour day month weekday) or 5 (minute hour day month weekday).',
      zh: '需要 4 个字段（时 日 月 周）或 5 个字段（分 时 日 月 周）。',
    })
  }
  return FIELDS.map((field, nth) => normalizeField(fields[nth] ?? '', field)).join(' ')
}

function normalizeField(text: string, { name, least, most, other }: Field): string {
  if (other?.test(text)) return text
  const value = Number(text)
  if (/^\d{1,2}$/.test(text) && value >= least && value <= most) return String(value)
  throw invalidParameter('cron_expr', {
    en: `Its ${name} must be ${other ? `* or ` : ''}one number from ${least} to ${most}.`,
    zh: `字段 ${name} 必须是${other ? ' * 或' : ''} ${least} 到 ${most} 之间的一个数字。`,
  })
}

/** @throws ApiError naming `timezone`. */
export function checkTimezone(timezone: string): string {
  if (isTimezone(timezone)) return timezone
  throw invalidParameter('timezone', { en: 'It is no IANA time zone.', zh: '不是有效的 IANA 时区。' })
}

/** @returns Unix milliseconds of the first time after `from`; undefined when there is none, as on 31 February. */
export function nextFire(expression: string, timezone: string, from: number): number | undefined {
  const cron = new Cron(expression, { timezone, paused: true })
  return cron.nextRun(new Date(from))?.getTime()
}
