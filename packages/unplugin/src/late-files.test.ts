import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useDirectory, writeIn } from '../../../test/support/directory.ts'
import { withLateFiles } from './late-files.ts'
import { type BundleOutput, outputOf } from './output.ts'

const root = useDirectory('each')

function write(text: string, ...files: string[]): void {
  for (const file of files) {
    writeIn(root, file, text)
  }
}
const output = (deletes: boolean, more: Partial<BundleOutput> = {}): BundleOutput =>
  Object.assign(outputOf(root, ['a.js', 'a.js.map'], { deletes }), more)
const lateIn = async (given: BundleOutput) => {
  const { files, deletable } = await withLateFiles(given)
  return { files: [...files].sort(), deletable: [...deletable].sort() }
}

it('deletes compressed copies with their maps, and ignores other files in the directory', async () => {
  write('{}', 'a.js', 'a.js.map', 'a.js.map.gz', 'a.js.map.br', 'a.js.map.zst', 'a.js.map.zip', 'b.js', 'b.js.map')
  expect(await lateIn(output(true))).toEqual({
    files: ['a.js', 'a.js.map'],
    deletable: ['a.js.map', 'a.js.map.br', 'a.js.map.gz', 'a.js.map.zst'],
  })
  expect(await lateIn(output(false))).toEqual({ files: ['a.js', 'a.js.map'], deletable: [] })
})

it('includes Workbox service workers, but no older map, map without a script, or map from another build', async () => {
  write('{}', 'a.js', 'a.js.map', 'sw.js.map', 'alone.js.map', 'SW.JS.map', 'vendor.js.map', 'before.js.map')
  write('define(["./workbox-1a2b"])', 'sw.js', 'SW.JS', 'vendor.js', 'before.js')
  write('other()', 'other.js', 'other.js.map')
  const mapsBefore = new Set(['a.js.map', 'before.js.map'])
  const copied = new Set(['vendor.js.map'])
  const files = ['SW.JS', 'SW.JS.map', 'a.js', 'a.js.map', 'sw.js', 'sw.js.map']
  expect(await lateIn(output(true, { mapsBefore, copied }))).toEqual({
    files,
    deletable: ['SW.JS.map', 'a.js.map', 'sw.js.map'],
  })
  // With this option, the user keeps the maps of the build.
  expect(await lateIn(output(false, { mapsBefore, copied }))).toEqual({ files, deletable: [] })
})

it('searches nothing if the output is not on disk', async () => {
  write('workbox', 'sw.js', 'sw.js.map', 'a.js.map.gz')
  const own = { files: ['a.js', 'a.js.map'], deletable: ['a.js.map'] }
  const mapsBefore = new Set<string>()
  expect(await lateIn(output(true, { contents: new Map(), mapsBefore }))).toEqual(own)
  expect(await lateIn(output(true, { directory: join(root, 'gone'), mapsBefore }))).toEqual(own)
})
