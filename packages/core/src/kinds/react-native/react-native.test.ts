import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examineBundles } from './check.ts'
import { reactNative } from './index.ts'
import { collectReactNative } from './react-native.ts'

/** Metro built this bundle and hermesc compiled it. The script is make.cjs in the fixture. */
const built = resolve(import.meta.dirname, '../../../../../fixtures/symbols/react-native')
const BUNDLE = 'index.android.bundle'

let place: string
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'symup-rn-'))
  for (const suffix of ['', '.map', '.packager.map', '.compiler.map'])
    copyFileSync(join(built, 'android', BUNDLE + suffix), join(place, BUNDLE + suffix))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const collect = (extra: object = {}) =>
  collectReactNative({
    bundle: BUNDLE,
    platform: 'android',
    buildVersion: '42',
    service: 'shop',
    version: '1.2.3',
    toolVersion: '0',
    cwd: place,
    ...extra,
  })

describe('a Hermes bundle', () => {
  it('sends a Hermes bundle with the map that React Native composed', async () => {
    const { uploads, problems } = await collect()
    expect(problems).toEqual([])
    expect(uploads[0]?.event).toEqual({
      type: 'react_native_sourcemap',
      cli_version: '0',
      service: 'shop',
      version: '1.2.3',
      platform: 'android',
      build_version: '42',
      bundle_name: BUNDLE,
    })
    expect(uploads[0]?.parts.map(({ name, filename }) => [name, filename])).toEqual([
      ['bundle', BUNDLE],
      ['source_map', `${BUNDLE}.map`],
    ])
  })

  it("gets a map composed from both halves with React Native's file names if it lacks its own", async () => {
    const directory = mkdtempSync(join(place, 'halves-'))
    for (const suffix of ['', '.packager.map', '.compiler.map'])
      copyFileSync(join(built, 'android', BUNDLE + suffix), join(directory, BUNDLE + suffix))
    const { uploads, problems } = await collect({ cwd: directory })
    expect(problems).toEqual([])
    const { content = '' } = uploads[0]?.parts[1] ?? {}
    const named = await collect({ packagerMap: `${BUNDLE}.packager.map`, compilerMap: `${BUNDLE}.compiler.map` })
    expect(Buffer.from(content).equals(Buffer.from(named.uploads[0]?.parts[1]?.content ?? ''))).toBe(true)
    // One of the two maps is not usable alone.
    rmSync(join(directory, `${BUNDLE}.compiler.map`))
    expect((await collect({ cwd: directory })).problems.map(({ code }) => code)).toEqual(['file-unreadable'])
  })

  it('gets a composed map that equals the one from React Native', async () => {
    const { uploads, problems } = await collect({
      packagerMap: `${BUNDLE}.packager.map`,
      compilerMap: `${BUNDLE}.compiler.map`,
    })
    expect(problems).toEqual([])
    const ours = new TraceMap(Buffer.from(uploads[0]?.parts[1]?.content ?? []).toString())
    const theirs = new TraceMap(readFileSync(join(place, `${BUNDLE}.map`), 'utf8'))
    const stack = readFileSync(join(built, 'android/stack.txt'), 'utf8')
    const offsets = [...stack.matchAll(/:1:(\d+)\)/g)].map(([, offset]) => Number(offset))
    expect(offsets.length).toBeGreaterThan(5)
    const lineAt = (map: TraceMap, column: number) => {
      const { source, line } = originalPositionFor(map, { line: 1, column })
      return `${source}:${line}`
    }
    for (const column of offsets) expect(lineAt(ours, column)).toBe(lineAt(theirs, column))
    expect(lineAt(ours, offsets[0] as number)).toMatch(/price\.js:5$/)
  })

  it.each([
    ['packager', 'is from Metro'],
    ['compiler', 'is from the Hermes compiler'],
  ])('does not send a Hermes bundle if only the map from the %s exists', async (half, words) => {
    const { uploads, problems } = await collect({ sourceMap: `${BUNDLE}.${half}.map` })
    expect(uploads).toEqual([])
    expect(problems).toEqual([
      expect.objectContaining({ code: 'map-uncomposed', message: expect.stringContaining(words) }),
    ])
  })
})

it('does not compose a map from halves in the wrong order', async () => {
  const halves = { packagerMap: `${BUNDLE}.compiler.map`, compilerMap: `${BUNDLE}.packager.map` }
  const { uploads, problems } = await collect(halves)
  expect(uploads).toEqual([])
  expect(problems).toMatchObject([{ code: 'map-uncomposed', file: halves.compilerMap }])
})

it("uses Metro's map for a JavaScript bundle", async () => {
  const { uploads, problems } = await collect({
    bundle: 'main.jsbundle',
    platform: 'ios',
    sourceMap: 'main.jsbundle.packager.map',
    cwd: join(built, 'ios'),
  })
  expect([uploads.length, problems]).toEqual([1, []])
})

