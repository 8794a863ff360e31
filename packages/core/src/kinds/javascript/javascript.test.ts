import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFile } from '../../files/remove-file.ts'
import { prove } from '../../pipeline/preparation.ts'
import { placeOf } from '../index.ts'
import { collectJavaScript, type JavaScriptInput } from './javascript.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-js-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'

function write(file: string, content: string | Buffer): void {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function collect(extra: Partial<JavaScriptInput> = {}) {
  return collectJavaScript({
    directory: root,
    service: 'shop',
    version: '1',
    minifiedPathPrefix: '/p/',
    toolVersion: '0',
    ...extra,
  })
}

async function found(extra?: Partial<JavaScriptInput>) {
  const { uploads, problems } = await collect(extra)
  const pairs = uploads.map(({ event, parts }) => [placeOf(event), parts[0]?.path.slice(root.length + 1)])
  return { pairs, problems: problems.map(({ code, file }) => (file === undefined ? code : `${code} ${file}`)) }
}

describe('pairing scripts with source maps', () => {
  it('follows sourceMappingURL, or else the file name, for .js, .mjs and .cjs but not for style sheets', async () => {
    write('a.js', 'x()\n//# sourceMappingURL=maps/a.map\n')
    write('maps/a.map', MAP)
    write('sub/b.mjs', 'x()')
    write('sub/b.mjs.map', MAP)
    write('c.cjs', 'x();//# sourceMappingURL=c%20c.cjs.map?v=1')
    write('c c.cjs.map', MAP)
    write('d.css', 'a{}/*# sourceMappingURL=d.css.map */')
    write('d.css.map', MAP)
    expect(await found()).toEqual({
      pairs: [
        ['/p/a.js', 'maps/a.map'],
        ['/p/c.cjs', 'c c.cjs.map'],
        ['/p/sub/b.mjs', 'sub/b.mjs.map'],
      ],
      problems: [],
    })
  })

  it("does not mistake a bundled library's comment within the code for the script's own", async () => {
    const amid = (url: string) => `library()\n//# sourceMappingURL=${url}\nown()\n`
    write('inline.js', amid('data:application/json;base64,e30='))
    write('inline.js.map', MAP)
    write('away.js', amid('https://maps.example.com/library.js.map'))
    write('gone.js', amid('library.js.map'))
    write('outside.js', amid('../library.js.map'))
    // A later build step may have appended code after the comment.
    write('banner.js', amid('maps/banner.map'))
    write('maps/banner.map', MAP)
    expect(await found()).toEqual({
      pairs: [
        ['/p/banner.js', 'maps/banner.map'],
        ['/p/inline.js', 'inline.js.map'],
      ],
      problems: ['no-map away.js', 'no-map gone.js', 'no-map outside.js'],
    })
  })

  it('finds a map in the allowed root if a later build step appended text after the comment', async () => {
    write('dist/a.js', 'own()\n//# sourceMappingURL=../maps/a.map\nbanner()\n')
    write('dist/gone.js', 'own()\n//# sourceMappingURL=../maps/gone.map\nbanner()\n')
    write('maps/a.map', MAP)
    const directory = join(root, 'dist')
    expect(await found({ directory, allowedRoot: root })).toEqual({
      pairs: [['/p/a.js', 'maps/a.map']],
      problems: ['no-map gone.js'],
    })
    expect((await found({ directory })).problems).toEqual(['nothing-found'])
  })

  it('finds a map in another directory if it names its script', async () => {
    const mapOf = (file: string) => MAP.replace('{', `{"file":${JSON.stringify(file)},`)
    write('js/main.435b.js', 'x()')
    write('js/main.bbc3.js.map', mapOf('js/main.435b.js'))
    write('js/10.chunk.js', 'x()')
    write('js/10.map', mapOf('10.chunk.js'))
    write('js/win.js', 'x()')
    write('maps/w.map', mapOf('C:\\\\build\\\\win.js'))
    // webpack writes the `file` field before it replaces [contenthash] with the final hash.
    write('js/final.9ee7.js', 'x()')
    write('maps/js/final.9ee7.js.map', mapOf('js/final.c5e5.js'))
    write('js/away.js', 'x()\n//# sourceMappingURL=https://maps.example.com/js/away.js.map\n')
    write('js/gone.js', 'x()\n//# sourceMappingURL=gone.js.map\n')
    for (const file of ['away', 'gone']) write(`maps/${file}.js.map`, MAP)
    // For each of these scripts, more than one map is possible.
    for (const file of ['a/same.js', 'b/same.js', 'js/two.js']) write(file, 'x()')
    for (const file of ['maps/same.js.map', 'maps/two.js.map', 'old/two.js.map']) write(file, MAP)
    const { pairs, problems } = await found()
    expect(pairs).toEqual([
      ['/p/js/10.chunk.js', 'js/10.map'],
      ['/p/js/away.js', 'maps/away.js.map'],
      ['/p/js/final.9ee7.js', 'maps/js/final.9ee7.js.map'],
      ['/p/js/gone.js', 'maps/gone.js.map'],
      ['/p/js/main.435b.js', 'js/main.bbc3.js.map'],
      ['/p/js/win.js', 'maps/w.map'],
    ])
    expect(problems).toEqual([
      ...['a/same.js', 'b/same.js', 'js/two.js'].map((file) => `no-map ${file}`),
      ...['maps/same.js.map', 'maps/two.js.map', 'old/two.js.map'].map((file) => `map-orphan ${file}`),
    ])
  })

  it('ignores a map that may belong to a deleted script or to another script with the same name', async () => {
    const mapOf = (file: string) => MAP.replace('{', `{"file":${JSON.stringify(file)},`)
    for (const file of ['vendor/lib.js', 'old/app.js', 'a/two.js']) {
      write(file, 'x()')
      write(`${file}.map`, MAP)
    }
    for (const file of ['index.js', 'app.js', 'b/two.js']) write(file, 'x()')
    write('vendor/index.js.map', mapOf('index.js'))
    write('old/app.1.js.map', mapOf('app.js'))
    write('maps/two.js.map', MAP)
    const { pairs, problems } = await found()
    expect(pairs).toHaveLength(3)
    expect(problems).toEqual([
      ...['app.js', 'b/two.js', 'index.js'].map((file) => `no-map ${file}`),
      ...['maps/two.js.map', 'old/app.1.js.map', 'vendor/index.js.map'].map((file) => `map-orphan ${file}`),
    ])
  })

  it.each([
    ['/assets/maps/x4af.map', 'maps/x4af.map'],
    ['https://www.example.com/assets/maps/x4af.map', 'maps/x4af.map'],
    ['//www.example.com/assets/maps/x4af.map?v=1', 'maps/x4af.map'],
    ['/maps/x4af.map', 'maps/x4af.map'],
    ['https://other.example.com/assets/maps/x4af.map', 'map-remote app.js'],
    // A path without a host belongs to the same site, so the prefix may be that of a CDN.
    ['/public/js/maps/x4af.map', 'maps/x4af.map'],
    ['/asset/maps/gone.map', 'map-missing app.js'],
  ])('resolves the map URL %s using the prefix', async (url, expected) => {
    write('app.js', `x()\n//# sourceMappingURL=${url}\n`)
    write('maps/x4af.map', MAP)
    const { pairs, problems } = await found({ minifiedPathPrefix: 'https://www.example.com/assets' })
    expect([...pairs.map(([, map]) => map), ...problems]).toContain(expected)
  })

  it('uses the adjacent map if a script names itself or another script as its map', async () => {
    write('a.js', 'x()\n//# sourceMappingURL=a.js\n')
    write('b.min.js', 'x()\n//# sourceMappingURL=b.js\n')
    for (const map of ['a.js.map', 'b.min.js.map']) write(map, MAP)
    write('c.js', 'x()\n//# sourceMappingURL=c.js\n')
    expect(await found()).toEqual({
      pairs: [
        ['/p/a.js', 'a.js.map'],
        ['/p/b.min.js', 'b.min.js.map'],
      ],
      problems: ['map-missing c.js'],
    })
  })

  it.each([
    ['gzip', gzipSync],
    ['Brotli', brotliCompressSync],
  ])('uploads the decompressed text of files that contain %s data, and reports it', async (name, compress) => {
    const script = 'function pay() { throw new Error("declined") }\n//# sourceMappingURL=app.js.map\n'
    write('app.js', compress(script))
    write('app.js.map', compress(MAP))
    const { uploads, problems } = await collect()
    expect(uploads[0]?.parts.map(({ content }) => String(content))).toEqual([MAP, script])
    expect(problems).toMatchObject([
      { code: 'file-compressed', file: 'app.js', message: expect.stringContaining(name) },
    ])
  })

  it('limits the decompressed size of Brotli data', async () => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
    write('app.js', brotliCompressSync(Buffer.alloc(64 * 1024 * 1024, 'a'), { params }))
    write('app.js.map', MAP)
    const { problems } = await collect()
    expect(problems.map(({ code }) => code)).not.toContain('file-compressed')
  })

  it('reports that a directory contains only compressed copies', async () => {
    for (const file of ['app.js.gz', 'app.js.map.gz']) write(file, gzipSync('x'))
    expect((await collect()).problems).toMatchObject([
      { code: 'nothing-found', message: expect.stringMatching(/such as app\.js\.gz\.$/) },
    ])
  })

  it('finds WebAssembly modules only if they name a map', async () => {
    const section = (name: string, content: string) => {
      const body = [...[name, content].map((text) => String.fromCharCode(text.length) + text)].join('')
      return Buffer.from(`\0${String.fromCharCode(body.length)}${body}`, 'latin1')
    }
    const module = (...sections: Buffer[]) => Buffer.concat([Buffer.from('\0asm\x01\0\0\0', 'latin1'), ...sections])
    write('app.wasm', module(section('sourceMappingURL', 'app.wasm.map')))
    write('cdn.wasm', module(section('sourceMappingURL', 'https://cdn.example.com/p/cdn.wasm.map')))
    for (const map of ['app.wasm.map', 'cdn.wasm.map']) write(map, MAP)
    write('library.wasm', module(section('sourceMappingURL', './library.wasm.map')))
    write('plain.wasm', module(section('producers', '')))
    write('empty.wasm', '')
    expect(await found()).toEqual({
      pairs: [
        ['/p/app.wasm', 'app.wasm.map'],
        ['/p/cdn.wasm', 'cdn.wasm.map'],
      ],
      problems: [],
    })
    // Without the source text, there is nothing to compare the map with.
    expect((await prove((await collect()).uploads)).files).toBe(0)
  })

  it('does not report that source maps are off if it finds maps without a script', async () => {
    write('app.js', 'x()')
    write('other.js.map', MAP)
    const { problems } = await collect()
    expect(problems.map(({ code }) => code)).toEqual(['map-orphan', 'nothing-found'])
    expect(problems[1]?.fix).toContain('put each source map next to its script')
  })

  it('reads backslashes in sourceMappingURL the way browsers do', async () => {
    write('js/a.js', 'x()\n//# sourceMappingURL=..\\maps\\a.map\n')
    write('maps/a.map', MAP)
    expect(await found()).toEqual({ pairs: [['/p/js/a.js', 'maps/a.map']], problems: [] })
  })

  it('finds scripts with custom extensions if the bundler provides their maps', async () => {
    const others = ['d.css', 'app.wxss', 'theme.css.liquid', 'e.d.ts', 'f.wasm', 'g.bundle']
    for (const file of ['A.MJS', 'main-x1', 'lazy.es6', ...others]) {
      write(file, 'x()')
      write(`${file}.map`, MAP)
    }
    expect((await found()).pairs).toEqual([['/p/A.MJS', 'A.MJS.map']])
    const named = ['main-x1', 'lazy.es6', ...others]
    expect((await found({ mapOf: new Map(named.map((file) => [file, `${file}.map`])) })).pairs).toEqual([
      ['/p/A.MJS', 'A.MJS.map'],
      ['/p/lazy.es6', 'lazy.es6.map'],
      ['/p/main-x1', 'main-x1.map'],
    ])
  })

  it('reports that a written map was deleted and that no file references it', async () => {
    write('a.js', 'x()')
    const { problems } = await collect({ files: ['a.js', 'a.js.map'], mapOf: new Map([['a.js', 'a.js.map']]) })
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['map-missing', 'The build wrote the source map a.js.map, but another build step has already deleted it.'],
      ['nothing-found', expect.stringContaining('but no usable source map')],
    ])
    for (const { fix } of problems) expect(fix).toContain('filesToDeleteAfterUpload')
  })

  it('reports that the plugin runs twice if an uploader in the same process deleted the map', async () => {
    write('a.js', 'x()')
    write('a.js.map', MAP)
    removeFile(root, join(root, 'a.js.map'))
    const { problems } = await collect({ files: ['a.js', 'a.js.map'], mapOf: new Map([['a.js', 'a.js.map']]) })
    expect(problems[0]?.message).toBe('The build wrote the source map a.js.map, but symup has already deleted it.')
    for (const { fix } of problems) expect(fix).toContain('Add the plugin to the config only once')
  })

  it('explains how to fix a wrong map, rather than how to turn maps on, if no file is left', async () => {
    write('a.js', 'x()')
    write('a.js.map', '<html>')
    write('b.js', 'x()')
    const { problems } = await collect({})
    expect(problems.map(({ code }) => code)).toEqual(['map-invalid', 'nothing-found'])
    expect(problems[1]?.fix).toBe(problems[0]?.fix)
  })

  it('sends the event and both files as the protocol requires', async () => {
    write('a.js', 'x()\n//# sourceMappingURL=a.js.map\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17')
    write('a.js.map', MAP)
    const { uploads } = await collect({ projectPath: 'web' })
    expect(uploads[0]?.event).toEqual({
      type: 'js_sourcemap',
      cli_version: '0',
      service: 'shop',
      version: '1',
      minified_url: '/p/a.js',
      project_path: 'web',
      debug_id: '85314830-023f-4cf1-a267-535f4e37bb17',
    })
    expect(uploads[0]?.parts.map(({ name, filename, bytes }) => [name, filename, bytes])).toEqual([
      ['source_map', 'source_map', MAP.length],
      ['minified_file', 'minified_file', 82],
    ])
  })

  it('finds the comment only at the end of a line, and uses the last one', async () => {
    write(
      'a.js',
      'const s = "//# sourceMappingURL=nope.map";\n//# sourceMappingURL=old.map\n//# sourceMappingURL=a.map\n',
    )
    write('a.map', MAP)
    expect((await found()).pairs).toEqual([['/p/a.js', 'a.map']])
  })

  it("uses only the bundler's list of files and the map that it names", async () => {
    write('a.js', 'x()')
    write('other.js', 'x()')
    write('m/a.json', MAP)
    const files = ['a.js', 'm/a.json']
    expect(await found({ files, mapOf: new Map([['a.js', 'm/a.json']]) })).toEqual({
      pairs: [['/p/a.js', 'm/a.json']],
      problems: [],
    })
  })

  it('extracts an inline map of any length from the file, and warns that it will be deployed', async () => {
    const long = JSON.stringify({
      version: 3,
      sources: ['a.ts'],
      sourcesContent: ['é'.repeat(20_000)],
      mappings: 'AAAA',
    })
    write('a.js', `x()\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(long).toString('base64')}\n`)
    write('b.js', `x()\n//# sourceMappingURL=data:application/json,${encodeURIComponent(MAP)}`)
    const { uploads, problems } = await collect()
    expect(uploads.map(({ parts }) => Buffer.from(parts[0]?.content ?? []).toString())).toEqual([long, MAP])
    expect(problems.map(({ code }) => code)).toEqual(['map-inline', 'map-inline'])
  })

  it.each([
    [
      'webpack',
      String.raw`(()=>{var e={873(){eval("{\n;// ./src/a.js\na()\n//# sourceURL=[module]\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,e30=\n//# sourceURL=webpack-internal:///873\n\n}")}};e[873]()})();`,
    ],
    ['webpack with Trusted Types', String.raw`eval(n.ts("a()\n\n//# sourceURL=webpack://shop/./src/a.js?"));`],
  ])('reports source text that %s puts into eval calls anywhere in the file', async (_, script) => {
    write('a.js', script)
    write('b.js', `${'x();'.repeat(600_000)}${script}${'x();'.repeat(600_000)}`)
    write('c.js', 'const url = "//# sourceURL=webpack://"; evaluate(url)')
    const { uploads, problems } = await collect()
    expect(uploads).toEqual([])
    expect(problems.map(({ code, file }) => [code, file])).toEqual([
      ['map-inline', 'a.js'],
      ['map-inline', 'b.js'],
      ['nothing-found', undefined],
    ])
    expect(problems.at(-1)?.fix).toContain('hidden source maps')
  })

  it('encodes the URL the way a browser does', async () => {
    write('ü b#c%20.js', 'x()')
    write('ü b#c%20.js.map', MAP)
    expect((await found({ minifiedPathPrefix: 'https://cdn/x' })).pairs[0]?.[0]).toBe(
      'https://cdn/x/%C3%BC%20b%23c%2520.js',
    )
  })

  it('produces a single slash for the prefix /', async () => {
    write('static/app.js', 'x()')
    write('static/app.js.map', MAP)
    expect((await found({ minifiedPathPrefix: '/' })).pairs[0]?.[0]).toBe('/static/app.js')
  })

  it('accepts a map name in UTF-8, as written by webpack, Rspack, Rollup and Vite, or percent-encoded', async () => {
    write('入口.js', 'x()\n//# sourceMappingURL=maps/入口.map')
    write('à.js', 'y()\n//# sourceMappingURL=maps/%C3%A0.map')
    write('maps/入口.map', MAP)
    write('maps/à.map', MAP)
    const { pairs, problems } = await found()
    expect(pairs.map(([, map]) => map).sort()).toEqual(['maps/à.map', 'maps/入口.map'])
    expect(problems).toEqual([])
  })

  it('does not follow link loops forever', async () => {
    write('a.js', 'x()')
    write('a.js.map', MAP)
    symlinkSync(root, join(root, 'loop'))
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling.js'))
    expect(await found()).toEqual({ pairs: [['/p/a.js', 'a.js.map']], problems: [] })
  })
})

