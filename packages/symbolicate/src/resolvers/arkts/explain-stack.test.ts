import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodedMappings, originalPositionFor, type SourceMapInput, TraceMap } from '@jridgewell/trace-mapping'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import type { ArtifactSource, SymbolFile } from '../../artifacts.ts'
import { timeBudget } from '../../budget.ts'
import { createSymbolicator } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { readMapBundle } from './map-bundle.ts'

const FIXTURES = join(import.meta.dirname, '../../../../../fixtures/symbols/harmony')
const LAB = join(FIXTURES, 'ossd-25307136-lab1')
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

interface Module {
  map: unknown
  names?: unknown
  service?: string
  version?: string
}

function sourceOf(modules: readonly Module[]): ArtifactSource {
  const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
  const files = modules.map(
    ({ map, names, service = 'app', version = '1.0.0' }, index): SymbolFile => ({
      kind: 'harmony_sourcemap',
      service,
      version,
      contentKey: String(index),
      open: async (part) => {
        const value = part === 'source_map' ? map : names
        return value === undefined ? undefined : bytes(value)
      },
    }),
  )
  return {
    ...artifactSourceOf([]),
    findSymbolFiles: async (query) =>
      files.filter((file) => file.service === query.service && file.version === query.version),
    releasesWith: async () => files,
  }
}

async function explain(stack: string, modules: readonly Module[], version = '1.0.0') {
  const question = { stack, service: 'app', version, platform: 'harmony' as const }
  return (await createSymbolicator().symbolicate(question, sourceOf(modules))).frames
}

it('reports additional modules if a stack contains too many', async () => {
  const moduleNamed = (name: string): Module => ({ map: { [`${name}|${name}|1|a.ts`]: lineMap('a.ets', [1, 1, 1]) } })
  const modules = Array.from({ length: 101 }, (_, nth) => moduleNamed(`m${nth}`))
  expect(await resolvedAt('f (m99|m99|1|a.ts:1:1)', modules)).toMatchObject({ file: 'a.ets' })
  expect(await resolvedAt('f (m100|m100|1|a.ts:1:1)', modules)).toBe(
    'no-artifact: The newest 100 source maps do not contain m100|m100|1|a.ts. Older source maps were not read.',
  )
  expect(await resolvedAt('f (m100|m100|1|a.ts:1:1)', modules.slice(0, 100))).toContain('Modules with source maps: m0')
})

async function resolvedAt(frame: string, modules: readonly Module[], version?: string) {
  const frames = await explain(`    at ${frame}`, modules, version)
  expect(frames).toHaveLength(1)
  return frames[0]?.resolved ?? `${frames[0]?.reason?.code}: ${frames[0]?.reason?.message}`
}

const LAB_MODULE = { map: read(LAB, 'sourceMaps.release.map'), names: read(LAB, 'nameCache.release.json') }

/** A handwritten map for one line: `[generated column, original line, original column]`, 1-based. */
function lineMap(source: string, ...segments: [number, number, number][]) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const vlq = (value: number) => {
    let rest = value < 0 ? (-value << 1) | 1 : value << 1
    let text = ''
    do {
      text += alphabet[(rest & 31) | (rest > 31 ? 32 : 0)]
      rest >>>= 5
    } while (rest > 0)
    return text
  }
  let [column, line, original] = [1, 1, 1]
  const encoded = segments.map(([generated, ...to]) => {
    const text = [generated - column, 0, to[0] - line, to[1] - original].map(vlq).join('')
    ;[column, line, original] = [generated, ...to]
    return text
  })
  return { version: 3, sources: [source], names: [], mappings: encoded.join(',') }
}

