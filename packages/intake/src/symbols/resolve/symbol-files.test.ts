import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectJvmMapping, type Plan, type Report, resolveSettings, upload } from '@symup/core'
import { describe, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const FIXTURES = join(import.meta.dirname, '../../../../../fixtures/symbols')
const SHOP = join(FIXTURES, 'jvm/cases/shop-optimized')
const TOWER = join(FIXTURES, 'jvm/cases/tower-optimized')

const caller = useCaller()

async function send(plan: Plan): Promise<Report> {
  const resolution = resolveSettings({
    options: { apiKey: 'dev-api-key', endpoint: caller.intake.url, service: 's', version: '1' },
    cwd: FIXTURES,
    env: {},
    needsPrefix: false,
  })
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.problems))
  return upload(plan, resolution.settings, { adapter: { name: 'test', version: '0' }, cwd: FIXTURES })
}

async function sendMapping(directory: string, variant: string, buildId?: string): Promise<void> {
  const plan = await collectJvmMapping({
    file: join(directory, 'mapping.txt'),
    service: 'shop',
    version: '1.2.3',
    versionCode: 7,
    variant,
    toolVersion: '0',
    ...(buildId !== undefined && { buildId }),
  })
  expect((await send(plan)).totals).toMatchObject({ accepted: 1 })
}

async function enrich(body: object) {
  const { data } = await caller.post('/sourcemap/stack/enrich', { service: 'shop', version: '1.2.3', ...body })
  return data as { frames: Record<string, unknown>[]; retraced?: string }
}

it('resolves a JavaScript stack from React Native regardless of its platform', async () => {
  const release = { service: 'shop', version: '1.2.3', build_version: '3', bundle_name: 'main.jsbundle' }
  const source_map = '{"version":3,"sources":["cart.ts"],"names":[],"mappings":"AACE"}'
  const event = { type: 'react_native_sourcemap', platform: 'ios', ...release }
  expect((await caller.upload(event, { source_map, bundle: 'x()' })).status).toBe(200)
  const stack = 'Error: x\n    at pay (address at /var/containers/Bundle/Application/AB/Shop.app/main.jsbundle:1:1)'
  for (const type of ['ios', 'android', 'browser'])
    expect((await enrich({ type, stack })).frames).toMatchObject([{ converted: true, file: 'cart.ts', line: 2 }])
})

describe('an Android stack', () => {
  const stack = readFileSync(join(SHOP, 'stack.txt'), 'utf8')

  it('resolves an Android stack by its format without a type or with a wrong one', async () => {
    await sendMapping(SHOP, 'release')
    const known = await enrich({ type: 'android', stack })
    for (const type of [undefined, 'browser', 'ios']) expect(await enrich({ type, stack })).toEqual(known)
    const other = readFileSync(join(TOWER, 'stack.txt'), 'utf8')
    expect(await enrich({ stack: other })).toEqual(await enrich({ type: 'android', stack: other }))
    expect(await enrich({ type: 'android', stack: 'It was no stack.' })).toMatchObject({ frames: [] })
  })

  it('returns the text of an Android stack without a frame', async () => {
    await sendMapping(SHOP, 'release')
    const { frames, retraced } = await enrich({ type: 'android', stack: 'Caused by: b: gave up\n\t... 2 more' })
    expect(frames).toEqual([])
    expect(retraced).toBe('Caused by: com.example.shop.pay.PaymentException: gave up\n\t... 2 more')
  })

  it('resolves an Android stack with the uploaded mapping', async () => {
    await sendMapping(SHOP, 'release')
    const { frames, retraced } = await enrich({ type: 'android', stack })
    const original = { function: 'a.a', class_name: 'a', method_name: 'a', file: 'SourceFile', line: 1029 }
    const common = {
      raw: 'at a.a(SourceFile:1029)',
      file: 'Cart.java',
      converted: true,
      third_party: false,
      original_frame: original,
    }
    const line = 'com.example.shop.pay.Cart$Line'
    expect(frames.filter(({ raw }) => raw === common.raw)).toMatchObject([
      { ...common, function: `${line}.checked`, class_name: line, method_name: 'checked', line: 29, inlined: true },
      { ...common, class_name: line, method_name: 'unit', line: 24, inlined: true },
      { ...common, class_name: line, method_name: 'price', line: 20, inlined: true },
      { ...common, class_name: 'com.example.shop.pay.Cart', method_name: 'total', line: 50, code_snippets: [] },
    ])
    expect(retraced).toBe(readFileSync(join(SHOP, 'expected.txt'), 'utf8'))
  })

  it('resolves an Android stack with the mapping for its variant or build', async () => {
    await sendMapping(SHOP, 'paidRelease', 'b-1')
    await sendMapping(TOWER, 'freeRelease', 'b-2')
    const functions = async (body: object) =>
      (await enrich({ type: 'android', stack: 'at a.a(SourceFile:10)', ...body })).frames.map(
        (frame) => frame.class_name,
      )
    expect(await functions({ variant: 'freeRelease' })).toEqual(['org.tower.core.Layer'])
    expect(await functions({ build_id: 'b-2' })).toEqual(['org.tower.core.Layer'])
    expect(
      (await enrich({ type: 'android', stack: 'at a.a(SourceFile:1029)', variant: 'paidRelease' })).frames.at(-1),
    ).toMatchObject({ class_name: 'com.example.shop.pay.Cart' })
  })

  it('reports which other release was uploaded', async () => {
    await sendMapping(SHOP, 'release')
    const { frames } = await enrich({ type: 'android', stack, version: '9' })
    expect(frames[0]).toMatchObject({
      converted: false,
      reason: { code: 'version-mismatch', message: 'No upload for shop has the version 9. Uploaded versions: 1.2.3.' },
    })
  })
})

