import { cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isUsablePrefix } from '@symup/core'
import { readElf } from '@symup/core/internal'
import { platformOf } from '@symup/symbolicate/internal'
import { build } from 'esbuild'
import { afterEach, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../test/support/directory.ts'
import { type Afterwards, explainFromDirectory, prefixFrom } from './explain-directory.ts'

const BESIDE = resolve(import.meta.dirname, '../../../fixtures/symbols/beside')

const directory = useDirectory('each')
afterEach(() => {
  vi.restoreAllMocks()
})

/** A native stack whose address is inside four inlined functions. */
async function explain(line: (id: string) => string, platform: 'android' | 'harmony') {
  const { buildId = '' } = await readElf(join(directory, 'obj/libshop.so'))
  const question = { service: 'shop', version: '1', near: 0, platform, stack: line(buildId) }
  const { frames } = await explainFromDirectory(directory, '/', question, [])
  return frames
}

const ANDROID = (id: string) => `#00 pc 0000000000001090  /data/app/x/lib/x86_64/libshop.so (BuildId: ${id})`
const HARMONY = (id: string) => `#00 pc 0000000000001090 /data/storage/el1/bundle/libs/x86_64/libshop.so(${id})`

it.each([
  ['android', ANDROID],
  ['harmony', HARMONY],
] as const)('resolves a native stack from %s with the library and the .dwp file next to it', async (platform, line) => {
  cpSync(join(BESIDE, 'packed4'), join(directory, 'obj'), { recursive: true })
  const [frame] = await explain(line, platform)
  expect(frame?.reason).toBeUndefined()
  expect(frame?.resolved).toMatchObject({ line: 19, column: 19, inlined: [{ line: 15, column: 59 }, {}, {}] })
})

it('names the missing .dwp file in the frame', async () => {
  cpSync(join(BESIDE, 'packed4/libshop.so'), join(directory, 'obj/libshop.so'))
  const [frame] = await explain(ANDROID, 'android')
  expect(frame?.resolved).not.toHaveProperty('line')
  expect(frame?.reason).toMatchObject({
    code: 'split-debug-info',
    message: expect.stringContaining('packed4/part1.dwo, which was not found'),
  })
})

it.each([
  [
    'an installed app on disk',
    'app:///dist/',
    'file:///Applications/Shop.app/Contents/Resources/app.asar/dist/main.js',
  ],
  ['an app without a given prefix', undefined, 'app:///dist/main.js'],
  ['a directory with a space in its name', undefined, '/srv/my app/50% off/main.js'],
  ['a directory with an encoded space in its name', undefined, 'file:///srv/my%20app/main.js'],
])('resolves a stack from %s with the maps of its build', async (_, given, url) => {
  const contents = 'export function pay() {\n  throw new Error("refused")\n}\npay()\n'
  const stdin = { contents, sourcefile: 'src/pay.ts' }
  await build({ stdin, minify: true, sourcemap: true, outfile: join(directory, 'main.js'), logLevel: 'silent' })
  const column = readFileSync(join(directory, 'main.js'), 'utf8').indexOf('new Error') + 1
  const stack = `Error: refused\n    at pay (${url}:1:${column})`
  const prefix = given ?? (await prefixFrom(stack, directory)).value
  expect(isUsablePrefix(prefix)).toBe(true)
  const question = { service: 'shop', version: '1', near: 0, platform: 'browser' as const, stack }
  const { frames } = await explainFromDirectory(directory, prefix, question, [])
  expect(frames[0]?.resolved).toMatchObject({ file: expect.stringMatching(/src\/pay\.ts$/), line: 2 })
})

it.each(['main.js', 'main.js.map'])(
  'resolves a stack if only the script or only the map is given: %s',
  async (name) => {
    const stdin = { contents: 'throw new Error("refused")\n', sourcefile: 'src/pay.ts' }
    await build({ stdin, minify: true, sourcemap: true, outfile: join(directory, 'main.js'), logLevel: 'silent' })
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const path = join(directory, name)
    const stack = 'Error: refused\n    at https://a.example/assets/main.js:1:7'
    const { value: prefix } = await prefixFrom(stack, path)
    expect(prefix).toBe('/assets')
    const question = { service: '', version: '', near: 0, platform: 'browser' as const, stack }
    const { frames } = await explainFromDirectory(path, prefix, question, [])
    expect(frames[0]?.resolved).toMatchObject({ line: 1 })
    expect(write.mock.calls).toEqual([])
  },
)

it('reports a script that does not match its map, but still shows its frames', async () => {
  const functions = Array.from({ length: 12 }, (_, index) => {
    const name = `pay${String.fromCharCode(97 + index)}`
    return `export function ${name}(order) {\n  order.${name}Check()\n  throw new Error('${name} refused')\n}\n`
  })
  const stdin = { contents: functions.join(''), sourcefile: 'src/pay.ts' }
  const outfile = join(directory, 'main.js')
  await build({ stdin, format: 'esm', minify: true, sourcemap: true, outfile, logLevel: 'silent' })
  const script = readFileSync(outfile, 'utf8')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const told = async (text: string, name = 'main') => {
    writeFileSync(outfile, text)
    const stack = `Error: refused\n    at pay (https://a.example/${name}.js:1:${text.indexOf('new Error') + 1})`
    const question = { service: 'shop', version: '1', near: 0, platform: 'browser' as const, stack }
    const afterwards: Afterwards = []
    await explainFromDirectory(directory, '/', question, afterwards)
    for (const look of afterwards) await look()
    return write.mock.calls.splice(0).join('')
  }
  const added = `"use strict";${script}`
  expect(await told(script)).toBe('')
  expect(await told(added)).toContain('map-offset')
  expect(await told(script.replace('payf refused', 'payf was refused'))).toContain('map-stale')
  expect(await told(added, 'other')).toBe('')
})

const REACT_NATIVE = resolve(import.meta.dirname, '../../../fixtures/symbols/react-native/android')
const BUNDLE = 'index.android.bundle'
const MAPS_APART = 'generated/sourcemaps/react/release'

const EXPORTED = '_expo/static/js/android/index-6afe0774b201f3a8.hbc'

it.each([
  ['the map next to it', `assets/${BUNDLE}`, `assets/${BUNDLE}.map`],
  ['the map in the directory where Gradle writes it', `assets/${BUNDLE}`, `${MAPS_APART}/${BUNDLE}.map`],
  ['the map under the name that expo export uses', EXPORTED, `${EXPORTED}.map`],
])('resolves a React Native crash report with its bundle and %s', async (_, bundle, map) => {
  cpSync(join(REACT_NATIVE, BUNDLE), join(directory, bundle))
  cpSync(join(REACT_NATIVE, `${BUNDLE}.map`), join(directory, map))
  const ask = async (stack: string) => {
    const question = { service: 'shop', version: '1', near: 0, platform: platformOf(stack), stack }
    const { frames } = await explainFromDirectory(directory, '/', question, [])
    return frames.map(({ resolved }) => resolved && [resolved.file, resolved.line, resolved.function])
  }
  const java = '\n\tat com.facebook.react.bridge.NativeRunnable.run(NativeRunnable.java:7)'.repeat(3)
  const crash = 'com.facebook.react.common.JavascriptException: Error: x, js engine: hermes, stack:\nformatPrice@1:2225'
  const expected = [[expect.stringContaining('src/'), expect.any(Number), 'formatPrice']]
  expect(await ask('Error: x\n    at formatPrice (address at index.android.bundle:1:2225)')).toEqual(expected)
  expect(await ask(crash + java)).toEqual(expected)
  expect(await ask('formatPrice@1:2225\nformatPrice@1:2225')).toEqual([...expected, ...expected])
})

it('does not choose between the bundles of two variants unless one is named', async () => {
  const put = (variant: string, code: Buffer) => {
    const assets = join(directory, `assets/createBundle${variant}ReleaseJsAndAssets`)
    mkdirSync(assets, { recursive: true })
    writeFileSync(join(assets, BUNDLE), code)
    const maps = join(directory, `sourcemaps/react/${variant.toLowerCase()}Release`, `${BUNDLE}.map`)
    cpSync(join(REACT_NATIVE, `${BUNDLE}.map`), maps)
  }
  const code = readFileSync(join(REACT_NATIVE, BUNDLE))
  const stack = 'Error: x\n    at formatPrice (address at index.android.bundle:1:2225)'
  const ask = async (variant?: string) => {
    const named = variant === undefined ? {} : { variant }
    const question = { service: '', version: '', near: 0, platform: platformOf(stack), stack, ...named }
    return (await explainFromDirectory(directory, '/', question, [])).frames[0]?.resolved?.function
  }
  put('Free', code)
  put('Paid', code)
  expect(await ask()).toBe('formatPrice')
  expect(await ask('freeRelease')).toBe('formatPrice')
  await expect(ask('trialRelease')).rejects.toMatchObject({
    problems: [
      {
        code: 'variant-missing',
        message: expect.stringMatching(/the variant trialRelease\. Available bundles: \S*createBundleFreeRelease/),
      },
    ],
  })
  put('Paid', Buffer.concat([code, Buffer.from('paid')]))
  await expect(ask()).rejects.toMatchObject({
    problems: [{ code: 'variant-missing', message: expect.stringContaining('createBundlePaidRelease') }],
  })
  expect(await ask('paidRelease')).toBe('formatPrice')
  await expect(ask('release')).rejects.toMatchObject({ problems: [{ code: 'variant-missing' }] })
})

it('lists the available bundles if the bundle in a stack is missing', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (const suffix of ['', '.map']) cpSync(join(REACT_NATIVE, BUNDLE + suffix), join(directory, BUNDLE + suffix))
  const stack = 'Error: x\n    at formatPrice (address at main.jsbundle:1:2225)'
  const question = { service: '', version: '', near: 0, platform: platformOf(stack), stack }
  const { frames } = await explainFromDirectory(directory, '/', question, [])
  expect(frames[0]?.reason).toMatchObject({ code: 'no-artifact' })
  expect(stderr).not.toHaveBeenCalled()
  stderr.mockRestore()
})

