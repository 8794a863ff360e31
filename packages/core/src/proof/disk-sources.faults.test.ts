import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { MemoryBytes } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout } from '../formats/source-map/layout.ts'
import { compareWithDisk } from './disk-sources.ts'

const reads = vi.hoisted((): string[] => [])
vi.mock('../files/open-regular.ts', async (original) => {
  const actual = await original<typeof import('../files/open-regular.ts')>()
  return {
    ...actual,
    readRegular: (path: string) => {
      reads.push(path)
      return actual.readRegular(path)
    },
  }
})

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'symup-disk-')))
afterAll(() => rmSync(directory, { recursive: true }))

it('reads a file once, even if a map names it many times', () => {
  const source = join(directory, 'price.ts')
  writeFileSync(source, 'type A = 1\npay(a as A, late, 1)\n')
  const script = join(directory, 'app.js')
  writeFileSync(script, '')
  const names = Array.from({ length: 1000 }, (_, nth) => `bundler${nth}://shop/price.ts`)
  const sourcesContent = names.map(() => 'pay(a, late, 1);\n')
  const map = { version: 3, sources: names, sourcesContent, names: [], mappings: '' }
  const bytes = new MemoryBytes(Buffer.from(JSON.stringify(map)))
  const layout = readLayout(bytes)
  if (layout instanceof SourceMapFlaw) throw layout
  const place = { cwd: directory, script, map: `${script}.map` }
  const isOwn = names.map(() => true)
  expect(compareWithDisk({ bytes, layout }, names, isOwn, place).moved).toEqual(new Map([[0, new Set([0])]]))
  expect(reads).toEqual([source])
})
