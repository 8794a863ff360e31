import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { type CraftedEntry, deflated, writeZip } from '../../../../../test/support/crafted-zip.ts'
import { type Intake, startIntake } from '../../index.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any

let intake: Intake
let dataDir: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'symup-intake-mini-'))
  intake = await startIntake({ dataDir })
})
afterEach(async () => {
  await intake.close()
  rmSync(dataDir, { recursive: true })
})

async function upload(entries: CraftedEntry[], fields: object = {}) {
  const archive = join(dataDir, '..', `${Math.random()}.zip`)
  writeZip(archive, { entries })
  const form = new FormData()
  const event = { type: 'miniprogram_sourcemap', service: 'shop', version: '1', ...fields }
  form.append('event', new Blob([JSON.stringify(event)], { type: 'application/json' }))
  form.append('sourcemap_archive', new Blob([readFileSync(archive)]), 'sourcemap.zip')
  rmSync(archive)
  const response = await fetch(`${intake.url}/sourcemap/upload`, {
    method: 'POST',
    headers: { 'DD-API-KEY': 'dev-api-key' },
    body: form,
  })
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  return error ? `${response.status} ${error.code}: ${error.message}` : response.status
}

async function operation(path: string, body: object): Promise<Any> {
  const response = await fetch(`${intake.url}${path}?app_key=dev-app-key`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return ((await response.json()) as Any).data
}

const listed = async () =>
  (
    (
      await operation('/sourcemap/list', {
        type: 'miniprogram',
        start_time: Date.now() - 86_400_000,
        end_time: Date.now() + 86_400_000,
        limit: 100,
      })
    ).items as Any[]
  ).map(({ key, metadata }) =>
    `${key.replace(/\/\w{26}$/, '')} [${metadata.sub_package}] ${metadata.appid ?? ''}`.trim(),
  )

const explain = async (stack: string, fields: object = {}) =>
  (await operation('/sourcemap/stack/enrich', { type: 'miniprogram', service: 'shop', version: '1', stack, ...fields }))
    .frames as Any[]

/** A script as a host makes it, its map, and what V8 says when it throws. */
async function bundle(name: string, source: string) {
  const { outputFiles } = await build({
    stdin: { contents: source, sourcefile: `src/${name}.ts`, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'cjs',
    sourcemap: 'external',
    outdir: '/',
    write: false,
  })
  const [map = '', script = ''] = ['.map', '.js'].map((end) => outputFiles.find(({ path }) => path.endsWith(end))?.text)
  return {
    map,
    stackAs(url: string): string {
      const module: { exports: { run?(): void } } = { exports: {} }
      compileFunction(script, ['module'], { filename: url })(module)
      try {
        module.exports.run?.()
      } catch (error) {
        return (error as Error).stack?.split('\n').slice(0, 3).join('\n') as string
      }
      throw new Error('it did not throw')
    },
  }
}

const cart = () =>
  bundle(
    'cart',
    'function checkout(price: number) {\n  throw new Error(String(price))\n}\nexport const run = () => checkout(3)\n',
  )
const user = () =>
  bundle(
    'user',
    '// another app\n\n\nfunction greet(name: string) {\n  throw new Error(name)\n}\nexport const run = () => greet("x")\n',
  )

/** JavaScriptCore's way to write the same stack. */
const asJavaScriptCore = (stack: string) =>
  stack
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^\s*at (?:(.*) )?\(?(.*?)\)?$/, '$1@$2'))
    .join('\n')

