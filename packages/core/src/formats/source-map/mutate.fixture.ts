import type { Random } from '../../../../../test/support/random.ts'

const TOKENS = [
  ...'{}[]",:\\ \n\t;-',
  ...['null', 'true', '0', '-1', '1.5e3', '4e9', '01', '.5', '1e', '"\\u0041"', '"\\x"', '\\"', '\\\\"', '\\\\\\"'],
  ...[
    '{"line":0,"column":0}',
    '{"line":4000000000,"column":0}',
    '"sections":[],',
    '"sections":null,',
    '"names":[1],',
    '"mappings":"AAAA",',
  ],
  ...[
    '"sources":[null],',
    '"\\u006dappings":";AAAA",',
    '"version":3,',
    '[[[[[[',
    '"sources":{},',
    '[]',
    '{}',
    '\u0000',
    'é',
    '\ud83d\ude00',
  ],
  ...['1,', '{},', 'null,', '"",', '[],'],
  ...['AAAA', 'AAAAA', 'A', 'DDDD', 'ggggggggA', '+/////D', '////////////', 'AC', ',', ';;', 'gB', '\\/', '\\u0041'],
]
const KEYS = [
  '"mappings"',
  '"sources"',
  '"sourcesContent"',
  '"names"',
  '"sections"',
  '"offset"',
  '"map"',
  '"line"',
  '"version"',
]

/** Makes a few random changes. Most are so small that the text often remains a source map. */
export function mutated(original: Buffer, random: Random): Buffer {
  let bytes = original
  for (let left = 1 + random(3); left > 0; left--) bytes = mutatedOnce(bytes, random)
  return bytes
}

function mutatedOnce(bytes: Buffer, random: Random): Buffer {
  const at = placeIn(bytes, random)
  const length = random(random(3) === 0 ? 2000 : 6)
  const before = bytes.subarray(0, at)
  const token = Buffer.from(TOKENS[random(TOKENS.length)] as string)
  switch (random(9)) {
    case 0: {
      const copy = Buffer.from(bytes)
      copy[at] = random(256)
      return copy
    }
    case 1:
      return Buffer.concat([before, bytes.subarray(at + length)])
    case 2:
      return Buffer.concat([before, bytes.subarray(at, at + length), bytes.subarray(at)])
    case 3:
      return random(4) === 0 ? before : Buffer.concat([before, token])
    case 4:
      return Buffer.concat([Buffer.from(random(2) === 0 ? '\uFEFF' : ")]}'\n"), bytes])
    case 5: {
      const [from, to] = [KEYS[random(KEYS.length)] as string, KEYS[random(KEYS.length)] as string]
      const key = bytes.indexOf(from, random(bytes.length))
      if (key === -1) return bytes
      const escaped = random(2) === 0 ? to : `"\\u00${to.charCodeAt(1).toString(16)}${to.slice(2)}`
      return Buffer.concat([bytes.subarray(0, key), Buffer.from(escaped), bytes.subarray(key + from.length)])
    }
    case 6:
      return Buffer.concat([before, token, bytes.subarray(at + token.length)])
    default:
      return Buffer.concat([before, token, bytes.subarray(at)])
  }
}

/** A random position: anywhere, in the mappings, or after a comma or brace, where new tokens fit. */
function placeIn(bytes: Buffer, random: Random): number {
  const anywhere = random(bytes.length)
  switch (random(4)) {
    case 0:
      return anywhere
    case 1: {
      const mappings = bytes.indexOf('"mappings":"', random(2) === 0 ? anywhere : 0)
      return mappings === -1 ? anywhere : Math.min(bytes.length, mappings + 12 + random(200))
    }
    default: {
      const fitting = bytes.indexOf(random(2) === 0 ? ',' : random(2) === 0 ? '{' : '[', anywhere)
      return fitting === -1 ? anywhere : fitting + 1
    }
  }
}
