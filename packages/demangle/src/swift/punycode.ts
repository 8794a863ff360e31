import { unknown } from './node.ts'

/** Swift uses RFC 3492 with `_` as the delimiter and `A` to `J` for the digits 0 to 9. */
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700

export function decodePunycode(encoded: string): string {
  const delimiter = encoded.lastIndexOf('_')
  const output = [...encoded.slice(0, Math.max(0, delimiter))].map((letter) => letter.charCodeAt(0))
  let code = 128
  let position = 0
  let bias = 72
  for (let at = delimiter + 1; at < encoded.length; ) {
    const before = position
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(encoded[at++])
      position += digit * weight
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
      if (weight > 2 ** 31) unknown()
    }
    const length = output.length + 1
    bias = adapt(position - before, length, before === 0)
    code += Math.floor(position / length)
    position %= length
    if (code > 0x10ffff || (code >= 0xd880 && code < 0xe000)) unknown()
    // Swift uses surrogates to encode ASCII characters that symbols cannot contain.
    output.splice(position++, 0, code >= 0xd800 && code < 0xd880 ? code - 0xd800 : code)
  }
  return String.fromCodePoint(...output)
}

function digitOf(letter: string | undefined): number {
  if (letter !== undefined && letter >= 'a' && letter <= 'z') return letter.charCodeAt(0) - 97
  if (letter !== undefined && letter >= 'A' && letter <= 'J') return letter.charCodeAt(0) - 65 + 26
  return unknown()
}

function adapt(difference: number, length: number, isFirst: boolean): number {
  let delta = isFirst ? Math.floor(difference / DAMP) : Math.floor(difference / 2)
  delta += Math.floor(delta / length)
  let k = 0
  while (delta > ((BASE - T_MIN) * T_MAX) / 2) {
    delta = Math.floor(delta / (BASE - T_MIN))
    k += BASE
  }
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW))
}
