const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** In powers of 1024: `812 B`, `3.4 KiB`. */
export function bytes(value: number): string {
  let unit = 0
  let left = value
  while (left >= 1024 && unit < UNITS.length - 1) {
    left /= 1024
    unit++
  }
  return `${unit === 0 ? left : left.toFixed(1)} ${UNITS[unit]}`
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' })

export function time(milliseconds: number): string {
  return TIME.format(milliseconds)
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
}
