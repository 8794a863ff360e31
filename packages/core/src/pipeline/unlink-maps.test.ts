import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
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

it('removes comments that name deleted maps from the end of scripts and style sheets', async () => {
  write('a.js', 'a()\n//# sourceMappingURL=a.js.map\n')
  write('twice.js', 'b()\n//# sourceMappingURL=twice.js.map\n//# sourceMappingURL=twice.js.map\n')
  write('css/c.css', 'a{}\n/*# sourceMappingURL=../maps/c%20c.css.map */')
  write('stays.js', 'd()\n//# sourceMappingURL=stays.js.map\n')
  write('text.js', 'e("//# sourceMappingURL=a.js.map")\n')
  expect(await unlink('a.js.map', 'twice.js.map', 'maps/c c.css.map')).toEqual([
    'Removed the reference to a deleted source map from 3 files.',
  ])
  expect([read('a.js'), read('twice.js'), read('css/c.css')]).toEqual(['a()', 'b()', 'a{}'])
  expect(read('stays.js')).toContain('sourceMappingURL')
  expect(read('text.js')).toContain('sourceMappingURL')
})

it('removes map comments whatever the script’s extension is, because bundlers can change it', async () => {
  const names = ['A.MJS', 'lazy.es6', 'main-x1', 'B.CSS']
  for (const name of names) write(name, `a()\n//# sourceMappingURL=${name}.map\n`)
  write('named.es6', 'a()\n//# sourceMappingURL=maps/n.json\n')
  write('talk.md', 'It ends with\n//# sourceMappingURL=lazy.es6.map\nor nothing.\n')
  write('SW.JS', '[{url:"lazy.es6.map",revision:null}]')
  const lines = await unlink(...names.map((name) => `${name}.map`), 'maps/n.json')
  expect(lines).toEqual([
    'Removed 1 deleted source map from the file list in dist/SW.JS.',
    'Removed the reference to a deleted source map from 5 files.',
  ])
  expect([...names, 'named.es6'].map(read)).toEqual(Array(5).fill('a()'))
  expect(read('talk.md')).toContain('sourceMappingURL')
  expect(read('SW.JS')).not.toContain('es6')
})

