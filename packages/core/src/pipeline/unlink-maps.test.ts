import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unlinkMaps } from './unlink-maps.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-unlink-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const path = (file: string) => join(root, 'dist', file)
const read = (file: string) => readFileSync(path(file), 'utf8')
function write(file: string, text: string): void {
  mkdirSync(dirname(path(file)), { recursive: true })
  writeFileSync(path(file), text)
}
const unlink = async (...gone: string[]) =>
  (await unlinkMaps(join(root, 'dist'), gone.map(path), root)).lines.map(({ text }) => text)

it('removes the comments that name maps that are gone, from the end of scripts and style sheets', async () => {
  write('a.js', 'a()\n//# sourceMappingURL=a.js.map\n')
  write('twice.js', 'b()\n//# sourceMappingURL=twice.js.map\n//# sourceMappingURL=twice.js.map\n')
  write('css/c.css', 'a{}\n/*# sourceMappingURL=../maps/c%20c.css.map */')
  write('stays.js', 'd()\n//# sourceMappingURL=stays.js.map\n')
  write('text.js', 'e("//# sourceMappingURL=a.js.map")\n')
  expect(await unlink('a.js.map', 'twice.js.map', 'maps/c c.css.map')).toEqual([
    'Removed the comment that named a deleted source map from 3 files.',
  ])
  expect([read('a.js'), read('twice.js'), read('css/c.css')]).toEqual(['a()', 'b()', 'a{}'])
  expect(read('stays.js')).toContain('sourceMappingURL')
  expect(read('text.js')).toContain('sourceMappingURL')
})

it('leaves a file whose hash stands in a page, or that has a compressed copy', async () => {
  const text = 'a()\n//# sourceMappingURL=a.js.map\n'
  for (const file of ['hashed.js', 'packed.js']) write(file, text.replace('a.js.map', `${file}.map`))
  const hash = createHash('sha384').update(read('hashed.js')).digest('base64')
  write('index.html', `<script src="hashed.js" integrity="sha384-${hash}"></script>`)
  write('packed.js.gz', 'x')
  expect(await unlink('hashed.js.map', 'packed.js.map')).toEqual([
    'Kept the comment that names a deleted source map in 1 file: other files hold an integrity hash of it.',
  ])
  expect(read('hashed.js')).toContain('sourceMappingURL')
  expect(read('packed.js')).toContain('sourceMappingURL')
})

it('leaves a file whose hash stands elsewhere, as in the manifest of a framework', async () => {
  write('a.js', 'a()\n//# sourceMappingURL=a.js.map\n')
  const manifest = join(root, 'server-manifest.json')
  const hash = createHash('sha256').update(read('a.js')).digest('base64')
  writeFileSync(manifest, JSON.stringify({ 'static/a.js': `sha256-${hash}` }))
  const { hashed } = await unlinkMaps(join(root, 'dist'), [path('a.js.map')], root, [manifest, join(root, 'nowhere')])
  expect(hashed).toEqual([path('a.js')])
  expect(read('a.js')).toContain('sourceMappingURL')
})

it('changes nothing through a symbolic link', async () => {
  writeFileSync(join(root, 'mine.js'), 'a()\n//# sourceMappingURL=a.js.map\n')
  mkdirSync(join(root, 'dist'))
  symlinkSync(join(root, 'mine.js'), path('a.js'))
  expect(await unlink('a.js.map')).toEqual([])
  expect(readFileSync(join(root, 'mine.js'), 'utf8')).toContain('sourceMappingURL')
})

it('blanks entries of precache lists, so that the list is right and every position stays', async () => {
  const entries = [
    '{url:"a.js",revision:null}',
    '{url:"a.js.map",revision:null}',
    '{"revision":"1f","url":"/shop/sub/b.js.map"}',
    "{'url':'stays.js.map','revision':null}",
    '{url:"a.js.map.gz",revision:null}',
  ]
  const worker = `self.list=[${entries.join(',')}];self.end=1`
  write('sw.js', worker)
  expect(await unlink('a.js.map', 'sub/b.js.map', 'a.js.map.gz')).toEqual([
    'Removed 3 deleted source maps from the list in dist/sw.js.',
  ])
  const after = read('sw.js')
  expect(after).toHaveLength(worker.length)
  expect(after.indexOf('self.end')).toBe(worker.indexOf('self.end'))
  const self: { list?: { url: string }[] } = {}
  new Function('self', after)(self)
  expect(self.list?.map(({ url }) => url)).toEqual(['a.js', 'stays.js.map'])
})

it('has nothing to do when nothing is gone, and none in an output that is not there', async () => {
  expect(await unlink()).toEqual([])
  expect(await unlink('a.js.map')).toEqual([])
})
