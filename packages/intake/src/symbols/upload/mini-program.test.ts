import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { type CraftedEntry, writeZip } from '../../../../../test/support/crafted-zip.ts'
import { useCaller } from '../../test-support/calling.fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every form
type Any = any

const caller = useCaller()
const { dataDir } = caller

async function upload(entries: CraftedEntry[], fields: object = {}) {
  const archive = join(dataDir, 'a.zip')
  writeZip(archive, { entries })
  const event = { type: 'miniprogram_sourcemap', service: 'shop', version: '1', ...fields }
  const { status, code, message } = await caller.upload(event, { sourcemap_archive: readFileSync(archive) })
  rmSync(archive)
  return code === undefined ? status : `${status} ${code}: ${message}`
}

const list = async (more: object = {}): Promise<Any> => {
  const range = { start_time: Date.now() - 86_400_000, end_time: Date.now() + 86_400_000 }
  return (await caller.post('/sourcemap/list', { type: 'miniprogram', ...range, ...more })).data
}

const listed = async () =>
  ((await list({ limit: 100 })).items as Any[]).map(({ key, metadata }) =>
    `${key.replace(/\/\w{26}$/, '')} [${metadata.sub_package}] ${metadata.appid ?? ''}`.trim(),
  )

const explain = async (stack: string, fields: object = {}) => {
  const question = { type: 'miniprogram', service: 'shop', version: '1', stack, ...fields }
  return (await caller.post('/sourcemap/stack/enrich', question)).data.frames as Any[]
}

/** A script in the form that a host creates, with its map and V8's stack when it throws. */
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

const cart = bundle(
  'cart',
  'function checkout(price: number) {\n  throw new Error(String(price))\n}\nexport const run = () => checkout(3)\n',
)
const user = bundle(
  'user',
  '// another app\n\n\nfunction greet(name: string) {\n  throw new Error(name)\n}\nexport const run = () => greet("x")\n',
)

/** Converts the stack to JavaScriptCore's format. */
const asJavaScriptCore = (stack: string) =>
  stack
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^\s*at (?:(.*) )?\(?(.*?)\)?$/, '$1@$2'))
    .join('\n')

describe('an uploaded mini program archive', () => {
  const map = { content: '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}' }

  it('records each map with its sub-package and appid, and replaces an archive with the same appid', async () => {
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
})

describe('an unusable mini program archive', () => {
  const MIB = 1024 * 1024

  it('refuses an unusable archive with the messages of the service, and leaves nothing behind', async () => {
    expect(await upload([{ name: 'p/a.js.map', content: Buffer.alloc(50 * MIB + 1, 32) }])).toBe(
      '413 EntityTooLarge: The archive entry p/a.js.map is larger than 50 MB when decompressed.',
    )
    const tooMany = Array.from({ length: 5001 }, (_, nth) => ({ name: `${nth}.js.map` }))
    expect(await upload(tooMany)).toBe(
      '413 EntityTooLarge: The archive contains 5001 entries, but at most 5000 are allowed.',
    )
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
})

describe('a mini program stack', () => {
  it.each([
    ['in the main package', '__APP__/app-service.js.map', 'https://usr/app-service.js'],
    ['in lazily loaded code', '__FULL__/appservice.app.js.map', 'https://usr/appservice.app.js'],
    [
      'in a lazily loaded page with a doubled slash',
      '__FULL__/chunk_0.appservice.js.map',
      'https://usr//chunk_0.appservice.js',
    ],
    ['sub-package', 'packageA/app-service.js.map', 'https://usr/packageA/app-service.js'],
    [
      'in a nested sub-package',
      'packages/order/chunk_3.appservice.js.map',
      'https://usr/packages/order//chunk_3.appservice.js',
    ],
    ['devtools', '__FULL__/pages/cart/cart.js.map', 'weapp:///pages/cart/cart.js'],
  ])('resolves: %s', async (_, entry, url) => {
    const { map, stackAs } = await cart
    await upload([
      { name: entry, content: map },
      { name: 'packageB/app-service.js.map', content: (await user).map },
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

  it('resolves a stack with the main package from __APP__ if both exist, and reports it', async () => {
    const [{ map, stackAs }, other] = await Promise.all([cart, user])
    await upload([
      { name: '__FULL__/app-service.js.map', content: other.map },
      { name: '__APP__/app-service.js.map', content: map },
    ])
    const [frame] = await explain(stackAs('https://usr/app-service.js'))
    expect(frame).toMatchObject({
      converted: true,
      file: 'src/cart.ts',
      note: expect.stringContaining('The frame was resolved with __APP__/app-service.js.map.'),
    })
    expect((await explain(other.stackAs('https://usr/__FULL__/app-service.js')))[0]).toMatchObject({
      file: 'src/user.ts',
    })
  })

  it('resolves a stack with the main package from __FULL__ if __APP__ lacks the script', async () => {
    const { map, stackAs } = await cart
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
    expect(frame.note).toContain(
      'The frame was resolved with __FULL__/app-service.js.map, which is for clients that do not support sub-packages',
    )
    // A client that loaded a sub-package did not load __FULL__.
    const both = await explain(
      `${stack}\n${stackAs('https://usr/packageA/app-service.js').split('\n').slice(1).join('\n')}`,
    )
    expect(both[0]).toMatchObject({ converted: false, reason: { code: 'no-mapping-at-position' } })
  })

  it('resolves a stack by appid if two mini programs share service and version, and otherwise reports the ambiguity', async () => {
    const [one, two] = await Promise.all([cart, user])
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
    // An archive is not ambiguous if it was uploaded under two appids.
    await upload([{ name: '__APP__/app-service.js.map', content: two.map }], { appid: 'wx1' })
    expect((await explain(stack))[0].converted).toBe(true)
  })

  it("resolves a stack without the host's frames, and reports what else is missing", async () => {
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
    const { map } = await cart
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
      /^400 InvalidParameter: The specified parameter sourcemap_archive is not valid\. No \.js\.map entry contains a complete JSON document\. The first entry is __FULL__/,
    )
  })
})
