import { chmodSync, cpSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import type { ZipEntry } from '@symup/core/internal'
import { openZip } from '@symup/core/resolving'
import { build } from 'esbuild'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CraftedEntry, writeZip } from '../../../test/support/crafted-zip.ts'
import { useDirectory, writeIn } from '../../../test/support/directory.ts'
import { type PackOptions, pack } from './index.ts'

const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}'

const place = useDirectory('each')
let dist: string
let output: string
beforeEach(() => {
  dist = join(place, 'dist')
  output = join(place, 'out/sourcemap.zip')
})

function write(files: Record<string, string | Buffer>, below = dist) {
  for (const [name, content] of Object.entries(files)) writeIn(below, name, content)
}

/** Writes scripts, each with its map. */
function writeScripts(...names: string[]) {
  for (const name of names) write({ [name]: '', [`${name}.map`]: MAP })
}

const app = (fields: object) => JSON.stringify({ pages: ['pages/index/index'], ...fields })

async function packed(from = dist, options: Partial<PackOptions> = {}) {
  const { problems, maps, ...rest } = await pack(from, { output, ...options })
  return {
    ...rest,
    entries: Object.fromEntries(maps.map(({ entry, subPackage }) => [entry, subPackage])),
    problems: problems.map(({ code, file }) => (file === undefined ? code : `${code} ${file}`)),
  }
}

async function sourcesIn(name: string): Promise<string[]> {
  const zip = await openZip(output, 5000)
  const chunks: Buffer[] = []
  await zip.inflate(
    zip.entries.find((entry) => entry.name === name) as ZipEntry,
    1e6,
    (chunk) => void chunks.push(chunk),
  )
  await zip.close()
  return JSON.parse(Buffer.concat(chunks).toString()).sources
}

async function entryNames(): Promise<string[]> {
  const zip = await openZip(output, 5000)
  await zip.close()
  return zip.entries.map(({ name }) => name)
}

async function entryBytes(entry: string): Promise<Buffer> {
  const zip = await openZip(output, 5000)
  const chunks: Buffer[] = []
  const found = zip.entries.find(({ name }) => name === entry)
  if (found) await zip.inflate(found, 1e8, (chunk) => void chunks.push(chunk))
  await zip.close()
  return Buffer.concat(chunks)
}

