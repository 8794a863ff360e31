import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openBinary, readWasmLayout } from '@symup/core/internal'
import { describe, expect, it } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { parseStack } from './parse-stack.ts'

const WASM = resolve(import.meta.dirname, '../../../../../fixtures/symbols/wasm')
const A = 'https://h/a.js'
const at = (line: number, column?: number, name?: string) => ({
  ...(name !== undefined && { function: name }),
  file: A,
  line,
  ...(column !== undefined && { column }),
})

/** As the engines write them: V8 12, SpiderMonkey 115 and 128, JavaScriptCore of Safari 5 to 17. */
it.each<[string, object]>([
  [`at eval (eval at pay (${A}:10:15), <anonymous>:1:1)`, { ...at(10, 15, 'eval'), isEvaluated: true }],
  [`at f (eval at <anonymous> (eval at pay (${A}:10:15)), <anonymous>:3:9)`, { ...at(10, 15, 'f'), isEvaluated: true }],
  [`at new Function (<anonymous>)`, { function: 'Function' }],
  [`at async pay (${A}:1:2)`, at(1, 2, 'pay')],
  [`at async ${A}:1:2`, at(1, 2)],
  ['at async Promise.all (index 0)', { function: 'Promise.all' }],
  [`f@${A} line 5 > eval:1:1`, { ...at(5, undefined, 'f'), isEvaluated: true }],
  [`@${A} line 5 > eval line 1 > Function:2:3`, { ...at(5), isEvaluated: true }],
  [`async*pay@${A}:1:2`, at(1, 2, 'pay')],
  [`setTimeout handler*pay/<@${A}:1:2`, at(1, 2, 'pay')],
  [`promise callback*@${A}:1:2`, at(1, 2)],
  [`EventListener.handleEvent*pay@${A}:1:2`, at(1, 2, 'pay')],
  [`${A}:1:2`, at(1, 2)],
  ['index.ios.bundle:3:4', { file: 'index.ios.bundle', line: 3, column: 4 }],
  ['map@[native code]', { function: 'map' }],
  ['f.wasm-function[3]@[wasm code]', { function: 'f.wasm-function[3]' }],
  [
    'at shop::pay(int) (https://h/a.wasm:wasm-function[12]:0x1a2b)',
    {
      function: 'shop::pay(int)',
      file: 'https://h/a.wasm',
      module: 'https://h/a.wasm',
      address: '0x1a2b',
      wasmFunction: 12,
    },
  ],
  [
    'at https://h/a.wasm:wasm-function[3]:0x1f',
    { file: 'https://h/a.wasm', module: 'https://h/a.wasm', address: '0x1f', wasmFunction: 3 },
  ],
  [
    'pay@https://h/a.wasm:wasm-function[3]:0x1f',
    { function: 'pay', file: 'https://h/a.wasm', module: 'https://h/a.wasm', address: '0x1f', wasmFunction: 3 },
  ],
])('%s', (raw, expected) => expect(parseStack(`Error: x\n    ${raw}`)).toEqual([{ raw, ...expected }]))

it.each(['see https://h/a.js', 'mail me@shop.example: now', 'took 3:15:10', 'at the office', 'Error: x > eval:1:1'])(
  'a message such as "%s" is not a frame',
  (line) => expect(parseStack(line)).toEqual([]),
)

describe('frames through a map', () => {
  const map = {
    version: 3,
    sources: ['lib/a.js', 'src/b.js'],
    sourcesContent: ['one', 'two'],
    names: [],
    mappings: 'AAAA;ACAA',
    ignoreList: [0],
  }
  const place = { service: 's', version: '1', path: '/a.js', contentKey: 'a' }
  const artifact = {
    ...place,
    readMap: async () => Buffer.from(JSON.stringify(map)),
    readScript: async () => undefined,
  }
  const source = { ...artifactSourceOf([]), findScripts: async () => [artifact] }
  const ask = (stack: string) => symbolicate({ stack, service: 's', version: '1' }, source)

  it('says what is in the ignoreList, and what eval made', async () => {
    const { frames } = await ask(
      `f@${A}:1:1\n@${A}:2:1\nat eval (eval at pay (${A}:2:1), <anonymous>:1:1)\n@${A} line 1 > eval:1:1`,
    )
    expect(frames.map(({ resolved }) => resolved?.isIgnored)).toEqual([true, undefined, undefined, undefined])
    expect(frames[2]).toMatchObject({ resolved: { file: 'src/b.js', line: 1 }, note: expect.stringContaining('eval') })
    expect(frames[3]?.reason).toMatchObject({ code: 'no-position', message: expect.stringContaining('eval') })
  })
})

describe('WebAssembly', () => {
  const path = join(WASM, 'debug-O2.wasm')
  const { code, buildId = '' } = readWasmLayout(openBinary(path))
  const source: ArtifactSource = {
    ...artifactSourceOf([]),
    findNative: async (id) => (id === buildId ? { contentKey: id, open: () => openBinary(path) } : undefined),
    findNativeNamed: async (name) => (name === 'shop.wasm' ? [{ id: buildId, service: 's', version: '1' }] : []),
  }

  it('resolves addresses from the start of the module, by its name or by the id of the event', async () => {
    const { frames: expected, at: addresses } = JSON.parse(readFileSync(`${path}.expected.json`, 'utf8'))
    const [address, index] = addresses.find(([, it]: number[]) => expected[it as number].length > 1)
    const offset = `0x${(address + (code?.offset ?? 0)).toString(16)}`
    const stack = `at https://h/shop.wasm:wasm-function[3]:${offset}\nat https://h/cdn/9f.wasm:wasm-function[3]:${offset}`
    const debugIds = { 'https://h/cdn/9f.wasm': buildId }
    const { frames } = await symbolicate({ stack, service: 's', version: '1', debugIds }, source)
    for (const { resolved } of frames) {
      const found = [...(resolved?.inlined ?? []), resolved]
      expect(found.map((it) => [it?.file, it?.line])).toEqual(
        expected[index].map(([, file, line]: string[]) => [file, line]),
      )
    }
    const other = await symbolicate({ stack, service: 's', version: '2', debugIds: {} }, source)
    expect(other.frames.map(({ reason }) => reason?.code)).toEqual(['build-id-unknown', 'build-id-unknown'])
  })
})

it('an update of Expo has the name of the bundle that it takes the place of', () => {
  const frames = parseStack(`Error: x
    at pay (address at /data/user/0/com.example.shop/files/.expo-internal/dd11be6f17c8cdcc4fc2cdcb541ac3fd:1:41)
    at buy (/private/var/mobile/Containers/Data/Application/1/Library/Application Support/.expo-internal/9f8e.bundle:1:99)
`)
  expect(frames.map(({ file, line, column }) => [file, line, column])).toEqual([
    ['index.android.bundle', 1, 42],
    ['main.jsbundle', 1, 99],
  ])
})