describe('records', () => {
  const map = { content: '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}' }

  it('each map with its sub-package and appid; a new archive replaces the old one of the same appid', async () => {
    const entries = ['__FULL__/app-service.js.map', 'packages/order/app-service.js.map', 'readme.txt']
    expect(
      await upload(
        entries.map((name) => ({ name, ...map })),
        { appid: 'wx1' },
      ),
    ).toBe(200)
    expect(await upload([{ name: '__FULL__/app-service.js.map', ...map }], { appid: 'wx2' })).toBe(200)
    expect(await upload([{ name: '__FULL__/app-service.js.map', ...map }])).toBe(200)
    const others = [
      'miniprogram/shop/1/__FULL__/app-service.js.map []',
      'miniprogram/shop/1/__FULL__/app-service.js.map [] wx2',
    ]
    expect((await listed()).sort()).toEqual(
      [
        ...others,
        'miniprogram/shop/1/__FULL__/app-service.js.map [] wx1',
        'miniprogram/shop/1/packages/order/app-service.js.map [packages/order] wx1',
      ].sort(),
    )
    expect(await upload([{ name: 'packageA/app-service.js.map', ...map }], { appid: 'wx1' })).toBe(200)
    expect((await listed()).sort()).toEqual(
      [...others, 'miniprogram/shop/1/packageA/app-service.js.map [packageA] wx1'].sort(),
    )
  })

  it('5000 maps', async () => {
    const content = deflated(Buffer.from(map.content))
    const entries = Array.from({ length: 5000 }, (_, nth) => ({ name: `p${nth % 7}/${nth}.js.map`, deflated: content }))
    expect(await upload(entries)).toBe(200)
    expect(
      (
        await operation('/sourcemap/list', {
          type: 'miniprogram',
          start_time: Date.now() - 86_400_000,
          end_time: Date.now() + 86_400_000,
        })
      ).total,
    ).toBe(5000)
    expect(await upload([...entries, { name: 'one-more.txt' }])).toBe(
      '413 EntityTooLarge: The archive has 5001 entries; at most 5000 are allowed.',
    )
  })
})

describe('refuses', () => {
  const MIB = 1024 * 1024

  it('what the service refuses, in its words, and keeps nothing', async () => {
    const tooLarge = deflated(Buffer.alloc(50 * MIB + 1, 32))
    expect(await upload([{ name: 'p/a.js.map', deflated: tooLarge }])).toBe(
      '413 EntityTooLarge: The entry p/a.js.map is larger than 50 MB decompressed.',
    )
    expect(await upload([{ name: 'p/a.js.map', deflated: tooLarge, declaredBytes: 9 }])).toContain('413 EntityTooLarge')
    expect(await upload([{ name: 'a.js' }, { name: 'b.map.map' }])).toBe(
      '400 InvalidParameter: No .js.map entries found in the sourcemap archive',
    )
    expect(await upload([{ name: '../a.js.map' }])).toMatch(
      /^400 InvalidParameter: .*sourcemap_archive.*\.\.\/a\.js\.map/,
    )
    expect(await upload([{ name: 'a.js.map' }], { appid: 5 })).toContain(
      '400 InvalidParameter: The specified parameter event.appid',
    )
    expect(await upload([{ name: 'a.js.map' }], { version: 5 })).toContain('event.version')
    expect(await listed()).toEqual([])
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual([])
  })

  it('50 MB itself passes', async () => {
    expect(await upload([{ name: 'p/a.js.map', deflated: deflated(Buffer.from('{}'.padEnd(50 * MIB))) }])).toBe(200)
  })
})