describe('a HarmonyOS stack', () => {
  const LAB = join(FIXTURES, 'harmony/ossd-25307136-lab1')
  const golden = 'at a2 (entry|entry|1.0.0|src/main/ets/a/d/e.ts:45:13)'

  async function sendMaps(map: string, names?: string, service = 'shop') {
    const event = { type: 'harmony_sourcemap', service, version: '1.2.3', cli_version: '0' }
    const { message } = await caller.upload(event, {
      source_map: map,
      ...(names !== undefined && { name_cache: names }),
    })
    return message
  }
  const read = (file: string) => readFileSync(join(LAB, file), 'utf8')

  it('resolves a HarmonyOS stack with source maps and a name cache', async () => {
    expect(await sendMaps(read('sourceMaps.release.map'), read('nameCache.release.json'))).toBe('')
    const { frames } = await enrich({ type: 'harmony', stack: `Error name:RangeError\nStacktrace:\n    ${golden}` })
    expect(frames).toEqual([
      {
        raw: golden,
        function: 'updateCurrentBreakpoint',
        file: 'entry/src/main/ets/common/utils/BreakpointSystem.ets',
        line: 82,
        column: 7,
        converted: true,
        code_snippets: [],
        third_party: false,
        original_frame: { function: 'a2', file: 'entry|entry|1.0.0|src/main/ets/a/d/e.ts', line: 45, column: 13 },
      },
    ])
  })

  it('uses the maps of several modules, of which a new upload replaces its own', async () => {
    const home = JSON.stringify({ 'home|home|1.0.0|a.ts': { version: 3, sources: ['home/a.ets'], mappings: 'AAAA' } })
    for (const map of [read('sourceMaps.release.map'), home, home]) expect(await sendMaps(map)).toBe('')
    expect(await caller.intake.uploads()).toHaveLength(2)
    const { frames } = await enrich({ type: 'harmony', stack: `${golden}\nat f (home|home|1.0.0|a.ts:1:1)` })
    expect(frames.map(({ file, reason }) => [file, (reason as { code: string } | undefined)?.code])).toEqual([
      ['entry/src/main/ets/common/utils/BreakpointSystem.ets', 'names-obfuscated'],
      ['home/a.ets', 'names-obfuscated'],
    ])
  })

  it.each([
    [
      '{"version":3,"sources":[],"mappings":""}',
      'The file is the source map of a single file, not the sourceMaps.map of a module.',
    ],
    ['<html>', 'The content is not valid JSON.'],
  ])('rejects an upload of %s', async (map, flaw) => {
    expect(await sendMaps(map)).toBe(`The specified parameter source_map is not valid. ${flaw}`)
  })
})