describe('a real ArkTS release build', () => {
  it('resolves the expected frame with a mangled file and an obfuscated method', async () => {
    expect(await resolvedAt('a2 (entry|entry|1.0.0|src/main/ets/a/d/e.ts:45:13)', [LAB_MODULE])).toEqual({
      function: 'updateCurrentBreakpoint',
      file: 'entry/src/main/ets/common/utils/BreakpointSystem.ets',
      line: 82,
      column: 7,
    })
  })

  it('resolves frames from another app without obfuscation', async () => {
    const module = { map: read(FIXTURES, 'turbowarp-hmos-MIT/sourceMaps.map') }
    const frame = 'onWindowStageCreate (entry|entry|1.0.0|src/main/ets/entryability/EntryAbility.ts:24:9)'
    expect(await resolvedAt(frame, [module])).toMatchObject({
      function: 'onWindowStageCreate',
      file: 'entry/src/main/ets/entryability/EntryAbility.ets',
    })
  })

  it('resolves bytecode with a map that contains only the start of the file', async () => {
    const module = { map: read(FIXTURES, 'ets2bundle-Apache2/bytecodeHarSourceMap.json') }
    expect(await resolvedAt('run (har|har|1.0.0|Index.js:1:1)', [module])).toEqual({
      function: 'run',
      file: 'har/Index.ets',
      line: 1,
      column: 1,
    })
  })
})

