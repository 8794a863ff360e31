/** Number of hexadecimal digits that encode a `float`, a `double` and a `long double` (on x86). */
export const FLOAT_DIGITS = { f: 8, d: 16, e: 20 } as const

const SIGN = 0x8000
const DOUBLE_BIAS = 1023
const LONG_BIAS = 16383
const SUFFIX = { f: 'f', d: '', e: 'L' } as const

/** @returns the number as C's `printf("%a")` prints it, with the C++ suffix; undefined if the digits are invalid. */
export function printedFloat(type: keyof typeof FLOAT_DIGITS, digits: string): string | undefined {
  if (digits.length !== FLOAT_DIGITS[type] || !/^[0-9a-f]+$/.test(digits)) return undefined
  return (type === 'e' ? long(digits) : double(type === 'f' ? widened(digits) : digits)) + SUFFIX[type]
}

function widened(digits: string): string {
  const bits = Number.parseInt(digits, 16)
  const sign = bits >>> 31
  const exponent = (bits >>> 23) & 0xff
  const fraction = bits & 0x7fffff
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(0, bits)
  // Preserve the sign of NaN.
  if (exponent === 0xff) view.setBigUint64(0, (BigInt(sign * 0x800 + 0x7ff) << 52n) | (BigInt(fraction) << 29n))
  else view.setFloat64(0, view.getFloat32(0))
  return view.getBigUint64(0).toString(16).padStart(16, '0')
}

function double(digits: string): string {
  const top = Number.parseInt(digits.slice(0, 3), 16)
  const exponent = top & 0x7ff
  const fraction = digits.slice(3)
  const sign = top & 0x800 ? '-' : ''
  const isZero = /^0+$/.test(fraction)
  if (exponent === 0x7ff) return sign + (isZero ? 'inf' : 'nan')
  if (exponent === 0) return sign + (isZero ? '0x0p+0' : hexadecimal('0', fraction, 1 - DOUBLE_BIAS))
  return sign + hexadecimal('1', fraction, exponent - DOUBLE_BIAS)
}

/** The x86 `long double` stores the leading bit explicitly, so four bits precede the radix point. */
function long(digits: string): string {
  const top = Number.parseInt(digits.slice(0, 4), 16)
  const exponent = top & (SIGN - 1)
  const mantissa = digits.slice(4)
  const sign = top & SIGN ? '-' : ''
  if (exponent === SIGN - 1) return sign + (/^80+$/.test(mantissa) ? 'inf' : 'nan')
  if (exponent === 0 && /^0+$/.test(mantissa)) return `${sign}0x0p+0`
  if (exponent > 0 && mantissa < '8') return `${sign}nan`
  return sign + hexadecimal(mantissa.slice(0, 1), mantissa.slice(1), Math.max(exponent, 1) - LONG_BIAS - 3)
}

function hexadecimal(whole: string, fraction: string, exponent: number): string {
  const rest = fraction.replace(/0+$/, '')
  return `0x${whole}${rest === '' ? '' : `.${rest}`}p${exponent < 0 ? '' : '+'}${exponent}`
}
