import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { symup } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const built = join(ROOT, 'fixtures/symbols/react-native')
const BUNDLE = 'index.android.bundle'

const place = useDirectory()
const intake = useIntake()
beforeAll(() => {
  cpSync(built, place, { recursive: true })
})

const NAMES = ['--service', 'shop', '--release-version', '1.2.3', '--no-config-file']
const run = (args: string[], cwd = place, input = '') =>
  symup([...args, ...NAMES], {
    cwd,
    input,
    env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url, SYMUP_APP_KEY: 'dev-app-key' },
  })
const list = async () => {
  const body = { start_time: Date.now() - 86_400_000, end_time: Date.now() + 60_000, orderby: 'updated_at' }
  const response = await fetch(`${intake.url}/sourcemap/list?app_key=dev-app-key`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data } = (await response.json()) as { data: { items: { type: string; metadata: Record<string, string> }[] } }
  return data.items
}

/** The file and line of every frame in the app itself, in Hermes' output. */
const EXPECTED = [
  'formatPrice  /home/build/shop/app/src/price.js:5:',
  'items.map$argument_0  /home/build/shop/app/src/cart.js:5:',
  'checkOut  /home/build/shop/app/src/cart.js:5:',
  'onPress  /home/build/shop/app/index.js:5:',
]

describe('React Native', () => {
  it('resolves a stack printed by the Hermes VM, with the intake and with the directory', async () => {
    const { exitCode, stderr, stdout } = await run(
      [
        ...['react-native', 'upload', BUNDLE, '--build-version', '42'],
        ...['--packager-map', `${BUNDLE}.packager.map`, '--compiler-map', `${BUNDLE}.compiler.map`],
      ],
      join(place, 'android'),
    )
    expect([exitCode, stderr, stdout]).toEqual([0, expect.any(String), expect.stringContaining('Uploaded 1 artifact')])
    const asked = await run(['explain', join(place, 'android/stack.txt'), '--intake', intake.url])
    for (const frame of EXPECTED) expect(asked.stdout).toContain(frame)
    expect(asked.stdout).toContain("throw new TypeError('The item has no price.')")
    // The last frame is a call by Metro, which has no source.
    expect(asked.stdout).toMatch(/ {2}… \d+ library frames?\n/)
    expect([asked.stdout.includes('no-mapping-at-position'), asked.exitCode]).toEqual([false, 0])
    const local = await run(['explain', 'android/stack.txt', '--dir', 'android'])
    for (const frame of EXPECTED) expect(local.stdout).toContain(frame)
  })

  it('resolves a JavaScriptCore stack, wherever the bundle is on the device', async () => {
    const uploaded = await run([
      ...['react-native', 'upload', 'ios/main.jsbundle', '--build-version', '7'],
      ...['--sourcemap', 'ios/main.jsbundle.packager.map'],
    ])
    expect(uploaded.exitCode).toBe(0)
    // JavaScriptCore is not available here. The position in the bundle is real, but written in JavaScriptCore's format.
    const lines = readFileSync(join(built, 'ios/main.jsbundle'), 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes('The item has no price.'))
    const column = (lines[line] as string).indexOf('TypeError(')
    for (const path of ['/var/containers/Bundle/Application/8F2A/Shop.app/main.jsbundle', 'main.jsbundle']) {
      const { stdout, exitCode } = await run(
        ['explain', '-', '--intake', intake.url],
        place,
        `f@${path}:${line + 1}:${column + 1}`,
      )
      expect([stdout, exitCode]).toEqual([expect.stringContaining('/app/src/price.js:5:'), 0])
    }
  })

  it('lists an upload with its platform and build', async () => {
    const items = (await list()).filter(({ metadata }) => metadata.type === 'react_native_sourcemap')
    expect(items.map(({ metadata: it }) => [it.platform, it.build_version, it.bundle_name]).sort()).toEqual([
      ['android', '42', BUNDLE],
      ['ios', '7', 'main.jsbundle'],
    ])
  })

  it('exits with 2 without a platform or build version, or with half a map', async () => {
    const unknown = await run(['react-native', 'upload', 'shop.bundle'])
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('--platform: android, ios or harmony'),
    ])
    expect(unknown.stderr).toContain('--build-version <number>')
    const half = await run(['react-native', 'upload', BUNDLE, '--build-version', '1', '--packager-map', 'a.map'])
    expect([half.exitCode, half.stderr]).toEqual([2, expect.stringContaining('map-uncomposed')])
  })
})

