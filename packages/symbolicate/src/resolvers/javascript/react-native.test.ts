import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { collectReactNative } from '@symup/core'
import { describe, expect, it } from 'vitest'
import { platformOf } from '../../platform-of.ts'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { mapInMemory } from './load-script.ts'
import { parseStack } from './parse-stack.ts'

/** Fixtures: bundles from Metro and hermesc, and the output of metro-symbolicate for them. Their README describes them. */
const BUILT = resolve(import.meta.dirname, '../../../../../fixtures/symbols/react-native')
const RELEASE = { service: 'shop', version: '1.2.3' }
const FRAMES = 400
const IOS = { bundle: 'ios/main.jsbundle', platform: 'ios' as const, sourceMap: 'ios/main.jsbundle.packager.map' }
const ANDROID = { bundle: 'android/index.android.bundle', platform: 'android' as const }

/** The files uploaded for a bundle. */
async function sourceOf(input: Pick<Parameters<typeof collectReactNative>[0], 'bundle' | 'platform' | 'bundleName'>) {
  const { uploads } = await collectReactNative({
    ...RELEASE,
    ...input,
    buildVersion: '1',
    toolVersion: '0',
    cwd: BUILT,
  })
  return artifactSourceOf(uploads)
}

const EXPECTED = readFileSync(join(BUILT, 'expected.tsv'), 'utf8').trimEnd().split('\n')

describe('React Native stacks', () => {
  it.each([
    ['JavaScript', IOS],
    ["Hermes bytecode with Metro's composed map", ANDROID],
    [
      'Hermes bytecode with a map composed by symup',
      { ...ANDROID, packagerMap: `${ANDROID.bundle}.packager.map`, compilerMap: `${ANDROID.bundle}.compiler.map` },
    ],
  ])(
    'resolves like metro-symbolicate at every position in %s, including positions without a source',
    async (_, input) => {
      const source = await sourceOf(input)
      const rows = EXPECTED.filter((row) => row.startsWith(`${input.bundle}\t`)).map((row) => row.split('\t'))
      expect(rows.length).toBeGreaterThan(500)
      const answers: string[] = []
      for (let at = 0; at < rows.length; at += FRAMES) {
        const lines = rows
          .slice(at, at + FRAMES)
          .map(([bundle = '', line, column]) => `f@/${bundle}:${line}:${Number(column) + 1}`)
        const { frames } = await symbolicate({ stack: lines.join('\n'), ...RELEASE }, source)
        for (const { resolved } of frames) {
          const { file, line, column = 0, function: name } = resolved ?? { file: '' }
          answers.push(file === '' ? '' : [`/${file.replace(/^\//, '')}`, line, column - 1, name].join('\t'))
        }
      }
      expect(answers).toEqual(
        rows.map(([, , , file = '', ...rest]) =>
          file === '' ? '' : [`/${file.replace(/^\//, '')}`, ...rest].join('\t'),
        ),
      )
    },
  )
})

it.each([
  ['Hermes', ANDROID, 'at global (address at index.android.bundle:1:344)', 'not-a-project-frame'],
  [
    'a crash report',
    ANDROID,
    'at global (address at /data/user/0/shop/index.android.bundle:1:344)',
    'not-a-project-frame',
  ],
  ['JavaScriptCore', IOS, 'global code@main.jsbundle:1:5', 'not-a-project-frame'],
  ['a function without a source', IOS, 'pay@main.jsbundle:1:5', 'no-mapping-at-position'],
])('attributes the code that starts the modules to no source: %s', async (_, input, stack, expected) => {
  const { frames } = await symbolicate({ stack, ...RELEASE }, await sourceOf(input))
  expect(frames.map(({ reason }) => reason?.code)).toEqual([expected])
})

it.each([
  ['index.bundlejs', '/data/user/0/com.shop/files/_update/5f3c/index.bundlejs'],
  ['index.bundlejs', '/var/mobile/Library/Application Support/reactnativecnpushy/5f3c/index.bundlejs'],
  ['shop.js', '/data/user/0/com.shop/files/updates/5f3c/shop.js'],
])('matches a bundle named %s at a different path on each device: %s', async (bundleName, path) => {
  const source = await sourceOf({ ...ANDROID, bundleName })
  const stack = `at pay (address at ${path}:1:2225)\npay@${path}:1:2225`
  const { frames } = await symbolicate({ stack, ...RELEASE }, source)
  expect(frames.map(({ resolved }) => resolved?.function)).toEqual(['formatPrice', 'formatPrice'])
})