it('resolves every position in the real maps like a source map library', async () => {
  let compared = 0
  for (const file of [
    join(LAB, 'sourceMaps.release.map'),
    join(LAB, 'sourceMaps.debug.map'),
    join(FIXTURES, 'turbowarp-hmos-MIT/sourceMaps.map'),
  ]) {
    const text = read(file)
    const bundle = readMapBundle(Buffer.from(text))
    for (const [key, map] of Object.entries(JSON.parse(text) as Record<string, SourceMapInput>)) {
      const traced = new TraceMap(map)
      for (const [index, segments] of decodedMappings(traced).entries()) {
        for (const column of segments.flatMap(([generated]) => [generated, generated + 1])) {
          const { source, line, column: original } = originalPositionFor(traced, { line: index + 1, column })
          const found = bundle.originalAt(key, index + 1, column + 1)
          expect(found && [found.source, found.line, found.column - 1]).toEqual([source, line, original])
          compared++
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(2000)
})

describe('keys in an ArkTS map', () => {
  it.each([
    ['new', 'entry|entry|1.0.0|src/main/ets/pages/Index.ts'],
    ['of a dependency', 'entry|har|1.0.0|src/main/ets/components/mainpage/MainPage.js'],
    ['of a scoped package', 'ads_service|@hw-ads/ohos-ads-model|1.0.1|src/main/ets/annotations/FieldType.ts'],
    ['from old builds, with only the path', 'entry/src/main/ets/pages/Index.ts'],
  ])('finds keys: %s', async (_, key) => {
    const module = { map: { [key]: lineMap('x/Original.ets', [1, 7, 3]) } }
    expect(await resolvedAt(`run (${key}:1:1)`, [module])).toMatchObject({ file: 'x/Original.ets', line: 7, column: 3 })
  })

  it('matches keys exactly, and reports differences', async () => {
    const module = { map: { 'entry|entry|1.0.1|src/main/ets/pages/Index.ts': lineMap('x.ets', [1, 1, 1]) } }
    expect(await resolvedAt('run (entry|entry|1.0.0|src/main/ets/pages/Index.ts:1:1)', [module])).toBe(
      'version-mismatch: The stack contains version 1.0.0 of the package entry, but the uploaded source maps contain 1.0.1.',
    )
    expect(await resolvedAt('run (feature|feature|1.0.0|src/main/ets/pages/Index.ts:1:1)', [module])).toBe(
      'no-artifact: No source map for this version contains feature|feature|1.0.0|src/main/ets/pages/Index.ts. Modules with source maps: entry.',
    )
  })

  it('lists the existing versions or modules, five of each', async () => {
    const of = (...keys: string[]) => ({
      map: Object.fromEntries(keys.map((key) => [key, lineMap('x.ets', [1, 1, 1])])),
    })
    const versions = of(...[1, 2, 3, 4, 5, 6].map((nth) => `p|p|1.${nth}|a.ts`), 'p|p|2.0|b.ts', 'p|q|3.0|a.ts')
    const [other] = await explain('at f (p|p|1.0|a.ts:1:1)', [versions])
    expect(other?.reason).toMatchObject({
      message:
        'The stack contains version 1.0 of the package p, but the uploaded source maps contain 1.1, 1.2, 1.3, 1.4, 1.5.',
      fix: 'Upload the source maps from exactly the build that is running.',
    })
    const [none] = await explain('at f (old/src/a.ts:1:1)', [
      of('a|a|1|a.ts', 'b|b|1|a.ts', 'c/a.ts'),
      of('d/a.ts', 'e/a.ts', 'f/a.ts'),
    ])
    expect(none?.reason).toMatchObject({
      code: 'no-artifact',
      message: 'No source map for this version contains old/src/a.ts. Modules with source maps: a, b, c, d, e.',
      fix: 'Upload the sourceMaps.map of every module in the release.',
    })
    expect(await resolvedAt('f (e|e|1|a.ets:1:1)', [of()])).toBe(
      'no-artifact: No source map for this version contains e|e|1|a.ets. Modules with source maps: none.',
    )
  })

  it('looks up keys in the file itself, not in the object prototype', async () => {
    const bundle = readMapBundle(Buffer.from('{"a/b.ts":null}'))
    expect(['constructor', 'a/b.ts'].map(bundle.has)).toEqual([false, false])
  })

  it('finds a key in any of several modules', async () => {
    const entry = { map: { 'entry|entry|1.0.0|a.ts': lineMap('entry/a.ets', [1, 1, 1]) } }
    const home = { map: { 'home|home|1.0.0|src/main/ets/pages/a.ts': lineMap('home/a.ets', [1, 5, 1]) } }
    expect(await resolvedAt('g2 (home|home|1.0.0|src/main/ets/pages/a.ts:1:1)', [entry, home])).toMatchObject({
      file: 'home/a.ets',
    })
  })
})

describe('positions in an ArkTS map', () => {
  const module = { map: { 'e|e|1|a.ts': lineMap('a.ets', [5, 10, 2], [9, 11, 4], [20, 12, 6]) } }

  it.each([
    ['with the exact column', 9, { line: 11, column: 4 }],
    ['with the greatest column before it', 15, { line: 11, column: 4 }],
    ['with the first column on the line', 2, { line: 10, column: 2 }],
  ])('finds positions %s', async (_, column, expected) => {
    expect(await resolvedAt(`f (e|e|1|a.ts:1:${column})`, [module])).toMatchObject(expected)
  })

  it('resolves a position without a column to the first mapping on the line', async () => {
    expect(await resolvedAt('f (e|e|1|a.ts:1)', [module])).toMatchObject({ line: 10 })
  })

  it('ignores a column that repeats the line, as old runtimes write it', async () => {
    expect(await resolvedAt('f (e|e|1|a.ts:1:1)', [module])).toEqual({ function: 'f', file: 'a.ets', line: 10 })
  })

  it.each([
    ['no segment', ';AAAA', 1, 'no-mapping-at-position: The source map of e|e|1|a.ts contains no mapping for line 1.'],
    ['an earlier segment without a source', 'A,CAEE', 1, { function: 'f', file: 'a.ets', line: 3 }],
    [
      'only a segment without a source',
      'A',
      1,
      'no-mapping-at-position: The source map of e|e|1|a.ts contains no mapping for line 1.',
    ],
  ])('resolves no position on a line with %s', async (_, mappings, line, expected) => {
    const map = { 'e|e|1|a.ts': { version: 3, sources: ['a.ets'], names: [], mappings } }
    expect(await resolvedAt(`f (e|e|1|a.ts:${line}:1)`, [{ map }])).toEqual(expected)
  })

  it('resolves no position on a line that is missing from the map', async () => {
    expect(await resolvedAt('f (e|e|1|a.ts:3:1)', [module])).toBe(
      'no-mapping-at-position: The source map of e|e|1|a.ts contains no mapping for line 3.',
    )
  })
})

describe('methods in a name cache', () => {
  const at = (line: number) => ({ 'e|e|1|a.ts': lineMap('a.ets', [1, line, 1]) })
  const named = async (line: number, name: string, names: unknown) =>
    (await explain(`at ${name} (e|e|1|a.ts:1:1)`, [{ map: at(line), names }]))[0]?.resolved?.function

  const names = {
    'a.ets': {
      IdentifierCache: {
        'OutFunction#a': 'v',
        '#OutFunction:16:23': 't',
        'OutFunction#inFunction:19:21': 'u',
        '#arrowFunc:40:42': 'g',
      },
      MemberMethodCache: {
        'Person:5:30': 'p',
        'run:10:30': 'r',
        'memberFunc:20:22': 'c1',
        'wide:41:75': 'm',
        'tight:50:52': 'm',
        'wider:40:80': 'm',
        'one:70:72': 'm',
        'two:71:73': 'm',
        'number:90:92': 5,
      },
      obfName: 'x/b.ets',
    },
    compileSdkVersion: '6.0.2.130',
    entryPackageInfo: 'entry|1.0.0',
    PropertyCache: { total: 'z1', one: 'q', two: 'q' },
    FileNameCache: { common: 'a' },
  }

  it.each([
    ['the smallest range with this name', 20, 'u', 'inFunction'],
    ['an outer range with this name', 20, 't', 'OutFunction'],
    ['a method', 21, 'c1', 'memberFunc'],
    ['an arrow function', 41, 'g', 'arrowFunc'],
    ['the smallest range around the line, whatever its name', 12, 'unknown', 'run'],
    ['an anonymous function without an entry', 12, 'anonymous', 'anonymous'],
    ['the first line of a method', 16, 't', 'OutFunction'],
    ['the last line of a method', 23, 't', 'OutFunction'],
    ['the line after a method', 24, 't', 'run'],
    ['the smallest of several with this name', 51, 'm', 'tight'],
    ['the first of two of the same size', 71, 'm', 'one'],
    ['a name that is not text', 91, 'm', 'm'],
    ['a property if no range is known', 99, 'z1', 'total'],
    ['no property with two names', 99, 'q', 'q'],
    ['no name from the other keys', 99, 'a', 'a'],
  ])('finds methods: %s', async (_, line, obfuscated, expected) => {
    expect(await named(line, obfuscated, names)).toBe(expected)
  })

  it('reads one table for all files in old caches', async () => {
    expect(await named(3, 'g', { IdentifierCache: { '#arrowFunc:16:18': 'g', '#x': 'h', '#y': 'h' } })).toBe(
      'arrowFunc',
    )
    expect(await named(3, 'h', { IdentifierCache: { '#x': 'h', '#y': 'h' } })).toBe('h')
  })

  it.each([
    ['function_arrow', 17, 'g', 'arrowFunc'],
    ['function_in_function', 20, 'u', 'inFunction'],
    ['function_member_method', 21, 'c1', 'memberFunc'],
  ])('recognizes the names that the obfuscator writes: %s', async (file, line, obfuscated, expected) => {
    const cache = JSON.parse(read(FIXTURES, `arkguard-namecache-Apache2/${file}_expected_cache.txt`))
    expect(await named(line, obfuscated, { 'a.ets': cache })).toBe(expected)
  })

  it('returns no method if the frame has no name', async () => {
    expect(await resolvedAt('(e|e|1|a.ts:1:9)', [{ map: at(12), names }])).toEqual({
      file: 'a.ets',
      line: 12,
      column: 1,
    })
  })

  it('keeps names obfuscated without a name cache, and reports it', async () => {
    const [frame] = await explain('at a2 (e|e|1|a.ts:1:1)', [{ map: at(7) }])
    expect(frame).toMatchObject({ resolved: { function: 'a2', line: 7 }, reason: { code: 'names-obfuscated' } })
    const [readable] = await explain('at onPageShow (e|e|1|a.ts:1:1)', [{ map: at(7) }])
    expect(readable).not.toHaveProperty('reason')
  })
})

describe('packages that were built before the app', () => {
  // The fixtures were compiled twice with real tools: the package's source to JavaScript, and that JavaScript, minified, into the app.
  const source =
    'export class Page {\n  total: number = 0\n\n  pay(amount: number): number {\n    if (amount < 0) throw new RangeError("x")\n    return this.total += amount\n  }\n}\n'
  const own = transformSync(source, {
    loader: 'ts',
    sourcemap: true,
    sourcefile: 'har/src/main/ets/Page.ets',
    target: 'es2022',
  })
  const inApp = transformSync(own.code, {
    minify: true,
    sourcemap: true,
    sourcefile: 'oh_modules/har/src/main/ets/Page.js',
  })
  const column = inApp.code.indexOf('throw new RangeError') + 1
  const app = {
    'entry|har|1.0.0|src/main/ets/Page.js': {
      ...JSON.parse(inApp.map),
      'entry-package-info': 'entry|1.0.0',
      'package-info': 'har|1.0.0',
    },
  }
  const har = { 'har|har|1.0.0|src/main/ets/Page.ts': { ...JSON.parse(own.map), 'entry-package-info': 'har|1.0.0' } }
  const frame = `a (entry|har|1.0.0|src/main/ets/Page.js:1:${column})`

  it('resolves packages through their own map, with their own names', async () => {
    const names = { 'har/src/main/ets/Page.ets': { MemberMethodCache: { 'pay:4:7': 'a' } } }
    expect(await resolvedAt(frame, [{ map: app }, { map: har, names }])).toEqual({
      function: 'pay',
      file: 'har/src/main/ets/Page.ets',
      line: 5,
      column: (source.split('\n')[4]?.indexOf('throw new') as number) + 1,
    })
  })

  it.each(['Page.ets', 'Page.js', 'Page.ts'])(
    'resolves packages whatever extension their own key has: %s',
    async (name) => {
      const own = { [`har|har|1.0.0|src/main/ets/${name}`]: Object.values(har)[0] }
      const broken = { map: '<html>' }
      expect(await resolvedAt(frame, [{ map: app }, broken, { map: own }])).toMatchObject({
        file: 'har/src/main/ets/Page.ets',
      })
    },
  )

  it('follows maps of packages at most five times', async () => {
    const keys = Array.from({ length: 8 }, (_, nth) => `p${nth}|p${nth}|1|a.ts`)
    const map = Object.fromEntries(
      keys.map((key, nth) => [
        key,
        { ...lineMap(`at${nth}/p${nth + 1}/a.ts`, [1, 1, 1]), 'package-info': `p${nth + 1}|1` },
      ]),
    )
    expect(await resolvedAt(`x (${keys[0]}:1:1)`, [{ map }])).toMatchObject({ file: 'at5/p6/a.ts' })
  })

  it('resolves to the generated file if the map of a package is missing', async () => {
    expect(await resolvedAt(frame, [{ map: app }])).toMatchObject({ file: 'oh_modules/har/src/main/ets/Page.js' })
  })

  it('does not loop if a package map names itself', async () => {
    const circular = { 'har|har|1.0.0|a.ts': { ...lineMap('har/a.ts', [1, 1, 1]), 'package-info': 'har|1.0.0' } }
    expect(await resolvedAt('x (har|har|1.0.0|a.ts:1:1)', [{ map: circular }])).toMatchObject({ file: 'har/a.ts' })
  })
})

describe('stacks in reports', () => {
  const stacks = read(FIXTURES, 'stacks/arkts-release-raw.txt')

  it('reads every frame, whatever the runtime adds around it', async () => {
    const frames = await explain(stacks, [])
    expect(frames.map(({ function: name, file, line, column }) => [name, file, line, column])).toEqual([
      ['g2', 'home|home|1.0.0|src/main/ets/pages/a.ts', 6, 6],
      ['getVersion', 'home|home|1.0.0|src/main/ets/pages/a.ts', 2, 2],
      ['anonymous', 'home|home|1.0.0|src/main/ets/pages/Index.ts', 61, 61],
      ['har', 'entry|har|1.0.0|src/main/ets/components/mainpage/MainPage.js', 58, 58],
      ['i', 'entry|entry|1.0.0|src/main/ets/pages/Index.ts', 71, 71],
      ['anonymous', 'entry|entry|1.0.0|src/main/ets/pages/Index.ts', 55, 55],
      ['anonymous', 'ads_service|@hw-ads/ohos-ads-model|1.0.1|src/main/ets/annotations/FieldType.ts', 6, 1],
      ['anonymous', 'entry/src/main/ets/pages/Index.ts', 49, 49],
      ['anonymous', 'entry/src/main/ets/pages/Index.ets', 18, 11],
      ['onPageShow', 'entry/src/main/ets/pages/Index.ets', 7, 13],
    ])
  })

  it('keeps frames from a debug build unchanged', async () => {
    const frame = 'onPageShow entry (entry/src/main/ets/pages/Index.ets:7:13)'
    expect(await resolvedAt(frame, [LAB_MODULE])).toContain(
      'already-original: The frame already contains the original position',
    )
  })

  it('keeps the order of frames from both languages', async () => {
    const frames = await explain(read(FIXTURES, 'stacks/native-cppcrash.txt'), [LAB_MODULE])
    expect(frames.map(({ raw, reason }) => `${raw.slice(0, 6)} ${reason?.code}`)).toEqual([
      '#00 pc not-resolvable-here',
      '#01 pc not-a-project-frame',
      '#02 pc not-a-project-frame',
      '#03 at already-original',
      '#07 pc not-resolvable-here',
      '#05 at no-artifact',
      '#00 pc not-a-project-frame',
      '#01 pc not-resolvable-here',
    ])
  })
})

describe('an unusable ArkTS file', () => {
  const frame = 'a2 (entry|entry|1.0.0|src/main/ets/a/d/e.ts:45:13)'

  it.each<[string, Module, string]>([
    [
      'if it is a map for a single file',
      { map: lineMap('a.ets', [1, 1, 1]) },
      'The file is the source map of a single file, not the sourceMaps.map of a module.',
    ],
    ['no JSON', { map: '<html>' }, 'The file is not valid JSON.'],
    ['a list', { map: [] }, 'The file is not a JSON object.'],
    ['a number', { map: 5 }, 'The file is not a JSON object.'],
    ['null', { map: null }, 'The file is not a JSON object.'],
    ['none at all', { map: undefined }, 'The file does not exist.'],
    ['a name cache that is a list', { map: LAB_MODULE.map, names: [] }, 'The name cache is not a JSON object.'],
    ['a name cache that is a number', { map: LAB_MODULE.map, names: 5 }, 'The name cache is not a JSON object.'],
    ['a name cache that is null', { map: LAB_MODULE.map, names: null }, 'The name cache is not a JSON object.'],
    ['a broken name cache', { map: LAB_MODULE.map, names: '{' }, 'The name cache is not valid JSON.'],
  ])('%s', async (_, module, flaw) => {
    expect(await resolvedAt(frame, [module])).toBe(`map-unusable: The uploaded source maps cannot be read. ${flaw}`)
  })

  it('accepts a name cache after a byte order mark', async () => {
    const marked = { ...LAB_MODULE, names: `\uFEFF${LAB_MODULE.names}` }
    expect(await resolvedAt(frame, [marked])).toMatchObject({ function: 'updateCurrentBreakpoint', line: 82 })
  })

  it.each([
    [
      'if only another version exists',
      [{ ...LAB_MODULE, version: '2' }],
      'version-mismatch: No upload for app has the version 1.0.0. Uploaded versions: 2.',
    ],
    [
      'if only another service exists',
      [{ ...LAB_MODULE, service: 'x' }],
      'service-mismatch: The ArkTS source map for version 1.0.0 was uploaded for x, but not for the service app.',
    ],
    ['if no map was uploaded', [], 'no-artifact: No ArkTS source map was uploaded for app 1.0.0.'],
  ])('reports the reason %s', async (_, modules, expected) => {
    expect(await resolvedAt(frame, modules)).toBe(expected)
  })

  it('names the other modules if one module is missing', async () => {
    const map = { 'home|home|1.0.0|a.ts': lineMap('a.ets', [1, 1, 1]) }
    expect(await resolvedAt('f (e|e|1|a.ts:1:1)', [{ map }, { map: '<html>' }])).toBe(
      'no-artifact: No source map for this version contains e|e|1|a.ts. Modules with source maps: home.',
    )
  })

  it('rethrows errors from the store', async () => {
    const outage = new Error('connection lost')
    const source = sourceOf([LAB_MODULE])
    const findSymbolFiles: ArtifactSource['findSymbolFiles'] = async (query) =>
      ((await source.findSymbolFiles?.(query, 1)) ?? []).map((file) => ({
        ...file,
        open: () => Promise.reject(outage),
      }))
    const question = { stack: `at ${frame}`, service: 'app', version: '1.0.0', platform: 'harmony' as const }
    await expect(createSymbolicator().symbolicate(question, { ...source, findSymbolFiles })).rejects.toBe(outage)
  })

  it('lists frames without looking them up after the time is up, at most 500', async () => {
    const ask = async (stack: string, more: object = {}) => {
      const question = { stack, service: 'app', version: '1.0.0', platform: 'harmony' as const, ...more }
      return (await createSymbolicator().symbolicate(question, sourceOf([LAB_MODULE]))).frames
    }
    expect(await ask(`at ${frame}\n#01 pc 0001 /a/lib.so`, { budget: timeBudget(-1) })).toEqual([
      {
        ...{
          raw: `at ${frame}`,
          function: 'a2',
          file: 'entry|entry|1.0.0|src/main/ets/a/d/e.ts',
          line: 45,
          column: 13,
        },
        resolved: null,
        reason: expect.objectContaining({ code: 'out-of-time' }),
      },
      { raw: '#01 pc 0001 /a/lib.so', resolved: null, reason: expect.objectContaining({ code: 'out-of-time' }) },
    ])
    expect(await ask(`at ${frame}\n`.repeat(501))).toHaveLength(500)
  })

  const key = 'entry|entry|1.0.0|src/main/ets/a/d/e.ts'
  const nothing = `no-mapping-at-position: The source map of ${key} contains no mapping for line 1.`

  it.each<[string, unknown, unknown]>([
    ['null', null, `no-artifact: No source map for this version contains ${key}. Modules with source maps: entry.`],
    ['without sources', { version: 3, mappings: 'AAAA' }, nothing],
    ['given an invalid type for sources', { version: 3, sources: 5, mappings: 'AAAA' }, nothing],
    ['given an invalid type for mappings', { version: 3, sources: ['a'], mappings: 5 }, nothing],
    ['given invalid mappings', { version: 3, sources: ['a'], mappings: '!!!!' }, { file: 'a', line: 1, column: 1 }],
    [
      'given endless mappings',
      { version: 3, sources: ['a'], mappings: `AAAA${','.repeat(16 * 1024 * 1024)}` },
      nothing,
    ],
    [
      'given sources that are not strings',
      { version: 3, sources: [5], mappings: 'AAAA' },
      { file: '', line: 1, column: 1 },
    ],
    ['given indices out of range', { version: 3, sources: [], mappings: 'AEAA' }, { file: '', line: 1, column: 1 }],
  ])('ignores maps for files that are %s', async (_, map, expected) => {
    const found = await resolvedAt(`f (${key}:1:1)`, [{ map: { [key]: map } }])
    expect(found).toEqual(typeof expected === 'object' ? { function: 'f', ...expected } : expected)
  })
})
