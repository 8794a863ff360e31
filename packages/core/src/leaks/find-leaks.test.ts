import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as zlib from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Secret } from '../model/secret.ts'
import { findLeaks } from './find-leaks.ts'
import { renderLeaks } from './render-leaks.ts'

const KEY = 'k3y-with/special+chars=&"1234567890'
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-leaks-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(join(directory, file)), { recursive: true })
  writeFileSync(join(directory, file), content)
}

async function codes(): Promise<string[]> {
  const problems = await findLeaks({ directory, apiKey: new Secret(KEY) })
  expect(JSON.stringify(problems) + JSON.stringify(renderLeaks(problems))).not.toContain(KEY)
  return problems.map(({ code, file }) => `${code} ${file}`).sort()
}

it('finds nothing in a clean output directory', async () => {
  write('index.html', '<script src="/assets/a.js"></script>')
  write('assets/a.js', 'throw new Error("//# sourceMappingURL=no.js.map")\n')
  write('manifest.json', '{"assets/a.js":{"file":"assets/a.js"},"geo":"world.map","note":"a.js.mapping"}')
  write('logo.png', Buffer.from([0x89, 0x50, 0, 255]))
  expect(await codes()).toEqual([])
})

it('reports files that the leak check had no time to examine', async () => {
  write('a.js', 'a()')
  write('b.js', 'b()')
  const problems = await findLeaks({ directory, timeBudget: -1 })
  expect(problems).toMatchObject([{ code: 'leaks-incomplete', message: expect.stringContaining('2 of 2 files') }])
})

it('finds source maps, compressed or not, and reports them with the given severity', async () => {
  const maps = ['a.js.map', 'b.css.map', 'c/d.mjs.map.gz', 'e.js.map.br', 'f.wasm.map']
  for (const file of maps) write(file, '{}')
  write('world.map', 'x')
  expect(await codes()).toEqual(maps.map((f) => `leak-map ${f}`))
  const relaxed = await findLeaks({ directory, reachableMaps: 'info' })
  expect(new Set(relaxed.map(({ severity }) => severity))).toEqual(new Set(['info']))
  write('a.js', 'a()\n//# sourceMappingURL=a.js.map\n')
  const [linked] = await findLeaks({ directory, reachableMaps: 'info' })
  expect(linked).toMatchObject({
    file: 'a.js.map',
    severity: 'info',
    message: expect.stringContaining('a.js points to this source map'),
  })
})

it('finds source maps with custom names by their content', async () => {
  const map = '{"version":3,"sources":["a.ts"],"mappings":"AAAA"}'
  write('main.js', 'a()\n//# sourceMappingURL=maps/main.map\n')
  write('maps/main.map', map)
  write('hidden.map', `{"mappings":"AAAA","sources":["{a}.ts"],"file":"${'x'.repeat(2000)}","version":3}\n`)
  write('world.map', '{"version":4,"tiles":[1]}')
  write('index.android.bundle.map', map)
  write('main.jsbundle.map', map)
  write('entry-sourceMaps.map', `{"entry/a.ets":${map}}`)
  // TypeScript's declaration maps contain no sources.
  for (const file of ['index.d.ts.map', 'index.d.mts.map']) write(file, map)
  expect(await codes()).toEqual(['leak-map hidden.map', 'leak-map maps/main.map'])
  const contents = new Map([['main.map', Buffer.from(map)]])
  expect(await findLeaks({ directory, contents })).toMatchObject([{ code: 'leak-map', file: 'main.map' }])
})

it('finds references to deleted maps, and inline maps', async () => {
  write('gone.js', 'a()\n//# sourceMappingURL=gone.js.map\n')
  write('sub/style.css', 'a{}\n/*# sourceMappingURL=../css/style.css.map */\n')
  write('here.js', 'a()\n//# sourceMappingURL=maps/here%20it%20is.js.map?v=1\n')
  write('maps/here it is.js.map', '{}')
  write('away.js', 'a()\n//# sourceMappingURL=https://maps.example.com/away.js.map\n')
  // Flutter's loader refers to a map that does not exist.
  write('flutter_bootstrap.js', 'a()\n//# sourceMappingURL=flutter.js.map\n')
  write('inline.js', `a()\n//# sourceMappingURL=data:application/json;base64,${'e30='.repeat(9000)}\n`)
  expect(await codes()).toEqual([
    'leak-map maps/here it is.js.map',
    'leak-reference gone.js',
    'leak-reference sub/style.css',
    'map-inline inline.js',
  ])
})