describe('problems with scripts and maps', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'a map comment for a missing file',
      { 'a.js': 'x()\n//# sourceMappingURL=a.js.map' },
      ['map-missing a.js', 'nothing-found'],
    ],
    [
      'a map comment for a missing file outside the directory',
      { 'a.js': '//# sourceMappingURL=../../no.map' },
      ['map-missing a.js', 'nothing-found'],
    ],
    ['a script without a map', { 'a.js': 'x()', 'b.js': 'y()' }, ['nothing-found']],
    [
      'a map in another directory',
      { 'a.js': '//# sourceMappingURL=https://h/a.map' },
      ['map-remote a.js', 'nothing-found'],
    ],
    ['an empty map', { 'a.js': 'x()', 'a.js.map': '' }, ['file-empty a.js.map', 'nothing-found']],
    ['an empty script', { 'a.js': '', 'a.js.map': MAP }, ['file-empty a.js', 'nothing-found']],
    [
      'a web page instead of a map',
      { 'a.js': 'x()', 'a.js.map': '<!doctype html>' },
      ['map-invalid a.js.map', 'nothing-found'],
    ],
    ['a map that is not JSON', { 'a.js': 'x()', 'a.js.map': 'hello' }, ['map-invalid a.js.map', 'nothing-found']],
    ['a truncated map', { 'a.js': 'x()', 'a.js.map': MAP.slice(0, -9) }, ['map-invalid a.js.map', 'nothing-found']],
    ['a map without a script', { 'a.js.map': MAP }, ['map-orphan a.js.map', 'nothing-found']],
    ['nothing', {}, ['nothing-found']],
  ])('reports %s', async (_, files, expected) => {
    for (const [file, content] of Object.entries(files)) write(file, content)
    expect(await found()).toEqual({ pairs: [], problems: expected })
  })

  it('does not follow a link to a map that the bundler wrote outside the root', async () => {
    write('dist/a.js', 'x()')
    write('maps/a.js.map', MAP)
    const elsewhere = { files: ['a.js', '../maps/a.js.map'], mapOf: new Map([['a.js', '../maps/a.js.map']]) }
    const { problems } = await collect({ directory: join(root, 'dist'), ...elsewhere })
    expect(problems).toMatchObject([
      { code: 'file-outside', message: 'The source map is outside the uploaded directory.' },
      { code: 'nothing-found' },
    ])
  })

  it('reports missing scripts rather than missing maps if the directory contains no script', async () => {
    write('index.html', '<script>f()</script>')
    const { problems } = await collect({ directory: root })
    expect(problems.map(({ fix }) => fix)).toEqual([
      'Pass the output directory of the build. Inline scripts in HTML pages cannot be uploaded.',
    ])
  })

  it('reports a directory that does not exist or is a file', async () => {
    write('file', '')
    for (const directory of [join(root, 'no'), join(root, 'file')]) {
      const { problems } = await collect({ directory })
      expect(problems.map(({ code }) => code)).toEqual(['directory-unreadable'])
    }
  })

  it('reports that a listed file was deleted', async () => {
    expect((await found({ files: ['gone.js'] })).problems).toContain('file-unreadable gone.js')
  })
})