it("uses the map in the sourceMappingURL of a JavaScript bundle if no map has the bundle's name", async () => {
  const directory = mkdtempSync(join(place, 'named-'))
  const name = 'main.jsbundle'
  const map = 'app.map'
  const code = readFileSync(join(built, 'ios', name), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '')
  const refer = (url: string) => writeFileSync(join(directory, name), `${code}\n//# sourceMappingURL=${url}\n`)
  copyFileSync(join(built, 'ios', `${name}.packager.map`), join(directory, map))
  const mapOf = async () => {
    const { uploads, problems } = await collect({ bundle: name, platform: 'ios', cwd: directory })
    return uploads[0]?.parts[1]?.path ?? problems.map(({ code: it, file }) => [it, file])
  }
  refer(map)
  expect(await mapOf()).toBe(join(directory, map))
  const target = { directory, files: [name, map], own: [name], single: false, cwd: directory }
  const { files, problems } = await examineBundles(target)
  expect([files[0]?.map, problems]).toEqual([map, []])
  refer('gone.map')
  expect(await mapOf()).toEqual([['file-unreadable', `${name}.map`]])
  refer('../secret.map')
  copyFileSync(join(directory, map), join(place, 'secret.map'))
  expect(await mapOf()).toEqual([['file-unreadable', `${name}.map`]])
  refer('https://cdn.example.com/app.map')
  expect(await mapOf()).toEqual([['file-unreadable', `${name}.map`]])
  for (const directories of ['.', '..']) {
    refer(directories)
    expect(await mapOf()).toEqual([['file-unreadable', `${name}.map`]])
  }
  refer(map)
  copyFileSync(join(directory, map), join(directory, `${name}.map`))
  expect(await mapOf()).toBe(join(directory, `${name}.map`))
})

it.each([
  ['android', { address: `app:///${BUNDLE}` }],
  ['windows', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
])('uploads a bundle without a name under the default name of %s', async (platform, found) => {
  const path = join(built, 'android', `${BUNDLE}.map`)
  const parts = new Map([['source_map', { path, bytes: readFileSync(path).length }]])
  expect(await reactNative.accept?.({ event: { platform }, parts })).toEqual(found)
})

it('finds the map where Gradle writes it in symup check, but requires the path in an upload', async () => {
  const directory = mkdtempSync(join(place, 'gradle-'))
  const [bundle, map] = ['assets/createBundleReleaseJsAndAssets', 'sourcemaps/react/release'].map((at) => {
    mkdirSync(join(directory, at), { recursive: true })
    return `${at}/${basename(BUNDLE)}`
  }) as [string, string]
  copyFileSync(join(place, BUNDLE), join(directory, bundle))
  copyFileSync(join(place, `${BUNDLE}.map`), join(directory, `${map}.map`))
  const target = { directory, files: [bundle, `${map}.map`], own: [bundle], single: false, cwd: directory }
  const { files, problems } = await examineBundles(target)
  expect([files[0]?.map, problems]).toEqual([`${map}.map`, []])
  const alone = await collect({ bundle, cwd: directory })
  expect(alone.problems).toMatchObject([{ code: 'file-unreadable', fix: expect.stringContaining('--sourcemap') }])
})

it('reports files that are missing, empty or not a map', async () => {
  writeFileSync(join(place, 'empty.bundle'), '')
  writeFileSync(join(place, 'page.map'), '<html>')
  const codes = async (extra: object) => (await collect(extra)).problems.map(({ code, file }) => [code, file])
  expect(await codes({ bundle: 'gone.bundle' })).toEqual([['file-unreadable', 'gone.bundle']])
  expect(await codes({ bundle: 'empty.bundle' })).toEqual([['file-empty', 'empty.bundle']])
  expect((await collect({ bundle: `${BUNDLE}.map`, sourceMap: `${BUNDLE}.map` })).problems).toMatchObject([
    { code: 'nothing-found', message: 'The file is a source map, not a bundle.' },
  ])
  expect(await codes({ sourceMap: 'page.map' })).toEqual([['map-invalid', 'page.map']])
  expect(await codes({ packagerMap: 'page.map', compilerMap: `${BUNDLE}.compiler.map` })).toEqual([
    ['map-invalid', 'page.map'],
  ])
})

describe('checking a React Native bundle', () => {
  const examine = async (bundle: string, map: string, banner: string | Buffer = '') => {
    const directory = mkdtempSync(join(place, 'proof-'))
    const name = basename(bundle)
    writeFileSync(join(directory, name), Buffer.concat([Buffer.from(banner), readFileSync(join(built, bundle))]))
    copyFileSync(join(built, map), join(directory, `${name}.map`))
    const target = { directory, files: [name, `${name}.map`], own: [name], single: false, cwd: directory }
    const { files, problems, summary } = await examineBundles(target)
    return [files[0]?.resolved, problems.map(({ code }) => code), summary?.map(({ severity }) => severity)]
  }
  const JAVASCRIPT = ['ios/main.jsbundle', 'ios/main.jsbundle.packager.map'] as const

  it('treats a JavaScript bundle like any script', async () => {
    expect(await examine(...JAVASCRIPT)).toEqual([expect.any(Number), [], ['good']])
    expect(await examine(...JAVASCRIPT, '/* for the shop */\n')).toEqual([
      expect.any(Number),
      ['map-offset'],
      ['warning'],
    ])
    const [, problems, summary] = await examine(JAVASCRIPT[0], `android/${BUNDLE}.packager.map`)
    expect([problems, summary]).toEqual([['map-stale'], ['warning']])
  })

  it('does not compare bytecode', async () => {
    expect(await examine(`android/${BUNDLE}`, `android/${BUNDLE}.map`)).toEqual([undefined, [], []])
  })

  it('does not compare a RAM bundle, whose modules follow a table', async () => {
    const table = Buffer.from('e5d10bfb0100000000010000000000000000000000000000', 'hex')
    expect(await examine(...JAVASCRIPT, table)).toEqual([undefined, [], []])
  })
})