it('does not report a map comment from a bundled library within the code', async () => {
  write('bundle.js', 'library()\n//# sourceMappingURL=library.js.map\nown()\n')
  write('twice.js', 'library()\n//# sourceMappingURL=library.js.map\nown()\n//# sourceMappingURL=twice.js.map\n')
  expect(await codes()).toEqual(['leak-reference twice.js'])
})

it('finds the same leaks in files with an uppercase extension', async () => {
  write('A.MJS', 'a()\n//# sourceMappingURL=A.MJS.map\n')
  write('B.CSS', 'a{}\n/*# sourceMappingURL=B.CSS.map */\n')
  write('C.JS.MAP', '{}')
  write('manifest.json', '{"a":"D.JS.map"}')
  expect(await codes()).toEqual([
    'leak-manifest manifest.json',
    'leak-map C.JS.MAP',
    'leak-reference A.MJS',
    'leak-reference B.CSS',
  ])
})

it.each([
  ['/maps/a%20b.js.map', []],
  ['/shop/maps/a%20b.js.map', []],
  ['/de/shop/maps/a%20b.js.map?v=1', []],
  ['..\\maps\\a%20b.js.map', []],
  ['/a%20b.js.map', ['leak-reference sub/a b.js']],
  ['/shop/a%20b.js.map', ['leak-reference sub/a b.js']],
  ['/shop-maps/a%20b.js.map', ['leak-reference sub/a b.js']],
])('finds a map by its URL, which may begin with the base of the app: %s', async (url, expected) => {
  write('sub/a b.js', `a()\n//# sourceMappingURL=${url}\n`)
  write('maps/a b.js.map', '{}')
  expect(await codes()).toEqual(['leak-map maps/a b.js.map', ...expected])
})

it('finds manifests that list maps', async () => {
  write('.vite/manifest.json', '{"a":{"file":"a.js","assets":["a.js.map"]}}')
  write('sw.js', 'precacheAndRoute([{url:"assets/a.js",revision:null},{url:"assets/a.js.map",revision:null}])')
  write('assets/reader.js', 'open("x.js.map")')
  expect(await codes()).toEqual(['leak-manifest .vite/manifest.json', 'leak-manifest sw.js'])
})

it('finds a map that a manifest lists under a name that is not a URL', async () => {
  write(
    'asset-manifest.json',
    '{"files":{"main.js.map":"/static/js/main.1a2b.js.map","main.js": "/static/js/main.1a2b.js"}}',
  )
  write('static/js/main.1a2b.js.map', '{}')
  write('ngsw.json', '{"hashTable":{"/gone.js.map":"1a2b"}}')
  const problems = await findLeaks({ directory })
  expect(problems.filter(({ code }) => code === 'leak-manifest')).toMatchObject([
    { file: 'asset-manifest.json', message: 'The file refers to /static/js/main.1a2b.js.map.' },
    {
      file: 'ngsw.json',
      message: expect.stringMatching(
        /^The file refers to \/gone\.js\.map\. Browsers do not install the service worker if any/,
      ),
    },
  ])
})

it.each([
  ['webpack and Rspack', '{"assets":[{"name":"gone.js.map"}],"assetsByChunkName":{"main":["main.js","gone.js.map"]}}'],
  ['several webpack and Rspack configs', '{"children":[{"assetsByChunkName": {"main": ["main.js", "gone.js.map"]}}]}'],
  ['esbuild', '{"outputs":{"gone.js.map":{"bytes":9},"main.js":{"inputs":{"a.ts":{"bytesInOutput":9}}}}}'],
  ['Module Federation in Vite', '{"shared":[],"buildOutput":[{"fileName":"gone.js.map","type":"asset","size":9}]}'],
  ['a large build', `{"assets":["gone.js.map","${'x'.repeat(600 * 1024)}"],"assetsByChunkName":{}}`],
])('does not report bundler statistics, which no browser loads: %s', async (_, content) => {
  write('stats.json', content)
  expect(await codes()).toEqual([])
})

it('does not report a map that a Cloudflare worker lists, because no browser loads it', async () => {
  write('_worker.js/manifest_abc.mjs', 'export const manifest = { assets: ["/_astro/gone.js.map"] }')
  expect(await codes()).toEqual([])
})

