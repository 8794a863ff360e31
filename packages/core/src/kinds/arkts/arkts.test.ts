import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ArkTsInput, collectArkTs } from './arkts.ts'
import { arkts } from './index.ts'

const NATIVE = resolve(import.meta.dirname, '../../../../../fixtures/symbols/native')
const CACHE = 'build/default/cache/default/default@CompileArkTS/esmodule/release'

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'symup-arkts-'))
})
afterEach(() => rmSync(project, { recursive: true }))

const map = (name: string, mappings = 'AAAA') =>
  JSON.stringify({
    [`${name}|${name}|1.0.0|src/main/ets/pages/Index.ts`]: { version: 3, sources: ['a.ets'], names: [], mappings },
  })

function put(file: string, text: string, minutesAgo = 0): string {
  const path = join(project, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const time = Date.now() / 1000 - minutesAgo * 60
  utimesSync(path, time, time)
  return path
}

async function collect(input: Partial<ArkTsInput> = {}) {
  const build = { service: 'shop', version: '1.0.0', toolVersion: '0', paths: [project], cwd: project, ...input }
  const { uploads, problems } = await collectArkTs(build)
  return {
    uploads,
    files: uploads.map(({ parts }) => parts.map(({ path }) => path.slice(project.length + 1)).join(' ')),
    problems: problems.map(({ code, severity, file }) => `${severity} ${code} ${file}`),
  }
}

it('uploads the release map of each module with its name cache, but no test target', async () => {
  put('entry/src/main/module.json5', '{}')
  put(`entry/${CACHE}/sourceMaps.map`, map('entry'))
  put(`entry/${CACHE}/obfuscation/nameCache.json`, '{}')
  put('entry/build/default/cache/ohosTest/ohosTest@CompileArkTS/esmodule/release/sourceMaps.map', map('test'))
  put('features/cart/src/main/module.json5', '{}')
  put('features/cart/build/default/cache/default/default@HarCompileArkTS/esmodule/release/sourceMaps.map', map('cart'))
  put('build/outputs/default/app.app', '')
  const { uploads, files, problems } = await collect()
  expect(files).toEqual([
    `entry/${CACHE}/obfuscation/nameCache.json entry/${CACHE}/sourceMaps.map`,
    'features/cart/build/default/cache/default/default@HarCompileArkTS/esmodule/release/sourceMaps.map',
  ])
  expect(uploads[0]?.event).toEqual({ type: 'harmony_sourcemap', cli_version: '0', service: 'shop', version: '1.0.0' })
  expect(uploads[0]?.parts.map(({ name, filename }) => [name, filename])).toEqual([
    ['name_cache', 'nameCache.json'],
    ['source_map', 'sourceMaps.map'],
  ])
  expect(problems).toEqual([`info name-cache-missing ${files[1]}`])
})

it("finds the modules of a project that also contains an Android app, but none of the app's libraries", async () => {
  put(`ohos/entry/${CACHE}/sourceMaps.map`, map('entry'))
  // Plain Gradle and Flutter use different output directories.
  for (const build of ['app/build', 'build/app']) {
    put(`${build}/outputs/apk/release/app.apk`, '')
    mkdirSync(join(project, build, 'intermediates/cmake/release/obj/arm64-v8a'), { recursive: true })
    cpSync(
      join(NATIVE, 'arm64-v8a/libshop.so'),
      join(project, build, 'intermediates/cmake/release/obj/arm64-v8a/libshop.so'),
    )
  }
  expect((await collect()).files).toEqual([`ohos/entry/${CACHE}/sourceMaps.map`])
})

it('prefers the collected files, and finds products, targets and a renamed build directory', async () => {
  for (const [product, target] of [
    ['default', 'default'],
    ['paid', 'tablet'],
  ]) {
    put(`out/${product}/outputs/${target}/symbol/release/entry-sourceMaps.map`, map('entry'))
    put(`out/${product}/outputs/${target}/symbol/release/entry-nameCache.json`, '{}')
    put(`out/${product}/cache/${target}/x`, '')
  }
  const all = (await collect()).files
  expect(all.map((file) => file.split(' ')[1])).toEqual([
    'out/default/outputs/default/symbol/release/entry-sourceMaps.map',
    'out/paid/outputs/tablet/symbol/release/entry-sourceMaps.map',
  ])
  expect((await collect({ product: 'paid', buildDirectory: 'out' })).files).toEqual([all[1]])
  expect((await collect({ target: 'phone' })).problems).toEqual(['error arkts-map-missing .'])
})

const builtFor = (product: string, target: string, text: string) =>
  put(`entry/build/${product}/cache/${target}/${target}@CompileArkTS/esmodule/release/sourceMaps.map`, text)

it('sends no maps for two products whose maps differ, because a stack does not name its product', async () => {
  builtFor('default', 'default', map('entry'))
  builtFor('paid', 'default', map('entry', 'AACA'))
  put(`cart/${CACHE}/sourceMaps.map`, map('cart'))
  const problem = { code: 'arkts-maps-differ', severity: 'error', fix: expect.stringContaining('--product') }
  const input = { service: 'shop', version: '1.0.0', toolVersion: '0', paths: [project], cwd: project }
  const { uploads, problems } = await collectArkTs(input)
  expect(uploads).toEqual([])
  expect(problems).toMatchObject([
    { ...problem, message: 'The source maps of the module entry differ between the products default and paid.' },
  ])
  expect((await collect({ product: 'paid' })).files).toHaveLength(1)
})

it('warns if two targets of a product have different maps for a shared file, but not for their own files', async () => {
  const [one, other] = [map('entry'), map('entry', 'AACA')]
  const page = (name: string, text: string) => text.replace('Index.ts', name)
  const both = (text: string, more: string) => `${text.slice(0, -1)},${more.slice(1)}`
  builtFor('default', 'phone', both(one, page('Phone.ts', one)))
  builtFor('default', 'tablet', both(one, page('Tablet.ts', other)))
  const codes = async () => {
    const { files, problems } = await collect()
    return [files.length, problems.filter((it) => !it.includes('name-cache-missing'))]
  }
  expect(await codes()).toEqual([2, []])
  builtFor('default', 'tablet', other)
  expect(await codes()).toEqual([2, ['warning arkts-maps-differ entry/build']])
  builtFor('default', 'tablet', '{')
  expect(await codes()).toEqual([1, [expect.stringContaining('error arkts-map-invalid entry/build/default')]])
})

it('ignores a stale copy and reports it, or uses it with a warning if it is the only one', async () => {
  const stale = 'build/default/outputs/default/mapping/sourceMaps.map'
  put(stale, map('entry', 'AACA'), 10)
  const alone = await collect({ mode: 'release' })
  expect(alone.files).toEqual([stale])
  expect(alone.problems).toEqual([`warning arkts-map-stale ${stale}`, `info name-cache-missing ${stale}`])
  put(`${CACHE}/sourceMaps.map`, map('entry'))
  put(`${CACHE}/obfuscation/nameCache.json`, '{}')
  const both = await collect()
  expect(both.files).toEqual([`${CACHE}/obfuscation/nameCache.json ${CACHE}/sourceMaps.map`])
  expect(both.problems).toEqual([`warning arkts-map-stale ${stale}`])
  put(stale, map('entry'))
  expect((await collect()).problems).toEqual([])
})

it('uses the newer of two maps built in the right mode', async () => {
  const old = 'build/default/outputs/default/symbol/release/entry-sourceMaps.map'
  put(old, map('entry', 'AACA'), 10)
  put(`${CACHE}/sourceMaps.map`, map('entry'))
  const { files, problems } = await collect()
  expect(files).toEqual([`${CACHE}/sourceMaps.map`])
  expect(problems[0]).toBe(`warning arkts-map-stale ${old}`)
})

it('uses a debug build in its own output directory only on request', async () => {
  put('build/default/intermediates/loader_out/default/ets/sourceMaps.map', map('entry'))
  expect((await collect()).problems).toEqual(['error arkts-map-missing .'])
  expect((await collect({ mode: 'debug' })).files).toEqual([
    'build/default/intermediates/loader_out/default/ets/sourceMaps.map',
  ])
})

it('uploads each library once, follows links, and skips stripped libraries and runtimes', async () => {
  const libraries = 'build/default/intermediates/libs/default'
  cpSync(join(NATIVE, 'arm64-v8a'), join(project, libraries, 'arm64-v8a'), { recursive: true })
  cpSync(join(NATIVE, 'arm64-v8a/libshop.so'), join(project, libraries, 'arm64-v8a/libc++_shared.so'))
  cpSync(join(NATIVE, 'edge/stripped-all.so'), join(project, libraries, 'arm64-v8a/libold.so'))
  mkdirSync(join(project, 'build/default/outputs/default/symbol/release'), { recursive: true })
  symlinkSync(
    join(project, libraries, 'arm64-v8a'),
    join(project, 'build/default/outputs/default/symbol/release/arm64-v8a'),
  )
  cpSync(join(project, libraries), join(project, 'build/default/intermediates/stripped_native_libs/default'), {
    recursive: true,
  })
  put(`${CACHE}/sourceMaps.map`, map('entry'))
  put(`${CACHE}/obfuscation/nameCache.json`, '{}')
  const { uploads, problems } = await collect()
  expect(uploads.slice(1).map(({ event }) => event)).toEqual([
    {
      type: 'harmony_symbol_file',
      cli_version: '0',
      service: 'shop',
      version: '1.0.0',
      arch: 'arm64',
      lib_name: 'libshop.so',
      build_id: '725d8a9b24779d7b7490796a6fc5ee732118dcd1',
    },
  ])
  // A copy of the library is also in the directory of stripped libraries.
  expect(problems).toEqual(['warning native-others-skipped build/default'])
})

it.each([
  ['', 'file-empty'],
  ['{', 'arkts-map-invalid'],
  ['[]', 'arkts-map-invalid'],
  ['{}', 'arkts-map-invalid'],
  ['{"version":3,"mappings":"AAAA","sources":[]}', 'arkts-map-invalid'],
  ['{"entry|entry|1.0.0|a.ts":null}', 'arkts-map-invalid'],
  ['{"entry|entry|1.0.0|a.ts":{"version":2,"mappings":""}}', 'arkts-map-invalid'],
])('classifies a file that is not a module map (%s) as %s', async (text, code) => {
  const path = put('sourceMaps.map', text)
  expect((await collect({ paths: [path] })).problems).toEqual([`error ${code} sourceMaps.map`])
})

it.each(['{', '[]', '"names"', 'null'])(
  'does not send a map whose name cache is not a JSON object (%s)',
  async (text) => {
    const path = put('sourceMaps.map', map('entry'))
    put('nameCache.json', text)
    expect(await collect({ paths: [path] })).toEqual({
      uploads: [],
      files: [],
      problems: ['error name-cache-invalid nameCache.json'],
    })
  },
)

it('accepts entry names of any length', async () => {
  const long = `entry|entry|1.0.0|src/main/ets/${'页面/'.repeat(100)}Index.ts`
  const path = put('sourceMaps.map', JSON.stringify({ [long]: { version: 3, mappings: 'AAAA', sources: ['a.ets'] } }))
  expect((await collect({ paths: [path] })).uploads[0]?.member).toBe('entry')
})

it('does not block other work in the intake while an upload is examined', async () => {
  const path = put('sourceMaps.map', `{"a":[${'{},'.repeat(1024 * 1024)}0]}`)
  const parts = new Map([['source_map', { path, bytes: statSync(path).size }]])
  let turns = 0
  const count = () => {
    turns++
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  const found = await arkts.accept?.({ event: {}, parts })
  clearImmediate(turn)
  expect(found).toEqual({ refused: 'source_map', why: 'The entry "a" in the file is not a version 3 source map.' })
  expect(turns).toBeGreaterThan(10)
})

it('accepts single files with the name cache next to them', async () => {
  const path = put('entry-sourceMaps.map', map('entry'))
  put('entry-nameCache.json', '{}')
  const { files, problems } = await collect({
    paths: [path, join(NATIVE, 'arm64-v8a/libshop.so'), join(project, 'gone.map')],
  })
  expect(files[0]).toBe('entry-nameCache.json entry-sourceMaps.map')
  expect(files).toHaveLength(2)
  expect(problems).toEqual(['error file-unreadable gone.map'])
})

it('unpacks an app-symbol.zip, and refuses any other file', async () => {
  const harmony = resolve(NATIVE, '../harmony')
  const path = join(project, 'app-symbol.zip')
  cpSync(join(harmony, 'turbowarp-hmos-MIT/app-symbol.zip'), path)
  const temporaryDirectory = join(project, 'unpacked')
  const { files, problems } = await collect({ paths: [path], temporaryDirectory })
  expect(files).toEqual(['unpacked/0/entry/entry-sourceMaps.map'])
  expect(problems).toEqual([])
  put('broken.zip', 'no zip')
  const broken = await collect({ paths: [join(project, 'broken.zip')], temporaryDirectory })
  expect(broken.problems).toEqual(['error archive-invalid broken.zip'])
})