it('Electron: sends, stores and lists every module in a directory once, and names a file that is not a Breakpad file', async () => {
  const sym = (id: string, name: string) =>
    `MODULE Linux x86_64 ${id} ${name}\nINFO CODE_ID 0\nFILE 0 shop.cc\nFUNC 1000 30 0 main\n1000 10 4 0\nPUBLIC 1040 0 _start\n`
  const ids = ['A', 'B'].map((letter) => `${letter.repeat(32)}0`)
  for (const [index, name] of ['shop', 'shop', 'addon.node'].entries()) {
    const directory = join(place, 'symbols', `${index}-${name}`)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, `${name}.sym`), sym(ids[index === 2 ? 1 : 0] as string, name))
  }
  const { exitCode, stdout } = await run(['electron', 'upload', 'symbols'])
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Uploaded 2 artifacts')])
  expect((await list()).filter(({ metadata }) => metadata.type === 'electron_symbol_file')).toHaveLength(2)
  writeFileSync(join(place, 'symbols/page.sym'), '<html>')
  writeFileSync(join(place, 'symbols/hollow.sym'), `MODULE Linux x86_64 ${ids[0]} hollow\n`)
  const bad = await run(['electron', 'upload', 'symbols', '--dry-run', '--json'])
  const { problems } = JSON.parse(bad.stdout) as { problems: { code: string; file: string }[] }
  expect(problems.map(({ code, file }) => [code, file])).toEqual([
    ['breakpad-invalid', 'symbols/hollow.sym'],
    ['breakpad-invalid', 'symbols/page.sym'],
  ])
  const none = await run(['electron', 'upload', 'ios'])
  expect([none.exitCode, none.stdout + none.stderr]).toEqual([3, expect.stringContaining('symbols-not-found')])
})

it('Flutter: sends, stores and lists a file for each architecture', async () => {
  const fixture = join(ROOT, 'fixtures/symbols/flutter')
  cpSync(fixture, join(place, 'split'), { recursive: true })
  cpSync(join(fixture, 'app.android-arm64.symbols'), join(place, 'split/app.android-x64.symbols'))
  const { exitCode } = await run(['flutter', 'upload', 'split', '--flavor', 'paid'])
  expect(exitCode).toBe(0)
  const items = (await list()).filter(({ metadata }) => metadata.type === 'flutter_symbol_file')
  expect(items.map(({ type, metadata: it }) => [type, it.flavor, it.arch]).sort()).toEqual([
    ['android', 'paid', 'arm64'],
    ['android', 'paid', 'x64'],
    ['ios', 'paid', 'arm64'],
  ])
  const none = await run(['flutter', 'upload', 'ios'])
  expect([none.exitCode, none.stdout + none.stderr]).toEqual([3, expect.stringContaining('--split-debug-info')])

  for (const [os, line] of [
    ['ios', ''],
    ['android', "build_id: '0123456789abcdef0123456789abcdef'\n"],
  ]) {
    const stack = `*** *** *** ***
pid: 31219, tid: 6103527424, name 1.ui
os: ${os} arch: arm64 comp: yes sim: no
${line}isolate_dso_base: 723d447000, vm_dso_base: 723d447000
    #00 abs 000000723d4574ec virt 0000000000000044 _kDartIsolateSnapshotInstructions+0x44
    #01 abs 000000723d457530 virt 0000000000000088 _kDartIsolateSnapshotInstructions+0x88
`
    const shown = 'CartItem.price  package:shop/cart.dart:5:15'
    for (const where of [
      ['--intake', intake.url],
      ['--dir', 'split'],
    ]) {
      const asked = await run(['explain', '-', ...where], place, stack)
      expect([asked.exitCode, asked.stdout]).toEqual([0, expect.stringContaining(shown)])
      expect(asked.stdout).toContain('new Cart  package:shop/cart.dart:13:3')
    }
  }
})