it('resolves a stack with a bundle of more than 2 GiB', async () => {
  for (const suffix of ['', '.map']) cpSync(join(REACT_NATIVE, BUNDLE + suffix), join(directory, BUNDLE + suffix))
  truncateSync(join(directory, BUNDLE), 2200 * 1024 * 1024)
  const stack = 'Error: x\n    at formatPrice (address at index.android.bundle:1:2225)'
  const question = { service: '', version: '', near: 0, platform: platformOf(stack), stack }
  const { frames } = await explainFromDirectory(directory, '/', question, [])
  expect(frames[0]?.resolved?.function).toBe('formatPrice')
})

it('reports a script without a map under the path that the user passed', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  writeFileSync(join(directory, 'bare.js'), 'a()\n//# sourceMappingURL=bare.js.map\n')
  const question = { service: 'shop', version: '1', near: 0, stack: 'at a (https://h/bare.js:1:1)' }
  const { frames } = await explainFromDirectory(directory, '/', question as never, [])
  expect(frames[0]?.reason).toMatchObject({ code: 'no-artifact', message: 'The given files do not contain /bare.js.' })
  expect(stderr.mock.calls.join('')).toContain(`map-missing: ${join(directory, 'bare.js')}: `)
})

it.each([
  ['a text without frames', 'nothing to see', ''],
  ['a stack with a script frame', 'Error: x\n    at f (https://h/a.js:1:2)', 'contains no JavaScript file'],
])('%s: reports a directory without scripts only if the stack needs scripts', async (_, stack, expected) => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  writeFileSync(join(directory, 'mapping.txt'), 'com.example.A -> a.a:\n')
  const question = { service: 's', version: '1', near: 0, platform: 'browser' as const, stack }
  await explainFromDirectory(directory, '/', question, [])
  const text = stderr.mock.calls.map(([line]) => String(line)).join('')
  if (expected === '') expect(text).toBe('')
  else expect(text).toContain(expected)
})