/** Output from Vite 8 in an app with SvelteKit 3. */
const PRELOADER =
  `var e=function(e,t){return new URL(e,t).href},t={},n=function(e){return e.pathname.endsWith(~.css~)},r=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},i=function(i,a,o){let s=Promise.resolve();if(a&&a.length>0){let i,c=document.querySelector(~meta[property=csp-nonce]~),l=c?.nonce||c?.getAttribute(~nonce~);function u(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:~fulfilled~,value:e}),e=>({status:~rejected~,reason:e}))))}function d(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}s=u(a.map(a=>{a=e(a,o);let s=d(a),c=n(s);return r(t,s.href,()=>{if(i===void 0){i={all:new Set,styles:new Set};let e=document.getElementsByTagName(~link~);for(let t=e.length-1;t>=0;t--){let n=e[t];i.all.add(n.href),n.rel===~stylesheet~&&i.styles.add(n.href)}}if((c?i.styles:i.all).has(s.href))return;let e=document.createElement(~link~);if(e.rel=c?~stylesheet~:~modulepreload~,c||(e.as=~script~),e.crossOrigin=~~,e.href=s.href,l&&e.setAttribute(~nonce~,l),document.head.appendChild(e),c)return new Promise((t,n)=>{let r=i=>{e.removeEventListener(~load~,r),e.removeEventListener(~error~,r),i.type===~error~?n(Error(~Unable to preload CSS for \${s}~)):t(i)};e.addEventListener(~load~,r),e.addEventListener(~error~,r)})})}).filter(e=>e!==void 0))}function c(e){let t=new Event(~vite:preloadError~,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return s.then(e=>{for(let t of e||[])t.status===~rejected~&&c(t.reason);return i().catch(c)})};export{i as t};`.replaceAll(
    '~',
    '`',
  )