it('reads function maps from sections, and ignores invalid ones', () => {
  const map = {
    version: 3,
    sources: ['a.js'],
    names: [],
    mappings: 'AAAA;AACC,CAAD',
    x_facebook_sources: [[{ names: ['<global>', 'pay'], mappings: 'AAA;CCC' }]] as unknown,
  }
  const sections = [map, { ...map, x_facebook_sources: undefined }, map].map((it, nth) => ({
    offset: { line: 10 * nth, column: 0 },
    map: it,
  }))
  const functionAt = (json: object, line: number, column: number) => {
    const script = mapInMemory(Buffer.from(JSON.stringify(json)))
    return 'map' in script ? script.map.originalAt(line, column)?.function : script.flaw
  }
  const index = { version: 3, sections }
  expect([2, 12, 22].map((line) => functionAt(index, line, 1))).toEqual(['pay', undefined, 'pay'])
  expect([functionAt(index, 2, 2), functionAt(index, 1, 1)]).toEqual(['<global>', '<global>'])
  for (const bad of [null, 3, [[]], [[{ names: 1, mappings: 2 }]], [[{ names: [{}], mappings: 'AA!;,,A' }]]])
    expect(functionAt({ ...map, x_facebook_sources: bad }, 1, 1)).toBeUndefined()
})

it.each([
  ['React Native 0.80 and earlier', ', js engine: hermes'],
  ['later versions of React Native', ''],
])('resolves an Android crash report with more Java frames than bundle frames: %s', async (_, engine) => {
  const source = await sourceOf(ANDROID)
  const own = readFileSync(join(BUILT, 'android/stack.txt'), 'utf8').trimEnd().split('\n')
  const crash = [
    `com.facebook.react.common.JavascriptException: ${own[0]}${engine}, stack:`,
    ...own.slice(1).flatMap((line) => {
      const [, name, column] = /at (\w+) \(address at .*:1:(\d+)\)/.exec(line) ?? []
      return column === undefined ? [] : [`${name}@1:${column}`]
    }),
    '',
    ...Array(20).fill('\tat com.facebook.react.bridge.NativeRunnable.run(NativeRunnable.java:7)'),
  ].join('\n')
  const resolvedOf = async (stack: string, platform = platformOf(stack)) => {
    const { frames } = await symbolicate({ stack, platform, ...RELEASE }, source)
    return frames.flatMap(({ resolved }) =>
      resolved ? [[resolved.file, resolved.line, resolved.column, resolved.function]] : [],
    )
  }
  const expected = await resolvedOf(own.join('\n'))
  expect(expected.length).toBeGreaterThan(5)
  expect(await resolvedOf(crash)).toEqual(expected)
  expect(await resolvedOf(crash, 'android')).toEqual(expected)
})

it.each([
  ['JavaScript', IOS, ''],
  ['bytecode', ANDROID, 'com.facebook.react.common.JavascriptException: x\n'],
])('attributes frames with only a position to the bundle, with columns from 0: %s', async (_, input, head) => {
  const source = await sourceOf(input)
  const rows = EXPECTED.filter((row) => row.startsWith(`${input.bundle}\t`) && row.split('\t')[3]).map((row) =>
    row.split('\t'),
  )
  const some = rows.filter((_, nth) => nth % 20 === 0)
  const stackOf = (name: string, first: number) =>
    some.map(([, line, column]) => `f@${name}${line}:${Number(column) + first}`).join('\n')
  const resolvedOf = async (stack: string) => {
    const { frames } = await symbolicate({ stack, ...RELEASE }, source)
    return frames.map(({ resolved }) => resolved)
  }
  const expected = await resolvedOf(stackOf(`/${input.bundle.split('/')[1]}:`, 1))
  expect(expected).toHaveLength(some.length)
  expect(expected).not.toContain(null)
  expect(await resolvedOf(head + stackOf('', 0))).toEqual(expected)
})

it('does not read a position alone as a frame if other frames name their scripts', () => {
  expect(parseStack('Error: shop@1:2\n  shop@1:2\npay@https://shop.example/a.js:1:2')).toMatchObject([
    { line: 1, file: 'https://shop.example/a.js' },
  ])
  expect(parseStack('Error: write to shop@1:2 or so')).toEqual([])
})

it('reports a module of a RAM bundle as such', async () => {
  const { frames } = await symbolicate({ stack: 'pay@8.js:1:200', ...RELEASE }, await sourceOf(IOS))
  expect(frames[0]?.reason).toMatchObject({
    code: 'not-resolvable-here',
    message: '8.js is a module of a React Native RAM bundle, which symup does not support.',
  })
})
