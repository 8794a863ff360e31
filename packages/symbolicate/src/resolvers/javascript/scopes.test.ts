import { expect, it } from 'vitest'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { scopesOf } from './scopes.ts'

const SOURCE = `export function open(amount) {
  if (amount < 0) throw new RangeError()
}
const pay = (amount) => open(amount)
export function checkout() {
  return pay(-1)
}
`
const SCRIPT = 'function c(){if(-1<0)throw new RangeError}c()'
/** As a minifier writes it that inlines `open` and `pay`; `scopes` by Chrome's source-map-scopes-codec from the functions above. */
const MAP = {
  version: 3,
  sources: ['src/empty.ts', 'src/till.ts'],
  sourcesContent: ['', SOURCE],
  names: ['global', 'module', 'open', 'pay', 'checkout', 'function', 'amount', 'block', 'c', '-1'],
  mappings: 'ACIgB,qBAHE,MAAM',
  scopes:
    'BCAAA,CBA,BCAAC,DECC,BHAUEI,DE,BCAKE,CCA,CAB,BHBMCF,DA,CAY,BHBYCA,CCB,CBA,ECAC,GAAJ,EGKI,ECDD,GK,IBFJ,ECAF,GK,IBDY,Fc,FA,FB,FD',
}
const release = { service: 'shop', version: '1' }

async function explain(column: number, map: object = MAP) {
  const content = Buffer.from(JSON.stringify(map))
  const upload = {
    event: { type: 'js_sourcemap', ...release, minified_url: '/a.js', project_path: '', cli_version: '' },
    parts: [
      { name: 'source_map', fileName: 'a.js.map', path: 'a.js.map', bytes: content.length, content },
      { name: 'minified_file', fileName: 'a.js', path: 'a.js', bytes: SCRIPT.length, content: Buffer.from(SCRIPT) },
    ],
  }
  const stack = `RangeError\n    at c (https://h/a.js:1:${column})`
  const { frames } = await symbolicate({ stack, ...release }, artifactSourceOf([upload as never]))
  return frames[0]?.resolved
}

const INLINED = {
  function: 'checkout',
  file: 'src/till.ts',
  line: 6,
  column: 10,
  inlined: [
    { function: 'open', file: 'src/till.ts', line: 2, column: 25 },
    { function: 'pay', file: 'src/till.ts', line: 4, column: 25 },
  ],
}

it('names functions and the calls that were inlined', async () => {
  expect(await explain(28)).toMatchObject(INLINED)
  const atStart = await explain(12)
  expect(atStart).toMatchObject({ function: 'checkout', line: 5, column: 17 })
  expect(atStart?.inlined).toBeUndefined()
  const outside = await explain(44)
  expect(outside?.function).not.toBe('checkout')
})

it('reads those of sections', async () => {
  const { version, ...map } = MAP
  const moved = { version, sections: [{ offset: { line: 0, column: 0 }, map: { version, ...map } }] }
  expect(await explain(28, moved)).toMatchObject(INLINED)
})

it('shows which of the functions are a library’s', async () => {
  expect(await explain(28, { ...MAP, ignoreList: [1] })).toMatchObject({
    isIgnored: true,
    inlined: [{ isIgnored: true }, {}],
  })
})

it.each([
  ['cut off', MAP.scopes.slice(0, 60)],
  ['without ends', MAP.scopes.replaceAll(/,[CF][^,]*/g, '')],
  ['with ends only', ',C,C,F,F,FD'],
  ['of other letters', '!,%%%,B,E,I////////////'],
  ['with call sites that lead nowhere', 'EGAA,I/////D/////D////D,FgD'],
])('takes damaged scopes: %s', async (_, scopes) => {
  const resolved = await explain(28, { ...MAP, scopes })
  expect(resolved === null || typeof resolved?.line === 'number').toBe(true)
})

it('has nothing for a map without', () => {
  expect(scopesOf({ ...MAP, scopes: undefined })).toBeUndefined()
})