/** Output from Vite 8 for an app with CommonJS modules. */
const RUNTIME =
  'var e=Object.create,t=Object.defineProperty,n=Object.getOwnPropertyDescriptor,r=Object.getOwnPropertyNames,i=Object.getPrototypeOf,a=Object.prototype.hasOwnProperty,o=(e,t)=>()=>(t||(e((t={exports:{}}).exports,t,t.exports),e=null),t.exports),s=(e,n)=>{let r={};for(var i in e)t(r,i,{get:e[i],enumerable:!0});return n||t(r,Symbol.toStringTag,{value:`Module`}),r},c=(e,i,o,s)=>{if(i&&typeof i==`object`||typeof i==`function`)for(var c=r(i),l=0,u=c.length,d;l<u;l++)d=c[l],!a.call(e,d)&&d!==o&&t(e,d,{get:(e=>i[e]).bind(null,d),enumerable:!(s=n(i,d))||s.enumerable});return e},l=(n,r,o)=>(o=n==null?{}:e(i(n)),c(r||!n||!n.__esModule||!a.call(n,`default`)?t(o,`default`,{value:n,enumerable:!0}):o,n));export{s as n,l as r,o as t};'

describe('scripts that do not need a map', () => {
  beforeEach(() => {
    write('a.js', 'x()\n')
    write('a.js.map', MAP)
  })
  const problemsWith = async (file: string, content: string) => {
    write(file, content)
    const { pairs, problems } = await found()
    expect(pairs).toEqual([['/p/a.js', 'a.js.map']])
    return problems
  }

  it.each([
    'static/x1/_buildManifest.js',
    'static/x1/_ssgManifest.js',
    'static/x1/_clientMiddlewareManifest.js',
    'registerSW.js',
    'sourcemap-register.js',
    'sourcemap-register.cjs',
    'assets/preload-helper-Dd-HcVz_.js',
    'assets/rolldown-runtime-zSbnoVup.js',
    'assets/mf-entry-bootstrap-0-4b8bad39.js',
    'assets/_tanstack-start-manifest_v-BGwM_lE5.js',
    'flutter_service_worker.js',
    'canvaskit/chromium/canvaskit.js',
    'canvaskit/skwasm_heavy.js',
    'main.dart.mjs',
  ])('accepts %s without a map', async (file) => {
    expect(await problemsWith(file, 'self.__LIST={};self.__LIST_CB&&self.__LIST_CB()\n')).toEqual([])
  })

  it("accepts Flutter's loader without a map, because it references a map that Flutter does not ship", async () => {
    write('main.dart.js', 'x()\n')
    write('main.dart.js.map', MAP)
    for (const file of ['flutter.js', 'sub/flutter_bootstrap.js'])
      write(file, '(()=>{load()})();\n//# sourceMappingURL=flutter.js.map\n')
    write('flutters.js', 'x()\n//# sourceMappingURL=flutters.js.map\n')
    expect(await found()).toEqual({
      pairs: [
        ['/p/a.js', 'a.js.map'],
        ['/p/main.dart.js', 'main.dart.js.map'],
      ],
      problems: ['map-missing flutters.js'],
    })
  })

  it('accepts translations of any length without a map', async () => {
    const text = `var e=JSON.parse(\`{"id":["${'words (and more) '.repeat(6000)}"]}\`);export{e as messages};`
    expect(await problemsWith('ca-ES.js', text)).toEqual([])
    expect(await problemsWith('ca-ES.js', text.replace(/export.*/, 'start(e)'))).toEqual(['no-map ca-ES.js'])
  })

  it.each([
    ['chunk loader', PRELOADER, []],
    ['helpers', RUNTIME, [RUNTIME.replace('e=null', 'e.pay()')]],
  ])("accepts the bundler's %s without a map, whatever the file is called", async (_, text, others) => {
    expect(await problemsWith('XKyaHtl9.js', text)).toEqual([])
    for (const more of [...others, text.replace(';export', ';pay();export'), `pay();${text}`])
      expect(await problemsWith('XKyaHtl9.js', more)).toEqual(['no-map XKyaHtl9.js'])
  })

  it.each([
    'self.webpackChunkshop=self.webpackChunkshop||[]).push([[869],{728(){}},p=>{p(728)}]);',
    'self.webpackChunkshop=self.webpackChunkshop||[]).push([[869],{728(){},"./a.css"(){}},p=>{var a=a=>p(a);a(728),a(991)}]);',
    'self.webpackChunk=self.webpackChunk||[]).push([[869],{728:function(){},991:()=>{}},function(n){var u=function(u){return n(u)};u(728),u(991)}]);',
    'self.rspackChunkshop=self.rspackChunkshop||[]).push([["styles"],{473(){}},function(s){s(s.s=473)}]);',
    'self.webpackChunkshop=self.webpackChunkshop||[]).push([[12,13],{728(){}}])\n',
    'self.webpackChunk=self.webpackChunk||[]).push([[253],{253:function(e,s,u){u.r(s)}}]);',
    'self.webpackChunk=self.webpackChunk||[]).push([[253],{253(e,s,u){"use strict";u.r(s)},7:(e,s,u)=>{u.r(s)}}]);',
    'self.webpackChunk=self.webpackChunk||[]).push([[451],{222:function(n,S,u){u.r(S),u.d(S,{A:function(){return U.A},"b-c":()=>C.b});var C=u(562),U=u(907)}}]);',
  ])('accepts what is left of a style sheet entry or of modules without code: %s', async (text) => {
    expect(await problemsWith('styles.js', `"use strict";(${text}`)).toEqual([])
    for (const more of [text.replace(/(?<=\{)(?=\}|u\.r|"use)/, 'pay();'), `${text.trimEnd()};pay()`])
      expect(await problemsWith('styles.js', `"use strict";(${more}`)).toEqual(['no-map styles.js'])
  })

  it('checks scripts quickly even if they imitate such a module in many ways', async () => {
    const text = `(self.a=self.a||[]).push([[1],{1:(a,b,c)=>{c.d(b,{${'a:()=>bbbbbbbb'.repeat(200)}!})}}]);`
    expect(await problemsWith('slow.js', text)).toEqual(['no-map slow.js'])
  })

  it.each([
    `(self.webpackChunk=self.webpackChunk||[]).push([[849],{6164(a){a.exports=JSON.parse('{"a":"b(c)"}')}}]);`,
    `(Array.isArray(globalThis.webpackChunk)?globalThis.webpackChunk:globalThis.webpackChunk=[]).push([[849],{6164(a){a.exports=JSON.parse('["${'x'.repeat(5000)}"]')}}]);`,
    `(self.a=self.a||[]).push([["en"],{"./en.json":e=>{e.exports=JSON.parse("{}")},7:function(e){e.exports=JSON.parse('{}')}}]);`,
  ])('accepts data written by a bundler without a map: %s', async (text) => {
    expect(await problemsWith('en.js', `"use strict";${text}`)).toEqual([])
    for (const more of [
      text.replace('JSON.parse(', `JSON.parse(\`\${a()}\`,`),
      text.replace('JSON.parse(', 'JSON.parse(a,'),
      text.replace('.exports=', '.exports=b.'),
      `${text};pay()`,
    ])
      expect(await problemsWith('en.js', `"use strict";${more}`)).toEqual(['no-map en.js'])
  })

  it('reports every other script without a map', async () => {
    const text = 'self.__LIST={};self.__LIST_CB&&self.__LIST_CB()\n'
    expect(await problemsWith('register.js', text)).toEqual(['no-map register.js'])
  })
})
