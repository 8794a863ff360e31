import { Cron } from 'croner'
import { invalidParameter } from '../../platform/errors.ts'
import { isTimezone } from '../../platform/wire/timezone.ts'

interface Field {
  name: string
  least: number
  most: number
  /** Names for the numbers from `least`, such as `JAN`. */
  names?: readonly string[]
}

const HOUR: Field = { name: 'hour', least: 0, most: 23 }
const DAY: Field = { name: 'day', least: 1, most: 31 }
const MONTH: Field = {
  name: 'month',
  least: 1,
  most: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
}
const WEEKDAY: Field = {
  name: 'weekday',
  least: 0,
  most: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
}
const FIELDS = [HOUR, DAY, MONTH, WEEKDAY]

const ITEM = /^(?:(\*)|(\d{1,2}|[A-Z]{3})(?:-(\d{1,2}|[A-Z]{3}))?)(?:\/(\d{1,2}))?$/

/**
 * Normalizes `hour day month weekday` or `minute hour day month weekday` to five fields. The minute is a single number. Other fields use
 * cron syntax: `*`, numbers, names of months and weekdays, ranges, lists and steps (`1-5`, `1,15`, `MON`, `8-18/2`).
 * @throws ApiError that names `cron_expr` and the invalid field.
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
  const items = text
    .toUpperCase()
    .split(',')
    .map((item) => readItem(item, field))
  if (items.every((item) => item !== undefined)) return items.map(({ written }) => written).join(',')
  const { name, least, most } = field
  throw invalidParameter('cron_expr', {
    en: `The ${name} must be *, or numbers from ${least} to ${most} in cron syntax: 1-5, 1,15 or */2.`,
    zh: `字段 ${name} 必须是 *，或 ${least} 到 ${most} 之间的 cron 数值（如 1-5、1,15、*/2）。`,
  })
}

interface Item {
  written: string
  values: number[]
}

function readItem(text: string, { least, most, names = [] }: Field): Item | undefined {
  const [matched, star, first, last, stepText] = ITEM.exec(text) ?? []
  if (matched === undefined) return undefined
  const numberOf = (word: string) =>
    /^\d/.test(word) ? Number(word) : names.indexOf(word) < 0 ? -1 : names.indexOf(word) + least
  const from = star ? least : numberOf(first ?? '')
  // `8/2` begins at 8 and continues to the field's maximum.
  const to = star || (last === undefined && stepText !== undefined) ? most : last === undefined ? from : numberOf(last)
  const step = stepText === undefined ? 1 : Number(stepText)
  if (from < least || to > most || from > to || step < 1 || step > most) return undefined
  const plain = (word: string | undefined) => (word !== undefined && /^\d/.test(word) ? String(Number(word)) : word)
  const range = star ?? [plain(first), ...(last === undefined ? [] : [plain(last)])].join('-')
  const values = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, nth) => from + nth * step)
  return { written: stepText === undefined ? range : `${range}/${step}`, values }
}

/** @throws ApiError that names `timezone`. */
export function checkTimezone(timezone: string): string {
  if (isTimezone(timezone)) return timezone
  throw invalidParameter('timezone', { en: 'The value is not an IANA time zone.', zh: '不是有效的 IANA 时区。' })
}

/**
 * If both the day of the month and the weekday are restricted, a date may match either of them. If either field begins with `*`, the date
 * must match both fields.
 * @param expression from `normalizeCron`.
 * @returns the first time after `from` in Unix milliseconds; undefined for dates that never occur, such as 31 February.
 */
export function nextFire(expression: string, timezone: string, from: number): number | undefined {
  const [minute, ...rest] = expression.split(' ')
  const [, day = '*', , weekday = '*'] = rest
  const fields = FIELDS.map((field, nth) => numbersOf(rest[nth] ?? '*', field))
  const domAndDow = day.startsWith('*') || weekday.startsWith('*')
  if (domAndDow && !hasDay(rest)) return undefined
  const cron = new Cron([minute, ...fields].join(' '), { timezone, paused: true, domAndDow })
  return cron.nextRun(new Date(from))?.getTime()
}

const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** If no selected month contained a selected day, the cron library would search all future years. */
function hasDay([, day = '*', month = '*']: readonly string[]): boolean {
  const [days, months] = [valuesOf(day, DAY), valuesOf(month, MONTH)]
  return Math.min(...days) <= Math.max(...months.map((nth) => LONGEST[nth - 1] ?? 0))
}

function valuesOf(text: string, field: Field): number[] {
  return text.split(',').flatMap((item) => readItem(item, field)?.values ?? [])
}

/** Cron implementations agree only on numbers and `*`, so all other syntax is expanded. */
function numbersOf(text: string, field: Field): string {
  if (text === '*') return text
  return [...new Set(valuesOf(text, field).map((number) => (field === WEEKDAY ? number % 7 : number)))].join(',')
}