it('reads a file full of comments quickly if it does not end with a map comment', async () => {
  for (const between of ['    ', ' \n', ' */ \t'])
    write(`hostile${between.length}.js`, `${`//# sourceMappingURL=a.js.map${between}`.repeat(40)}!`)
  write('joined.js', `${'//#sourceMappingURL=a.js.map'.repeat(40)}'`)
  expect(await unlink('a.js.map')).toEqual([])
  write('many.js', `a()  ${'//# sourceMappingURL=a.js.map  \n /*# sourceMappingURL=a.js.map */ '.repeat(40)}\n`)
  expect(await unlink('a.js.map')).toHaveLength(1)
  expect(read('many.js')).toBe('a()')
})

it.each(['[', '{"a":"b.js.map"', '["b.js.map"'])('reads a manifest full of blanks quickly: %s', async (beginning) => {
  write('manifest.json', `${beginning}${' '.repeat(300_000)}1]`)
  const seconds = await cpuSeconds(async () => expect(await unlink('a.js.map')).toEqual([]))
  expect(seconds).toBeLessThan(2)
})

it('examines each page and each item once, regardless of the number of scripts', async () => {
  const names = Array.from({ length: 3000 }, (_, nth) => `js/${nth}.js`)
  for (const name of names) write(name, `a()\n//# sourceMappingURL=/${name}.map`)
  const hashOf = (name: string) => createHash('sha512').update(read(name)).digest('base64')
  const tags = names.slice(1).map((name) => `<script src="${name}" integrity="sha512-${hashOf(name)}"></script>`)
  for (let nth = 0; nth < 40; nth++) write(`${nth}.html`, tags.join('\n'))
  write('manifest.json', JSON.stringify(names.map((name) => `/shop/${name}.map`)))
  const seconds = await cpuSeconds(async () => {
    expect(await unlink(...names.map((name) => `${name}.map`))).toEqual([
      'Removed 3000 deleted source maps from the file list in dist/manifest.json.',
      'Removed the reference to a deleted source map from 1 file.',
      'Kept the reference to a deleted source map in 2999 files because other files contain an integrity hash of them.',
    ])
  })
  expect(seconds).toBeLessThan(20)
})

it('removes a map comment with backslashes, as Windows tools write it', async () => {
  write('js/a.js', 'a()\n//# sourceMappingURL=..\\maps\\a.js.map\n')
  expect(await unlink('maps/a.js.map')).toHaveLength(1)
  expect(read('js/a.js')).toBe('a()')
})

it('recognizes upper- and lower-case hashes in scripts', async () => {
  write('a.js', 'a()\n//# sourceMappingURL=a.js.map\n')
  write('LOADER.JS', `load("sha256-${createHash('sha256').update(read('a.js')).digest('base64')}")`)
  await unlink('a.js.map')
  expect(read('a.js')).toContain('sourceMappingURL')
})

it('removes only comments and entries for deleted maps, even if names are not ASCII', async () => {
  write('à入口.js', 'a("入à")//à\n//# sourceMappingURL=à入口.js.map\n')
  write('sw.js', '[{url:"à入口.js.map",revision:null},{url:"ü",revision:null}]')
  write('asset-manifest.json', '{"ü":"ü","à入口.js.map":"/à入口.js.map"}')
  writeFileSync(path('latin1.js'), Buffer.from('a()//\xe0\n//# sourceMappingURL=\xe0.js.map\n', 'latin1'))
  expect(await unlink('à入口.js.map', '\ufffd.js.map')).toEqual([
    'Removed 1 deleted source map from the file list in dist/asset-manifest.json.',
    'Removed 1 deleted source map from the file list in dist/sw.js.',
    'Removed the reference to a deleted source map from 1 file.',
  ])
  expect(read('à入口.js')).toBe('a("入à")//à')
  expect(read('sw.js')).toMatch(/^\[ +\{url:"ü",revision:null\}\]$/)
  expect(read('asset-manifest.json')).toBe('{"ü":"ü"}')
  expect(readFileSync(path('latin1.js'), 'latin1')).toBe('a()//\xe0\n//# sourceMappingURL=\xe0.js.map\n')
})

it('does not change a file if a page contains its hash or if it has a compressed copy', async () => {
  const text = 'a()\n//# sourceMappingURL=a.js.map\n'
  for (const file of ['hashed.js', 'packed.js']) write(file, text.replace('a.js.map', `${file}.map`))
  const hash = createHash('sha384').update(read('hashed.js')).digest('base64')
  write('index.html', `<script src="hashed.js" integrity="sha384-${hash}"></script>`)
  write('packed.js.gz', 'x')
  expect(await unlink('hashed.js.map', 'packed.js.map')).toEqual([
    'Kept the reference to a deleted source map in 1 file because other files contain an integrity hash of it.',
  ])
  expect(read('hashed.js')).toContain('sourceMappingURL')
  expect(read('packed.js')).toContain('sourceMappingURL')
})

it('does not change a file whose hash is in another file, such as a framework manifest', async () => {
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

it('replaces entries in precache lists with blanks, so that the list stays valid and positions do not change', async () => {
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
    'Removed 3 deleted source maps from the file list in dist/sw.js.',
  ])
  const after = read('sw.js')
  expect(after).toHaveLength(worker.length)
  expect(after.indexOf('self.end')).toBe(worker.indexOf('self.end'))
  const self: { list?: { url: string }[] } = {}
  new Function('self', after)(self)
  expect(self.list?.map(({ url }) => url)).toEqual(['a.js', 'stays.js.map'])
})

it('does nothing if no map was deleted or the output directory does not exist', async () => {
  expect(await unlink()).toEqual([])
  expect(await unlink('a.js.map')).toEqual([])
})

it('removes members anywhere in a manifest, but does not change a manifest that is not JSON', async () => {
  const files = {
    'a.js.map': '/shop/js/a.js.map',
    'a.js': '/shop/js/a.js',
    'b.js.map': 'js/b.js.map',
    stays: 'c.js.map',
  }
  for (const indent of [0, 2])
    write(`asset-manifest${indent}.json`, JSON.stringify({ files, last: { 'a.js.map': 'js/a.js.map' } }, null, indent))
  write('manifest.json', '{"a.js.map":"js/a.js.map", //}')
  expect(await unlink('js/a.js.map', 'js/b.js.map')).toEqual([
    'Removed 3 deleted source maps from the file list in dist/asset-manifest0.json.',
    'Removed 3 deleted source maps from the file list in dist/asset-manifest2.json.',
  ])
  const left = { files: { 'a.js': '/shop/js/a.js', stays: 'c.js.map' }, last: {} }
  for (const indent of [0, 2]) expect(JSON.parse(read(`asset-manifest${indent}.json`))).toEqual(left)
  expect(read('manifest.json')).toBe('{"a.js.map":"js/a.js.map", //}')
})

it("removes list items anywhere in a browser extension's manifest", async () => {
  const lists = [
    ['a.js', 'a.js.map', 'b.js', 'b.js.map'],
    ['a.js.map', 'a.js'],
    ['a.js.map', 'b.js.map', 'a.js.map', 'b.js'],
    ['a.js', 'a.js.map', 'b.js.map', 'c.js.map'],
    ['b.js.map'],
    [{ resources: ['/x/a.js.map'] }],
  ]
  for (const indent of [0, 2])
    write(`manifest${indent}.json`, JSON.stringify({ name: 'a.js.map, "b', lists }, null, indent))
  await unlink('a.js.map', 'b.js.map')
  const left = [['a.js', 'b.js'], ['a.js'], ['b.js'], ['a.js', 'c.js.map'], [], [{ resources: [] }]]
  for (const indent of [0, 2])
    expect(JSON.parse(read(`manifest${indent}.json`))).toEqual({ name: 'a.js.map, "b', lists: left })
})
