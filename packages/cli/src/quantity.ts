import { t } from '@symup/core/text'
import { InvalidArgumentError } from 'commander'

const DURATIONS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const SIZES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 }

/** Converts a duration such as `90d` to milliseconds. */
export function duration(text: string): number {
  return quantity(text, DURATIONS, t`a number followed by s, m, h or d, such as 90d`)
}

/** Converts a size such as `10gb` to bytes. */
export function size(text: string): number {
  return quantity(text.toLowerCase(), SIZES, t`a number followed by b, kb, mb, gb or tb, such as 10gb`)
}

function quantity(text: string, units: Readonly<Record<string, number>>, form: string): number {
  const [, count = '', name = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? []
  const unit = Object.hasOwn(units, name) ? units[name] : undefined
  if (unit === undefined) throw new InvalidArgumentError(t`Use ${form}.`)
  return Number(count) * unit
}
