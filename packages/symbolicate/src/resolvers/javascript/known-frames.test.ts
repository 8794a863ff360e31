import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SymbolUpload } from '@symup/core/internal'
import { transformSync } from 'esbuild'
import { afterAll, expect, it } from 'vitest'
import { randomOf } from '../../../../../test/support/random.ts'
import type { ArtifactSource } from '../../artifacts.ts'
import { WeightedCache } from '../../cache.ts'
import type { ResolvedPosition } from '../../frames.ts'
import { createSymbolicatorPool } from '../../pool/pool.ts'
import type { StackQuestion } from '../../question.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { type KnownFrame, keepFrame, type Place } from './known-frames.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-known-'))
let threads = 0
const pool = createSymbolicatorPool({ threads: 1, timeoutMs: 60_000, onCacheUse: () => threads++ })
afterAll(async () => {
  await pool.close()
  rmSync(directory, { recursive: true })
})

const CODE = `
export class Cart {
  total(order) {
    return order
      .items.map((item) => item.price * item.count)
      .reduce((sum, price) => sum + price, 0)
  }
}
export function checkout(cart, order) {
  if (!order) throw new Error('no order')
  return cart.total(order)
}
`
// The first line has no mapping.
const { code: script, map } = transformSync(CODE, {
  ...{ minify: true, sourcemap: true, sourcefile: 'src/cart.ts', format: 'esm', banner: 'globalThis.shop = 1;' },
})
const code = script.split('\n')[1] as string
const release = { service: 'shop', version: '1' }
const uploaded = artifactSourceOf(
  ['https://h/a.js', 'https://other/b.js'].map((address) => {
    const parts = [map, script].map((text, nth) => {
      const path = join(directory, `${address.slice(-4)}.${nth}`)
      writeFileSync(path, text)
      const name = nth === 0 ? 'source_map' : 'minified_file'
      return { name, filename: name, path, bytes: text.length }
    })
    return { event: { ...release, type: 'js_sourcemap', minified_url: address }, parts } as unknown as SymbolUpload
  }),
)
const source: ArtifactSource = {
  ...uploaded,
  findScripts: async (...query) =>
    (await uploaded.findScripts(...query)).map((artifact) => ({ ...artifact, uploadedAt: 10 })),
}
const line = (file: string, column: number, name = 'f') => `    at ${name} (https://h/${file}:2:${column})`
const ask = (stack: string, known?: WeightedCache<KnownFrame>, more: Partial<StackQuestion> = {}) =>
  pool.symbolicate({ ...release, stack, ...more }, source, known && { known })
const knownFrames = () => new WeightedCache<KnownFrame>(1e6)

it('a stack whose frames were in others is answered without a thread', async () => {
  const known = knownFrames()
  const places = [code.indexOf('throw') + 7, code.indexOf('.map') + 2, code.indexOf('.reduce') + 2]
  await ask([line('a.js', places[0] as number), line('a.js', places[1] as number)].join('\n'), known)
  await ask(line('a.js', places[2] as number, 'g'), known)
  const banner = '    at other (https://h/a.js:1:3)'
  await ask(banner, known)
  const before = threads
  const stack = ['Error: another', ...places.map((place) => line('a.js', place, 'other')), banner].join('\n')
  const { frames } = await ask(stack, known)
  expect(threads).toBe(before)
  expect(frames.map(({ resolved }) => resolved?.line)).toEqual([10, 5, 6, undefined])
  expect(frames.map((frame) => frame.function)).toEqual(['other', 'other', 'other', 'other'])
  expect(frames[3]?.reason?.code).toBe('no-mapping-at-position')
  // One place that nobody asked for, or another question, and it is resolved as a whole.
  await ask(`${stack}\n${line('a.js', code.length - 8)}`, known)
  await ask(stack, known, { near: 1 })
  expect(threads).toBe(before + 2)
})

it('answers are those of a thread, whichever stacks the frames were in', async () => {
  const known = knownFrames()
  const random = randomOf(1)
  const frame = () => {
    // The dot that WebKit names is another line's than the word before it.
    const column = [1 + random(12), code.indexOf('.items') + 1, 1 + random(code.length + 4)][random(3)] as number
    return [
      line(random(3) === 0 ? 'b.js' : 'a.js', column, ['f', 'g', 'new Cart'][random(3)]),
      `total@https://h/a.js:2:${column}`,
      `    at eval (eval at f (https://h/a.js:2:${column}), <anonymous>:1:1)`,
      '    at node:internal/process/task_queues:95:5',
      `    at g (https://h/a.js:1:${Math.min(column, 20)})`,
      `    at g (https://h/missing.js:1:${column})`,
      `    at h (address at https://h/a.js:2:${column})`,
    ][Math.floor(random(42) ** 2 / 252)] as string
  }
  const before = threads
  let asked = 0
  for (; asked < 300; asked++) {
    const stack = Array.from({ length: 1 + random(4) }, frame).join('\n')
    const more = random(4) === 0 ? { eventTime: 5 } : {}
    expect(await ask(stack, known, more)).toEqual(await ask(stack, undefined, more))
  }
  // Some of both kinds, or nothing was compared.
  expect(threads - before - asked).toBeGreaterThan(20)
  expect(threads - before - asked).toBeLessThan(asked - 20)
})

it('what is kept of frames weighs as much as the names in it', () => {
  const known = knownFrames()
  const name = 'a'.repeat(200_000)
  const keep = (key: string, resolved: ResolvedPosition) => keepFrame({ raw: key, resolved }, { key } as Place, known)
  for (let nth = 0; nth < 10; nth++) {
    keep(`file ${nth}`, { file: name, line: 1 })
    keep(`function ${nth}`, { file: 'a', function: name, line: 1 })
    keep(`inlined ${nth}`, { file: 'a', line: 1, inlined: [{ file: name, line: 1 }] })
  }
  const kept = ['file', 'function', 'inlined'].flatMap((kind) =>
    Array.from({ length: 10 }, (_, nth) => known.get(`${kind} ${nth}`) ?? []).flat(),
  )
  expect(kept).toHaveLength(2)
})
