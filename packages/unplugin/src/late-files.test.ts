import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isWrittenSince, withLateFiles } from './late-files.ts'
import type { BundleOutput } from './output.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-late-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), `{ "of": "${file.split('/').at(-1)}" }`)
  }
}
const outputOf = (deletable: string[], more: Partial<BundleOutput> = {}): BundleOutput => ({
  directory: join(root, 'dist'),
  files: new Set(['a.js', 'a.js.map']),
  deletable: new Set(deletable),
  mapOf: new Map(),
  ...more,
})
const lateIn = async (output: BundleOutput) => {
  const { files, deletable } = await withLateFiles(output, { root, since: Date.now() - 1000 })
  return { files: [...files].sort(), deletable: [...deletable].sort() }
}

it('leaves what lies in a directory that other builds write into to them', async () => {
  write('dist/a.js', 'dist/a.js.map', 'dist/preload.js', 'dist/preload.js.map')
  const own = { files: ['a.js', 'a.js.map'], deletable: ['a.js.map'] }
  expect(await lateIn(outputOf(['a.js.map'], { shared: true }))).toEqual(own)
})

it('takes in what other plugins wrote in this build', async () => {
  write(
    'dist/a.js',
    'dist/a.js.map',
    'dist/sw.js',
    'dist/sw.js.map',
    'dist/a.js.map.gz',
    'dist/b.css.map',
    'dist/c.txt',
  )
  expect(await lateIn(outputOf(['a.js.map']))).toEqual({
    files: ['a.js', 'a.js.map', 'sw.js', 'sw.js.map'],
    deletable: ['a.js.map', 'a.js.map.gz', 'b.css.map', 'sw.js.map'],
  })
})

it('takes them in with endings in capitals', async () => {
  write('dist/SW.JS', 'dist/SW.JS.map', 'dist/B.CSS', 'dist/B.CSS.map')
  expect(await lateIn(outputOf(['a.js.map']))).toEqual({
    files: ['SW.JS', 'SW.JS.map', 'a.js', 'a.js.map'],
    deletable: ['B.CSS.map', 'SW.JS.map', 'a.js.map'],
  })
})

it("deletes none where the maps are the user's, and uploads all the same", async () => {
  write('dist/sw.js', 'dist/sw.js.map', 'dist/b.css.map')
  expect(await lateIn(outputOf([]))).toEqual({ files: ['a.js', 'a.js.map', 'sw.js', 'sw.js.map'], deletable: [] })
})

it('leaves what was copied, and what lay there before', async () => {
  write('dist/vendor.js', 'dist/vendor.js.map', 'public/vendor.js.map', 'dist/old.js', 'dist/old.js.map')
  write('dist/copied.js', 'dist/copied.js.map')
  utimesSync(join(root, 'dist/old.js.map'), new Date(0), new Date(0))
  const output = outputOf(['a.js.map'], { copied: new Set(['copied.js.map']) })
  expect(await lateIn(output)).toEqual({ files: ['a.js', 'a.js.map'], deletable: ['a.js.map'] })
})

it('takes in scripts without a map that others wrote, as such', async () => {
  write('dist/a.js', 'dist/a.js.map', 'dist/sw.js', 'dist/old.js', 'dist/made.js', 'dist/app/b.mjs', 'dist/c.css')
  write('dist/vendor.js', 'public/vendor.js', 'dist/node_modules/x/i.js')
  utimesSync(join(root, 'dist/old.js'), new Date(0), new Date(0))
  const input = { root, since: Date.now() - 1000 }
  const scripts = async (more: Partial<BundleOutput>) => {
    const { files, copied } = await withLateFiles(outputOf([], { copied: new Set(['made.js']), ...more }), input)
    return [[...files].sort(), [...(copied ?? [])].sort()]
  }
  const own = ['a.js', 'a.js.map']
  expect(await scripts({})).toEqual([own, ['made.js']])
  expect(await scripts({ isListed: true, isServer: true })).toEqual([own, ['made.js']])
  const all = [
    ['a.js', 'a.js.map', 'app/b.mjs', 'sw.js'],
    ['app/b.mjs', 'made.js', 'sw.js'],
  ]
  expect(await scripts({ isListed: true })).toEqual(all)
})