describe('packing a build', () => {
  it('puts the main package below __FULL__ and each sub-package below its root', async () => {
    const subPackages = [
      { root: 'packageA', pages: ['cart/cart'] },
      { root: '/packages/order/', pages: ['list/list'] },
      { root: 'packages/order/deep', pages: ['x'], independent: true },
    ]
    write({ 'app.json': app({ subPackages }), 'app.wxss.map': MAP, 'readme.txt': '' })
    writeScripts(
      'app.js',
      'pages/index/index.js',
      'packageA/cart/cart.js',
      'packages/order/list/list.js',
      'packages/order/deep/x.js',
      'packages/other.js',
    )
    const result = await packed()
    expect(result).toMatchObject({
      archive: output,
      problems: [],
      entries: {
        '__FULL__/app.js.map': '',
        '__FULL__/packages/other.js.map': '',
        '__FULL__/pages/index/index.js.map': '',
        'packageA/cart/cart.js.map': 'packageA',
        'packages/order/deep/x.js.map': 'packages/order/deep',
        'packages/order/list/list.js.map': 'packages/order',
      },
    })
    expect(await entryNames()).toEqual(Object.keys(result.entries).sort())
    expect(await entryBytes('packageA/cart/cart.js.map')).toEqual(Buffer.from(MAP))
  })

  it.each([
    ['the other spelling', 'dist/', app({ subpackages: [{ root: 'packages/a', pages: [] }] })],
    ['names from Windows', '.\\dist\\', app({ subpackages: [{ root: '.\\packages\\a\\', pages: [] }] })],
  ])('reads the project file of the tools, with %s', async (_, miniprogramRoot, appJson) => {
    write({ 'app.json': appJson })
    writeScripts('packages/a/a.js')
    write({ 'project.config.json': JSON.stringify({ miniprogramRoot, appid: 'wx1' }) }, place)
    expect((await packed(place)).entries).toEqual({ 'packages/a/a.js.map': 'packages/a' })
  })

  it('reads the sub-packages of a mini game', async () => {
    write({ 'game.json': '{ "subpackages": [{ "name": "level", "root": "level/" }] }' })
    writeScripts('game.js', 'level/game.js')
    expect(await packed()).toMatchObject({
      entries: { '__FULL__/game.js.map': '', 'level/game.js.map': 'level' },
      problems: [],
    })
  })

  it('finds the maps that uni-app keeps in a separate tree', async () => {
    const build = join(place, 'dist/build')
    write(
      { 'app.json': app({ subPackages: [{ root: 'packageA' }] }), 'app.js': '', 'packageA/a.js': '' },
      join(build, 'mp-weixin'),
    )
    write({ 'app.js.map': MAP, 'packageA/a.js.map': MAP, 'gone.js.map': MAP }, join(build, '.sourcemap/mp-weixin'))
    expect(await packed(join(build, 'mp-weixin'))).toMatchObject({
      entries: { '__FULL__/app.js.map': '', 'packageA/a.js.map': 'packageA' },
      problems: ['map-orphan gone.js.map'],
    })
  })

  it('reads an app.json with comments, and reports one that is not JSON', async () => {
    writeScripts('app.js', 'packageA/a.js')
    const commented = app({ subPackages: [{ root: 'packageA' }] }).replace('{', '{ // pages\n')
    write({ 'app.json': commented })
    expect((await packed()).entries).toEqual({ '__FULL__/app.js.map': '', 'packageA/a.js.map': 'packageA' })
    write({ 'app.json': commented.slice(0, -1) })
    const { problems } = await pack(dist, { output })
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['app-json-missing', `${join(dist, 'app.json')} is not valid JSON, so the sub-packages are unknown.`],
    ])
  })

  it('uses only the given files', async () => {
    write({ 'app.json': app({}) })
    writeScripts('app.js', 'b.js')
    const files = ['app.js', 'app.js.map', '../out.js.map']
    expect((await packed(dist, { files })).entries).toEqual({ '__FULL__/app.js.map': '' })
  })

  it('names the scripts that will not resolve', async () => {
    writeScripts('app.js')
    write({
      'blank.js': 'a.b()',
      'blank.js.map': MAP.replace('AAAA,CAAC', ';;;'),
      'one.js': 'a.b()',
      'one.js.map': MAP.replace(',CAAC', ''),
      'page.js': '',
      'page.js.map': '<html>',
      'orphan.js.map': MAP,
      'app-service.map.map': MAP,
    })
    expect((await packed()).problems.sort()).toEqual([
      'app-json-missing',
      'map-blank __FULL__/blank.js.map',
      'map-invalid __FULL__/page.js.map',
      'map-old-name app-service.map.map',
      'map-one-segment __FULL__/one.js.map',
      'map-orphan orphan.js.map',
    ])
  })

  it('produces the same bytes for the same files, at any time and in any directory', async () => {
    write({ 'app.json': app({ subPackages: [{ root: 'packageA' }] }) })
    writeScripts('app.js', 'packageA/a.js', 'packageA/b.js')
    // The map is larger than one piece of the compressor.
    write({ 'large.js': '', 'large.js.map': MAP.replace('a.ts', 'long/'.repeat(500_000)) })
    await packed()
    const first = readFileSync(output)
    const moved = join(place, 'moved')
    cpSync(dist, moved, { recursive: true })
    for (const name of ['app.js.map', 'packageA/a.js.map']) utimesSync(join(moved, name), 1, 1)
    chmodSync(join(moved, 'app.js.map'), 0o600)
    const timeZone = process.env.TZ
    process.env.TZ = 'Asia/Shanghai'
    await packed(moved)
    if (timeZone === undefined) delete process.env.TZ
    else process.env.TZ = timeZone
    expect(readFileSync(output).equals(first)).toBe(true)
    expect((await entryBytes('__FULL__/large.js.map')).length).toBe(MAP.length - 4 + 2_500_000)
  })
})

