import { LANGUAGE } from './words.ts'

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** Formats a size in powers of 1024, such as `812 B` or `3.4 KiB`. */
export function bytes(value: number): string {
  let unit = 0
  let left = Math.abs(value)
  while (left >= 1024 && unit < UNITS.length - 1) {
    left /= 1024
    unit++
  }
  return `${value < 0 ? '−' : ''}${unit === 0 ? left : left.toFixed(1)} ${UNITS[unit]}`
}

export function difference(value: number): string {
  return value === 0 ? '0 B' : `${value > 0 ? '+' : ''}${bytes(value)}`
}

const TIME = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' })
const CLOCK = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'medium' })
const AGE = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto', style: 'short' })

export function time(milliseconds: number): string {
  return TIME.format(milliseconds)
}

/** The date is omitted, because the page shows only recent times. */
export function clock(milliseconds: number): string {
  return CLOCK.format(milliseconds)
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** Formats a time relative to now, such as `5 min. ago`. */
export function age(milliseconds: number): string {
  const passed = Math.max(0, Date.now() - milliseconds)
  const [unit, step] = STEPS.find(([, least]) => passed >= least) ?? ['second', 1000]
  return AGE.format(-Math.floor(passed / step), unit)
}
