import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { symup } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const LAB = join(ROOT, 'fixtures/symbols/harmony/ossd-25307136-lab1')
const LIBRARY = join(ROOT, 'fixtures/symbols/native/arm64-v8a/libshop.so')
const RELEASE = 'entry/build/default/cache/default/default@CompileArkTS/esmodule/release'

const project = useDirectory()
const intake = useIntake()
beforeAll(() => {
  put(`${RELEASE}/sourceMaps.map`, join(LAB, 'sourceMaps.release.map'))
  put(`${RELEASE}/obfuscation/nameCache.json`, join(LAB, 'nameCache.release.json'))
  put('entry/build/default/intermediates/libs/default/arm64-v8a/libshop.so', LIBRARY)
})

function put(file: string, from: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true })
  cpSync(from, join(project, file))
}

const NAMES = ['--service', 'shop', '--release-version', '1.0.0', '--no-config-file']
const run = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  symup(args, {
    cwd: project,
    env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_APP_KEY: 'dev-app-key', SYMUP_ENDPOINT: intake.url, ...env },
  })

it("uploads the output of a module's release build, whose stack the intake then explains", async () => {
  const { exitCode, stdout } = await run(['harmony', 'upload', 'entry', ...NAMES])
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Uploaded 2 artifacts/)
  expect(exitCode).toBe(0)
  const kinds = (await intake.uploads()).map(({ event, parts }) => [event.type, parts.map(({ name }) => name).sort()])
  // The command sends both uploads at the same time.
  expect(kinds.sort()).toEqual([
    ['harmony_sourcemap', ['name_cache', 'source_map']],
    ['harmony_symbol_file', ['symbol_file']],
  ])
  writeFileSync(join(project, 'stack.txt'), 'Error: x\n    at a2 (entry|entry|1.0.0|src/main/ets/a/d/e.ts:45:13)\n')
  const explained = await run(['explain', 'stack.txt', ...NAMES])
  expect(explained.stdout).toContain(
    '→ updateCurrentBreakpoint  entry/src/main/ets/common/utils/BreakpointSystem.ets:82:7',
  )
  expect(explained.exitCode).toBe(0)
})

it('takes the service and version from app.json5, or from the product in build-profile.json5', async () => {
  mkdirSync(join(project, 'AppScope'), { recursive: true })
  const app =
    "{ // comments are allowed\n 'app': { bundleName: 'com.example.shop', versionCode: 1000000, versionName: '1.4.2', }, }"
  writeFileSync(join(project, 'AppScope/app.json5'), app)
  const asked = await run(['harmony', 'upload', 'entry', '--dry-run', '--no-config-file'])
  expect([asked.exitCode, asked.stdout]).toEqual([
    0,
    expect.stringContaining('version = 1.4.2 ← versionName in AppScope/app.json5'),
  ])
  expect(asked.stdout).toContain('service = com.example.shop ← bundleName in AppScope/app.json5')
  const products =
    "{ app: { products: [{ name: 'default', versionName: '2.0.0' }, { name: 'paid', bundleName: 'com.example.paid' }] } }"
  writeFileSync(join(project, 'build-profile.json5'), products)
  const changed = await run(['harmony', 'upload', 'entry', '--dry-run', '--no-config-file'])
  expect(changed.stdout).toContain('version = 2.0.0 ← versionName in build-profile.json5')
  writeFileSync(join(project, 'AppScope/app.json5'), '{ app: ')
  const broken = await run(['harmony', 'upload', 'entry', '--dry-run', '--no-config-file', '--json', '--service', 's'])
  expect(broken.stdout).toContain('2.0.0')
})