describe('resolves', () => {
  it.each([
    ['main package', '__APP__/app-service.js.map', 'https://usr/app-service.js'],
    ['main package, older name', '__FULL__/app-service.js.map', 'https://usr/app-service.js'],
    ['lazily loaded code', '__FULL__/appservice.app.js.map', 'https://usr/appservice.app.js'],
    ['lazily loaded page, doubled slash', '__FULL__/chunk_0.appservice.js.map', 'https://usr//chunk_0.appservice.js'],
    ['sub-package', 'packageA/app-service.js.map', 'https://usr/packageA/app-service.js'],
    [
      'nested sub-package',
      'packages/order/chunk_3.appservice.js.map',
      'https://usr/packages/order//chunk_3.appservice.js',
    ],
    ['named main package', '__APP__/app-service.js.map', 'https://usr/__APP__/app-service.js'],
    ['devtools', '__FULL__/pages/cart/cart.js.map', 'weapp:///pages/cart/cart.js'],
    [
      'devtools over HTTP',
      '__FULL__/pages/cart/cart.js.map',
      'http://127.0.0.1:18025/appservice/pages/cart/cart.js?t=wechat',
    ],
    ['Alipay', '__FULL__/app.js.map', 'https://appx/app.js'],
    ['ByteDance', '__FULL__/pages/cart.js.map', 'tt://pages/cart.js'],
    ['Baidu', '__FULL__/app.js.map', 'swan://app.js'],
  ])('%s', async (_, entry, url) => {
    const { map, stackAs } = await cart()
    await upload([
      { name: entry, content: map },
      { name: 'packageB/app-service.js.map', content: (await user()).map },
    ])
    const v8 = stackAs(url)
    expect(v8).toContain(url)
    for (const stack of [
      v8,
      asJavaScriptCore(v8),
      `MiniProgramError\n${v8}`,
      v8.replaceAll('\n', ' '),
      v8.replaceAll('\n', '\\n'),
    ]) {
      const [thrower, caller] = await explain(stack)
      expect(thrower).toMatchObject({ converted: true, file: 'src/cart.ts', line: 2, function: 'checkout' })
      expect(caller).toMatchObject({ converted: true, file: 'src/cart.ts', line: 4 })
    }
  })

  it('the main package from __APP__ where both are there, and says so', async () => {
    const [{ map, stackAs }, other] = await Promise.all([cart(), user()])
    await upload([
      { name: '__FULL__/app-service.js.map', content: other.map },
      { name: '__APP__/app-service.js.map', content: map },
    ])
    const [frame] = await explain(stackAs('https://usr/app-service.js'))
    expect(frame).toMatchObject({
      converted: true,
      file: 'src/cart.ts',
      note: expect.stringContaining('__APP__/app-service.js.map was used'),
    })
    expect((await explain(other.stackAs('https://usr/__FULL__/app-service.js')))[0]).toMatchObject({
      file: 'src/user.ts',
    })
  })

  it('the main package from __FULL__ where __APP__ does not have what the stack names', async () => {
    const { map, stackAs } = await cart()
    const short = JSON.stringify({ ...JSON.parse(map.toString()), mappings: ';;;;;;;;AAAA' })
    await upload([
      { name: '__APP__/app-service.js.map', content: short },
      { name: '__APP__/first.js.map', content: short },
      { name: '__FULL__/app-service.js.map', content: map },
      { name: 'packageA/app-service.js.map', content: map },
    ])
    const stack = stackAs('https://usr/app-service.js')
    const [frame] = await explain(stack)
    expect(frame).toMatchObject({ converted: true, file: 'src/cart.ts', line: 2 })
    expect(frame.note).toContain('__FULL__/app-service.js.map, for clients that do not know sub-packages, was used')
    // A client that has loaded a sub-package has not loaded __FULL__.
    const both = await explain(
      `${stack}\n${stackAs('https://usr/packageA/app-service.js').split('\n').slice(1).join('\n')}`,
    )
    expect(both[0]).toMatchObject({ converted: false, reason: { code: 'no-mapping-at-position' } })
  })

  it('by appid where two mini programs share service and version, and else says that it is ambiguous', async () => {
    const [one, two] = await Promise.all([cart(), user()])
    await upload([{ name: '__FULL__/app-service.js.map', content: one.map }], { appid: 'wx1' })
    await upload([{ name: '__APP__/app-service.js.map', content: two.map }], { appid: 'wx2' })
    const stack = one.stackAs('https://usr/app-service.js')
    expect((await explain(stack, { appid: 'wx1' }))[0]).toMatchObject({ converted: true, file: 'src/cart.ts', line: 2 })
    expect((await explain(two.stackAs('https://usr/app-service.js'), { appid: 'wx2' }))[0]).toMatchObject({
      file: 'src/user.ts',
      line: 5,
    })
    expect((await explain(stack))[0]).toMatchObject({
      converted: false,
      reason: { code: 'ambiguous', message: expect.stringContaining('wx1, wx2') },
    })
    expect((await explain(stack, { appid: 'wx3' }))[0]).toMatchObject({ reason: { code: 'appid-mismatch' } })
    // The same archive under two appids is not a question.
    await upload([{ name: '__APP__/app-service.js.map', content: two.map }], { appid: 'wx1' })
    expect((await explain(stack))[0].converted).toBe(true)
  })

  it('nothing of the host, and says what else is missing', async () => {
    const frames = await explain(
      readFileSync(join(import.meta.dirname, '../../../../../fixtures/mini-program/wechat-stacks.txt'), 'utf8'),
    )
    expect(frames.map(({ raw, reason }) => `${reason.code} ${raw}`)).toEqual([
      'no-artifact at a.<anonymous> (https://usr/app-service.js:8534:329320)',
      'no-artifact at https://usr/app-service.js:8534:1440',
      'no-artifact at f (https://usr/appservice.app.js:1933:70672)',
      'not-a-project-frame at f (https://lib/WASubContext.js:1:151799)',
      'not-a-project-frame at f (a805bc3ad643247fab363e328d5880f5-13909-V0FTdWJDb250ZXh0Lmpz.cachedata:1:151799)',
      'no-artifact handleUnhandledPromiseRejection@https://usr//chunk_6.appservice.js:189:952',
      'not-a-project-frame @[native code]',
      'not-a-project-frame @https://lib/WASubContext.js:1:356139',
      'no-artifact handleTap@https://usr//chunk_0.appservice.js:550:2517',
      'no-artifact at ai.handleUnhandledPromiseRejection (weapp:///pages/rum-demo/error.js:27:20)',
      'not-a-project-frame at ai.<anonymous> (http://127.0.0.1:18025/appservice/__dev__/WASubContext.js?t=wechat&v=3.14.2:1:356138)',
    ])
    const { map } = await cart()
    const at = async (file: string, fields: object = {}) => (await explain(`at f (${file}:1:1)`, fields))[0].reason.code
    await upload([{ name: '__FULL__/pages/a.js.map', content: map }])
    expect(await at('https://usr/app-service.js')).toBe('layout-mismatch')
    expect(await at('https://usr/pages/b.js')).toBe('no-artifact')
    expect(await at('https://usr/pages/a.js', { version: '2' })).toBe('version-mismatch')
    expect(await at('https://usr/pages/a.js', { service: 'other' })).toBe('service-mismatch')
    await upload([{ name: '__FULL__/app-service.js.map', content: map }])
    expect(await at('weapp:///pages/a.js')).toBe('layout-mismatch')
    expect((await explain('at f (https://usr/app-service.js:9:9)'))[0].reason.code).toBe('no-mapping-at-position')
    const broken = { name: '__FULL__/app-service.js.map', content: '<html>' }
    expect(await upload([broken, { name: 'p/a.js.map', content: map }])).toBe(200)
    expect(await at('https://usr/app-service.js')).toBe('map-unusable')
    expect(await upload([broken])).toMatch(
      /^400 InvalidParameter: The specified parameter sourcemap_archive is not valid\. None of its \.js\.map entries is a whole JSON document; the first is __FULL__/,
    )
  })

  it('hostile stacks in little time', async () => {
    const long = [
      ' '.repeat(2_000_000),
      'at a '.repeat(400_000),
      `at (${'a://'.repeat(400_000)}`,
      '@'.repeat(2_000_000),
    ]
    const seconds = await cpuSeconds(async () => {
      for (const stack of long) await explain(stack)
    })
    expect(seconds).toBeLessThan(20)
  })
})