describe('a hybrid stack', () => {
  const library = readFileSync(join(FIXTURES, 'native/arm64-v8a/libshop.so'))
  const id = '725d8a9b24779d7b7490796a6fc5ee732118dcd1'
  const release = { service: 'shop', version: '1.2.3', cli_version: '0' }

  async function post(event: object, part: string, content: Buffer) {
    expect((await caller.upload({ ...release, ...event }, { [part]: new File([content], 'libshop.so') })).status).toBe(
      200,
    )
  }
  const functions = async (type: string, stack: string) =>
    (await enrich({ type, stack })).frames.map(({ function: name, line }) => [name, line])

  it('keeps the order of JVM and native frames from Android', async () => {
    await sendMapping(SHOP, 'release')
    const event = { type: 'ndk_symbol_file', arch: 'arm64', version_code: 7, variant: 'release' }
    await post(event, 'ndk_symbol_file', library)
    const stack = [
      '"main" prio=5 tid=1 Native',
      `  native: #00 pc 00000000000043e0  /data/app/x/lib/arm64/libshop.so (Java_com_example_shop_Native_total+12) (BuildId: ${id})`,
      '  at a.a(SourceFile:44)',
    ]
    expect(await functions('android', stack.join('\n'))).toEqual([
      ['Java_com_example_shop_Native_total', 12],
      ['com.example.shop.pay.Cart.add', 44],
    ])
  })

  it.each([
    ['aarch64', 'arm64'],
    ['', 'arm64'],
    [5, 'arm64-v8a'],
  ])('finds an Android library by name that was uploaded with the architecture %j', async (arch, asked) => {
    await post({ type: 'ndk_symbol_file', arch }, 'ndk_symbol_file', library)
    const stack = '#00 pc 00000000000043e0  /data/app/libshop.so (Java_com_example_shop_Native_total+12)'
    const { frames } = await enrich({ type: 'android', stack, arch: asked })
    expect(frames).toMatchObject([{ function: 'Java_com_example_shop_Native_total', line: 12 }])
  })

  it('keeps the order of ArkTS and native frames from HarmonyOS', async () => {
    const map = readFileSync(join(FIXTURES, 'harmony/ossd-25307136-lab1/sourceMaps.release.map'))
    await post({ type: 'harmony_sourcemap' }, 'source_map', map)
    const event = { type: 'harmony_symbol_file', arch: 'arm64', lib_name: 'libshop.so', build_id: id }
    await post(event, 'symbol_file', library)
    const stack = [
      `#00 pc 0000000000004410 /data/storage/el1/bundle/libs/arm64/libshop.so(02cecfd8fd280aeaa1af7b9d1227afeac0ec4356)`,
      `#01 pc 0000000000004410 /data/storage/el1/bundle/libs/arm64/libshop.so(_ZN4shop7checkedEi+12)(${id})`,
      '#02 at a2 (entry|entry|1.0.0|src/main/ets/a/d/e.ts:45:13)',
    ]
    const { frames } = await enrich({ type: 'harmony', stack: stack.join('\n') })
    expect(frames).toMatchObject([
      { converted: false, reason: { code: 'build-id-mismatch' } },
      { function: 'shop::checked(int)', line: 6 },
      { file: 'entry/src/main/ets/common/utils/BreakpointSystem.ets', line: 82 },
    ])
  })
})

describe('an upload whose file does not match its event', () => {
  const mapping = readFileSync(join(SHOP, 'mapping.txt'))
  const elf = Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(60)])

  it.each<[string, string, Buffer, string]>([
    [
      'ndk_symbol_file',
      'ndk_symbol_file',
      mapping,
      'The specified parameter event.type is not valid. The file is a ProGuard or R8 mapping. Send the file as jvm_mapping_file, not as ndk_symbol_file.',
    ],
    [
      'jvm_mapping_file',
      'jvm_mapping_file',
      elf,
      'The specified parameter event.type is not valid. The file is a native library (ELF). Send the file as ndk_symbol_file or harmony_symbol_file, not as jvm_mapping_file.',
    ],
    [
      'jvm_mapping_file',
      'jvm_mapping_file',
      Buffer.from('<html>404</html>'),
      'The specified parameter jvm_mapping_file is not valid. The file is an HTML or XML page, not a mapping file.',
    ],
    [
      'jvm_mapping_file',
      'jvm_mapping_file',
      mapping.subarray(0, 300),
      'The specified parameter jvm_mapping_file is not valid. The file is truncated: its last line is incomplete.',
    ],
  ])('refuses %s', async (type, part, content, message) => {
    const event = { type, service: 's', version: '1', version_code: 1, variant: 'v' }
    expect(await caller.upload(event, { [part]: content })).toMatchObject({ code: 'InvalidParameter', message })
    expect(await caller.intake.uploads()).toEqual([])
  })
})
