import type { Random } from '../support/random.ts'

export function pick<T>(random: Random, of: readonly T[]): T {
  return of[random(of.length)] as T
}

const TOKENS = [
  ...[
    '{"line":4000000000,"column":0}',
    '"sections":[],',
    '"mappings":"ACAA",',
    '"names":[1],',
    '[[[[[[[[',
    '{"30":0},',
  ],
  ...[';;;;;;;;;;', '\u0000', '\r\n', '--boundary', '../../', '%00', '\ud83d\ude00', '1e400', '-0', '9007199254740993'],
  ...[
    ' -> ',
    '    1:1:void a():2:2 -> b\n',
    'at a (a (a (',
    'FUNC ffffffff 0 0 x\n',
    'MODULE ',
    'PK\u0003\u0004',
    '\u007fELF',
  ],
]
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

/** Changes bytes in one to eight places: flips bits, inserts extreme numbers and tokens, and removes, repeats or grows pieces. */
export function mutateBytes(random: Random, original: Buffer): Buffer {
  let bytes = Buffer.from(original)
  for (let count = 1 + random(8); count > 0 && bytes.length > 0; count--) {
    const at = random(bytes.length)
    const length = 1 + random(Math.min(64, bytes.length - at))
    switch (random(7)) {
      case 0:
        bytes[at] = (bytes[at] as number) ^ (1 << random(8))
        break
      case 1:
        if (at + 4 <= bytes.length) bytes.writeUInt32LE(pick(random, EXTREMES), at)
        break
      case 2:
        if (at + 2 <= bytes.length) bytes.writeUInt16LE(pick(random, EXTREMES) & 0xffff, at)
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 4: {
        const piece = bytes.subarray(at, at + length)
        bytes = Buffer.concat([bytes.subarray(0, at), ...Array(1 + random(100)).fill(piece), bytes.subarray(at)])
        break
      }
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(random, TOKENS)), bytes.subarray(at)])
        break
      default:
        bytes = bytes.subarray(0, at)
    }
  }
  return bytes
}

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
const VALUES: readonly (() => unknown)[] = [
  ...[null, true, 0, -1, 1.5, 1e300, 2 ** 53, '', '\u0000', '\ud800', '\u202e', 'x'.repeat(5000), [], {}].map(
    (v) => () => v,
  ),
  ...[() => nested(100), () => nested(2000), () => Array(1000).fill('a'), () => ({ constructor: 1, toString: 2 })],
]

/** Replaces, adds or removes values somewhere in a document. */
export function mutateJson(random: Random, value: unknown): unknown {
  if (random(4) === 0 || typeof value !== 'object' || value === null) return pick(random, VALUES)()
  if (Array.isArray(value)) {
    const copy = [...value]
    const at = random(copy.length + 1)
    copy[at] = mutateJson(random, copy[at])
    return copy
  }
  const fields = Object.entries(value)
  const at = random(fields.length + 1)
  const [name, inner] = fields[at] ?? [pick(random, ['__proto__', 'constructor', 'x', '']), undefined]
  if (random(6) === 0) return Object.fromEntries(fields.filter((_, index) => index !== at))
  return { ...value, [name]: mutateJson(random, inner) }
}
