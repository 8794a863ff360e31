import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { beginningOf, withLateFiles } from './late-files.ts'
import { startFinishing, startWriting } from './neighbours.ts'
import type { BundleOutput } from './output.ts'

let root: string
let dist: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-neighbours-'))
  dist = join(root, 'dist')
  mkdirSync(dist)
})
afterEach(() => rmSync(root, { recursive: true }))

function write(...scripts: string[]): void {
  for (const script of scripts) {
    writeFileSync(join(dist, script), 'a()')
    writeFileSync(join(dist, `${script}.map`), '{}')
  }
}
const outputOf = (...scripts: string[]): BundleOutput => ({
  directory: dist,
  files: new Set(scripts.flatMap((script) => [script, `${script}.map`])),
  deletable: new Set(scripts.map((script) => `${script}.map`)),
  mapOf: new Map(),
})
const lateIn = async (output: BundleOutput, since = Date.now() - 1000) => {
  const { files, deletable } = await withLateFiles(output, { root, since })
  return [...files, ...deletable].filter((file) => !output.files.has(file)).sort()
}

it('what another build was given is not taken, until it is written again', async () => {
  write('a.js', 'b.js')
  expect(await lateIn(outputOf('a.js'))).toEqual(['b.js', 'b.js.map', 'b.js.map'])
  write('c.js')
  // Both of the first.
  expect(await lateIn(outputOf('c.js'))).toEqual([])
  writeFileSync(join(dist, 'b.js.map'), '{"version":3}')
  expect(await lateIn(outputOf('c.js'))).toEqual(['b.js', 'b.js.map', 'b.js.map'])
})

it('two builds that look at the same time do not both take a file', async () => {
  write('a.js', 'b.js', 'sw.js')
  const taken = await Promise.all([lateIn(outputOf('a.js')), lateIn(outputOf('b.js'))])
  expect(taken.flat().sort()).toEqual(['sw.js', 'sw.js.map', 'sw.js.map'])
})

it.each([
  ['the directory', ''],
  ['one below it', 'below'],
  ['one above it', '..'],
])('while another build writes into %s only what goes with the own files is taken', async (_, place) => {
  write('a.js', 'sw.js')
  writeFileSync(join(dist, 'a.js.map.gz'), '')
  const stop = startWriting(join(dist, place))
  expect(await lateIn(outputOf('a.js'))).toEqual(['a.js.map.gz'])
  stop()
  write('b.js')
  expect(await lateIn(outputOf('b.js'))).toEqual(['sw.js', 'sw.js.map', 'sw.js.map'])
})

it('a build beside the directory does not matter', async () => {
  write('a.js', 'sw.js')
  const stop = startWriting(join(root, 'dist-2'))
  expect(await lateIn(outputOf('a.js'))).toEqual(['sw.js', 'sw.js.map', 'sw.js.map'])
  stop()
})

it('a build has neighbours that write, and that are about to delete their maps, until they are over', () => {
  const own = startFinishing([outputOf('a.js')])
  expect(own.hasNeighbour(dist)).toBe(false)
  const stop = startWriting(dist)
  expect(own.hasNeighbour(dist)).toBe(true)
  stop()
  const other = startFinishing([outputOf('b.js')])
  expect([own.hasNeighbour(dist), own.hasNeighbour(join(root, 'other'))]).toEqual([true, false])
  other.end()
  expect(own.hasNeighbour(dist)).toBe(false)
  own.end()
})

it.each([
  ['is right', 10_400, 10_000],
  ['is behind', 9_300, 9_300],
  ['cannot be told, as no own file was written anew', 2_000, 10_000],
  ['cannot be told, as there is no own file', undefined, 10_000],
])(
  'a build that began at 10 s began by the clock of the file system, where that %s, at %s ms: %s',
  (_, newest, begin) => {
    expect(beginningOf(10_000, newest)).toBe(begin)
  },
)

it('takes late files where the clock of the file system is behind', async () => {
  write('a.js', 'sw.js', 'old.js')
  const now = Date.now() / 1000
  utimesSync(join(dist, 'old.js.map'), now - 4, now - 4)
  for (const file of ['a.js.map', 'sw.js.map']) utimesSync(join(dist, file), now - 1.5, now - 1.5)
  expect(await lateIn(outputOf('a.js'), now * 1000)).toEqual(['sw.js', 'sw.js.map', 'sw.js.map'])
})
