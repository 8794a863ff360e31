import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withLateFiles } from './late-files.ts'
import type { BundleOutput } from './output.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-late-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '{}')
  }
}
const outputOf = (deletable: string[], more: Partial<BundleOutput> = {}): BundleOutput => ({
  directory: root,
  files: new Set(['a.js', 'a.js.map']),
  deletable: new Set(deletable),
  mapOf: new Map(),
  ...more,
})
const lateIn = async (output: BundleOutput) => {
  const { files, deletable } = await withLateFiles(output)
  return { files: [...files].sort(), deletable: [...deletable].sort() }
}

it('compressed copies of maps go with the maps; nothing else in the directory belongs to the build', async () => {
  write('a.js', 'a.js.map', 'a.js.map.gz', 'a.js.map.br', 'a.js.map.zst', 'a.js.map.zip', 'b.js', 'b.js.map')
  expect(await lateIn(outputOf(['a.js.map']))).toEqual({
    files: ['a.js', 'a.js.map'],
    deletable: ['a.js.map', 'a.js.map.br', 'a.js.map.gz', 'a.js.map.zst'],
  })
  expect(await lateIn(outputOf([]))).toEqual({ files: ['a.js', 'a.js.map'], deletable: [] })
})

it('takes service workers that a plugin wrote after the bundler, and no map that was there before or that has no script', async () => {
  write('a.js', 'a.js.map', 'sw.js', 'sw.js.map', 'before.js', 'before.js.map', 'alone.js.map', 'SW.JS', 'SW.JS.map')
  write('vendor.js', 'vendor.js.map')
  const mapsBefore = new Set(['a.js.map', 'before.js.map'])
  const copied = new Set(['vendor.js.map'])
  const files = ['SW.JS', 'SW.JS.map', 'a.js', 'a.js.map', 'sw.js', 'sw.js.map']
  expect(await lateIn(outputOf(['a.js.map'], { mapsBefore, copied }))).toEqual({
    files,
    deletable: ['SW.JS.map', 'a.js.map', 'sw.js.map'],
  })
  // The user keeps the maps of the build.
  expect(await lateIn(outputOf([], { mapsBefore, copied }))).toEqual({ files, deletable: [] })
})

it('looks for nothing where the output is not on the disk', async () => {
  write('sw.js', 'sw.js.map', 'a.js.map.gz')
  const own = { files: ['a.js', 'a.js.map'], deletable: ['a.js.map'] }
  const mapsBefore = new Set<string>()
  expect(await lateIn(outputOf(['a.js.map'], { contents: new Map(), mapsBefore }))).toEqual(own)
  expect(await lateIn(outputOf(['a.js.map'], { directory: join(root, 'gone'), mapsBefore }))).toEqual(own)
})