it("leaves another build's scripts, whose maps are gone, and its bundler's own, to it", async () => {
  write('dist/a.js', 'dist/a.js.map', 'dist/other.js', 'dist/rolldown-runtime.js')
  const input = { root, since: Date.now() - 1000 }
  const copied = new Set(['rolldown-runtime.js'])
  await withLateFiles({ ...outputOf([]), files: new Set(['other.js']), copied, isListed: true }, input)
  const { files } = await withLateFiles(outputOf([], { isListed: true }), input)
  expect([...files].sort()).toEqual(['a.js', 'a.js.map'])
})

it('looks at nothing else where the output is the project itself', async () => {
  write('lib/b.js', 'lib/b.js.map')
  const output = outputOf(['a.js.map'], { directory: root })
  expect(await lateIn(output)).toEqual({ files: ['a.js', 'a.js.map'], deletable: ['a.js.map'] })
})

it.each([
  ['half a second later', 5_500, true],
  ['in the same second, where a file system knows no parts of one', 5_000, true],
  ['in the same second, before it', 5_200, false],
  ['a tick of the system before it, as clocks of files are behind', 5_390, true],
  ['some seconds before', 3_000, false],
  ['in the second before', 4_900, false],
  ['in the second before, where a file system knows no parts of one', 4_000, false],
])('a file is of the build that began at 5.4 s if it was written %s', (_, mtimeMs, isOf) => {
  expect(isWrittenSince(mtimeMs, 5_400)).toBe(isOf)
})

it('a file whose clock is behind, as clocks of files are by a tick of the system, is of the build that began at a full second', () => {
  expect(isWrittenSince(4_997, 5_001)).toBe(true)
})

it.each<[string, readonly string[] | undefined]>([
  ['static', undefined],
  ['public', undefined],
  ['copied/as/it/is', ['copied/as/it/is']],
])('leaves what is copied from %s, unless it was changed', async (place, given) => {
  write('dist/same.js', 'dist/same.js.map', 'dist/other.js', 'dist/other.js.map', 'dist/longer.js')
  write('dist/longer.js.map', `${place}/same.js.map`, `${place}/other.js.map`, `${place}/longer.js.map`)
  writeFileSync(join(root, place, 'other.js.map'), '{ "of": "OTHER.js.map" }')
  writeFileSync(join(root, place, 'longer.js.map'), '{}')
  const publicDirectories = given?.map((it) => join(root, it))
  const input = { root, since: Date.now() - 1000, ...(publicDirectories && { publicDirectories }) }
  const { files, deletable } = await withLateFiles(outputOf(['a.js.map']), input)
  expect([...deletable].sort()).toEqual(['a.js.map', 'longer.js.map', 'other.js.map'])
  expect([...files].sort()).toEqual(['a.js', 'a.js.map', 'longer.js', 'longer.js.map', 'other.js', 'other.js.map'])
})

it('takes in copies of maps in every compression, maps without a script only to delete them, and nothing else', async () => {
  write('dist/a.mjs.map.br', 'dist/b.cjs.map.zst', 'dist/c.css', 'dist/c.css.map', 'dist/alone.js.map')
  write('dist/d.js.map.zip', 'dist/e.ts.map', 'dist/f.map', 'dist/g.json')
  expect(await lateIn(outputOf(['a.js.map']))).toEqual({
    files: ['a.js', 'a.js.map'],
    deletable: ['a.js.map', 'a.mjs.map.br', 'alone.js.map', 'b.cjs.map.zst', 'c.css.map'],
  })
})

it('looks only where the output is deployed, and at none that is not on the disk', async () => {
  write('dist/app/sw.js', 'dist/app/sw.js.map', 'dist/server/b.js', 'dist/server/b.js.map')
  expect(await lateIn(outputOf(['a.js.map'], { deployed: 'app' }))).toEqual({
    files: ['a.js', 'a.js.map', 'app/sw.js', 'app/sw.js.map'],
    deletable: ['a.js.map', 'app/sw.js.map'],
  })
  const own = { files: ['a.js', 'a.js.map'], deletable: ['a.js.map'] }
  expect(await lateIn(outputOf(['a.js.map'], { contents: new Map() }))).toEqual(own)
  expect(await lateIn(outputOf(['a.js.map'], { directory: join(root, 'gone') }))).toEqual(own)
})