describe('packing an unusable build', () => {
  it('leaves no archive if there are no maps to pack', async () => {
    write({ 'app.json': app({}), 'app.js': '' })
    expect(await packed()).toMatchObject({ archive: undefined, problems: [`archive-without-maps ${dist}`] })
    write({ 'maps/app.js.map': MAP })
    const { problems } = await pack(dist, { output })
    expect(problems.at(-1)?.message).toBe('The scripts for the .js.map files were not found.')
    const nowhere = join(place, 'nowhere')
    expect(await packed(nowhere)).toMatchObject({ archive: undefined, problems: [`directory-unreadable ${nowhere}`] })
    expect(existsSync(output)).toBe(false)
  })

  it('leaves no archive if the intake would refuse it', async () => {
    write({ 'app.json': app({}) })
    writeScripts('app.js')
    write({ 'app.js.map': Buffer.alloc(50 * 1024 * 1024 + 1, 32) })
    const { archive, problems } = await pack(dist, { output })
    expect(archive).toBeUndefined()
    expect(problems.map(({ message }) => message)).toEqual([
      'The archive entry __FULL__/app.js.map is larger than 50 MB when decompressed.',
    ])
    expect(existsSync(output)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')(
    'leaves no archive below /proc, where Node never finishes creating the directory',
    async () => {
      writeScripts('app.js')
      const { archive, problems } = await packed(dist, { output: '/proc/symup/a.zip' })
      expect([archive, problems.at(-1)]).toEqual([undefined, 'file-unreadable /proc/symup'])
    },
  )
})

describe('an exported archive', () => {
  const exported = () => join(place, 'exported.zip')

  it('uses an exported archive unchanged, packed or unpacked', async () => {
    const entries = {
      '__APP__/app-service.js.map': MAP,
      '__FULL__/app-service.js.map': MAP,
      'packages/order/app-service.js.map': MAP,
    }
    writeZip(exported(), { entries: Object.entries(entries).map(([name, content]) => ({ name, content })) })
    const expected = {
      archive: output,
      entries: {
        '__APP__/app-service.js.map': '',
        '__FULL__/app-service.js.map': '',
        'packages/order/app-service.js.map': 'packages/order',
      },
      problems: ['main-package-twice'],
    }
    expect(await packed(exported())).toMatchObject(expected)
    write(entries, join(place, 'unpacked/sourcemap'))
    for (const from of ['unpacked/sourcemap', 'unpacked'])
      expect(await packed(join(place, from))).toMatchObject(expected)
  })

  // Names that start with a slash, stored entries, directories, lower-case `sourceroot`, `miniprogram:///`, and the
  // version that the developer typed.
  it("accepts the exact form of WeChat's own archives", async () => {
    const wx = { version: 1, userVersion: '1.0.2', userNotes: 'a "quoted" } note', packageVersion: 'c0ffee' }
    const stored = (name: string, content = ''): CraftedEntry => {
      const data = Buffer.from(content)
      return { name, deflated: { data, bytes: data.length, crc: crc32(data) }, method: 0 }
    }
    const sources = ['app.js', 'miniprogram:///config/api.js']
    const sourcesContent = sources.map(() => 'throw new Error("x")\n')
    const map = { version: 3, file: '', sourceroot: '', sources, sourcesContent, names: [], mappings: 'AAAA,CCCA', wx }
    writeZip(exported(), {
      entries: [stored('/__FULL__/'), stored('/__FULL__/app-service.js.map', JSON.stringify(map)), stored('/pages/')],
    })
    expect(await packed(exported())).toMatchObject({ entries: { '__FULL__/app-service.js.map': '' }, problems: [] })
    expect(await sourcesIn('__FULL__/app-service.js.map')).toEqual(sources)
  })

  it('loses files that are not maps, and reports why an old map is unusable', async () => {
    const names = ['__FULL__/app-service.map.map', 'readme.txt']
    writeZip(exported(), { entries: names.map((name) => ({ name, content: MAP })) })
    expect(await packed(exported())).toMatchObject({ problems: [`archive-without-maps ${exported()}`] })
    writeZip(exported(), { entries: [...names, 'a.js.map'].map((name) => ({ name, content: MAP })) })
    expect(await packed(exported())).toMatchObject({
      entries: { 'a.js.map': '' },
      problems: [`map-old-name ${names[0]}`],
    })
    writeFileSync(exported(), 'PK')
    expect(await packed(exported())).toMatchObject({ archive: undefined, problems: [`archive-invalid ${exported()}`] })
  })

  it("maps to the sources through the framework's maps", async () => {
    // Simulates a framework's build: TypeScript is compiled to a script with a map.
    write(
      {
        'src/pages/index.tsx':
          'export function crash(price: number) {\n  throw new Error(String(price))\n}\ncrash(3)\n',
      },
      place,
    )
    await build({
      entryPoints: [join(place, 'src/pages/index.tsx')],
      outfile: join(dist, 'pages/index.js'),
      sourcemap: true,
      absWorkingDir: place,
      logLevel: 'error',
    })
    write({ 'app.json': app({ subPackages: [{ root: 'packageA' }] }) })
    cpSync(join(dist, 'pages'), join(dist, 'packageA/pages'), { recursive: true })
    // Simulates a host's bundling: the given scripts are minified into one, with a map that ends at those scripts.
    const host = async (entry: string) => {
      const { outputFiles } = await build({
        entryPoints: [join(dist, entry)],
        outfile: join(place, 'app-service.js'),
        sourcemap: 'external',
        minify: true,
        write: false,
        absWorkingDir: place,
        logLevel: 'error',
        sourcesContent: false,
      })
      const [map, script] = outputFiles.map(({ text }) => text)
      // esbuild has already followed the input's map, but a host's map names its input.
      return { script: script as string, map: JSON.parse(map as string) as { sources: string[] } }
    }
    rmSync(join(dist, 'pages/index.js.map'))
    const bare = await host('pages/index.js')
    await build({
      entryPoints: [join(place, 'src/pages/index.tsx')],
      outfile: join(dist, 'pages/index.js'),
      sourcemap: true,
      absWorkingDir: place,
      logLevel: 'error',
    })
    const named = (source: string) => JSON.stringify({ ...bare.map, sources: [source] })
    expect(bare.map.sources).toEqual(['dist/pages/index.js'])
    writeZip(exported(), {
      entries: [
        { name: '__APP__/app-service.js.map', content: named('weapp:///pages/index.js') },
        { name: 'packageA/app-service.js.map', content: named('pages/index.js') },
        { name: '__FULL__/other.js.map', content: named('elsewhere.js') },
      ],
    })
    const result = await packed(exported(), { over: dist })
    expect(result).toMatchObject({ composed: 2, problems: ['main-package-twice'] })

    const column = bare.script.indexOf('Error(')
    for (const entry of ['__APP__/app-service.js.map', 'packageA/app-service.js.map']) {
      const found = originalPositionFor(new TraceMap((await entryBytes(entry)).toString()), { line: 1, column })
      expect(found).toMatchObject({ source: expect.stringMatching(/src\/pages\/index\.tsx$/), line: 2 })
    }
    expect((await entryBytes('__FULL__/other.js.map')).toString()).toBe(named('elsewhere.js'))
  })

  it('reports that no framework map exists', async () => {
    writeZip(exported(), { entries: [{ name: '__APP__/app-service.js.map', content: MAP }] })
    write({ 'app.json': app({}) })
    writeScripts('app.js')
    expect(await packed(exported(), { over: dist })).toMatchObject({
      archive: output,
      composed: 0,
      problems: ['map-not-composed'],
    })
  })
})

it('uses inline maps', async () => {
  const inline = (map: string) => `x()\n//# sourceMappingURL=data:application/json;base64,${btoa(map)}\n`
  write({
    'app.json': app({}),
    'app.js': inline(MAP),
    'pages/a.js': inline(MAP),
    'bad.js': 'x()\n//# sourceMappingURL=data:x\n',
  })
  const { entries, problems } = await packed()
  expect(entries).toEqual({ '__FULL__/app.js.map': '', '__FULL__/pages/a.js.map': '' })
  expect(problems).toEqual(['map-inline app.js', 'map-invalid bad.js', 'map-inline pages/a.js'])
})

it("gets the project's names for sources from Taro's WeChat build", async () => {
  const sources = [
    '._src_app.tsx',
    '._src_a_b.ts',
    './src/a_b.ts?8373',
    '._node_modules_@s_lib_i.js',
    '.._up_u.ts',
    '._gone.ts',
  ].map((name) => `webpack://shop/${name}`)
  const sourcesContent = ['app()', 'b()', 'other()', '', '', '']
  const map = JSON.stringify({ version: 3, sources, sourcesContent, names: [], mappings: 'AAAA,CCAA,CCAA,CCAA' })
  write({ 'app.json': app({}), 'taro.js': 'x()', 'taro.js.map': MAP, 'app.js': 'x()', 'app.js.map': map })
  write({ 'src/app.tsx': 'app()', 'src/a_b.ts': 'other()', 'src/a/b.ts': 'b()' }, join(place, 'app'))
  write({ 'app/node_modules/@s/lib/i.js': '', 'up/u.ts': '' }, place)
  await packed(dist, { cwd: join(place, 'app') })
  expect(await sourcesIn('__FULL__/app.js.map')).toEqual(
    ['./src/app.tsx', './src/a/b.ts', './src/a_b.ts?8373', './node_modules/@s/lib/i.js', '../up/u.ts', '._gone.ts'].map(
      (name) => `webpack://shop/${name}`,
    ),
  )
  expect(await sourcesIn('__FULL__/taro.js.map')).toEqual(['a.ts'])
})