it('finds maps whose names are not ASCII', async () => {
  write('sw.js', 'precacheAndRoute([{url:"à入口.js.map",revision:null}])')
  write('à入口.js', 'a()\n//# sourceMappingURL=à入口.js.map\n')
  write('à入口.js.map', '{}')
  const problems = await findLeaks({ directory })
  expect(problems.map(({ code }) => code).sort()).toEqual(['leak-manifest', 'leak-map'])
  expect(problems.find(({ code }) => code === 'leak-manifest')?.message).toBe('The file refers to à入口.js.map.')
})

it.each([
  ['in plain text', KEY],
  ['percent-encoded', encodeURIComponent(KEY)],
  ['in a JSON string', JSON.stringify(KEY)],
  ['base64', Buffer.from(KEY).toString('base64')],
  ['base64url', Buffer.from(KEY).toString('base64url')],
  ['in base64 with other text around it, offset 1', Buffer.from(`a${KEY}zz`).toString('base64')],
  ['in base64 with other text around it, offset 2', Buffer.from(`ab${KEY}z`).toString('base64')],
  ['in basic authentication', Buffer.from(`user:${KEY}`).toString('base64')],
])('finds the API key %s', async (_, form) => {
  write('assets/a.js', `fetch("/",{headers:{k:${form}}})`)
  write('image.bin', Buffer.concat([Buffer.alloc(10), Buffer.from(form), Buffer.from([255])]))
  expect(await codes()).toEqual(['leak-api-key assets/a.js', 'leak-api-key image.bin'])
})

it('finds the API key anywhere in a large file, even across chunk boundaries', async () => {
  const size = 600 * 1024
  for (const at of [0, 256 * 1024 - 1, 256 * 1024 - 17, 256 * 1024, 512 * 1024 - KEY.length, size - KEY.length]) {
    const content = Buffer.alloc(size, 'x')
    content.write(KEY, at)
    write('big.bin', content)
    const problems = await findLeaks({ directory, apiKey: new Secret(KEY) })
    expect(problems).toMatchObject([{ code: 'leak-api-key', severity: 'error' }])
    expect(problems[0]?.message).toContain(`at byte offset ${at}.`)
  }
})

it('does not search for a key that is too short', async () => {
  write('a.js', 'k=1')
  expect(await findLeaks({ directory, apiKey: new Secret('k') })).toEqual([])
})

const HEX = Buffer.from(KEY).toString('hex')
it.each<[string, string | Buffer]>([
  ['hexadecimal digits', HEX],
  ['uppercase hexadecimal digits', HEX.toUpperCase()],
  ['UTF-16', Buffer.from(KEY, 'utf16le')],
  ['UTF-16 with the other byte order', Buffer.from(KEY, 'utf16le').swap16()],
  ['escaped code units', HEX.replace(/../g, '\\u00$&')],
  ['escaped bytes', HEX.replace(/../g, '\\x$&')],
  ['percent-encoding for every byte', HEX.toUpperCase().replace(/../g, '%$&')],
])('finds the key encoded as %s', async (_name, text) => {
  write('a.js', Buffer.concat([Buffer.from('call("'), Buffer.from(text), Buffer.from('")')]))
  expect(await codes()).toEqual(['leak-api-key a.js'])
})

type Compress = (text: string) => Uint8Array
const { zstdCompressSync } = zlib as { zstdCompressSync?: Compress }
it.each<[string, Compress]>([
  ['gz', zlib.gzipSync],
  ['svgz', zlib.gzipSync],
  ['br', zlib.brotliCompressSync],
  ...(zstdCompressSync ? [['zst', zstdCompressSync] satisfies [string, Compress]] : []),
])('finds the key in a compressed copy: .%s', async (ending, compress) => {
  write(`a.js.${ending}`, Buffer.from(compress(`call("${KEY}")`)))
  write(`b.js.${ending}`, 'not compressed')
  expect(await codes()).toEqual([`leak-api-key a.js.${ending}`])
})

it('finds the key in a file or directory name, and does not print it', async () => {
  const [key, hex] = ['k3y-1234567890', Buffer.from('k3y-1234567890').toString('hex')]
  write(`${key}/a.js`, 'a()')
  write(`chunk.${hex}.js`, 'a()')
  const problems = await findLeaks({ directory, apiKey: new Secret(key) })
  expect(problems.map(({ code, file }) => `${code} ${file}`).sort()).toEqual([
    'leak-api-key ***/a.js',
    `leak-api-key chunk.${hex}.js`,
  ])
})
