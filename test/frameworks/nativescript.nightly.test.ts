import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { filesBelow } from '../support/files-below.ts'
import { install } from '../support/install.ts'
import { useIntake } from '../support/intake.ts'
import { enrich, positionOf } from '../support/resolve.ts'

/**
 * Builds a NativeScript app with the config from `docs/frameworks.md`. Its command needs Android's SDK, so the test
 * runs webpack with the arguments that the command would pass.
 */

const FIXTURE = join(ROOT, 'fixtures/frameworks/nativescript')
const PAGE = readFileSync(join(ROOT, 'docs/frameworks.md'), 'utf8')
const ENV = ['android', 'production', 'sourceMap=hidden-source-map', 'appPath=src', 'appResourcesPath=App_Resources']
const INSTALLED = 'file:///data/data/com.example.shop/files/app'

const intake = useIntake()
let app: string
beforeAll(async () => {
  await Promise.all([buildPackages(), install(FIXTURE)])
  app = mkdtempSync(join(ROOT, 'fixtures/frameworks/.nativescript-'))
  for (const file of ['src', 'package.json', 'nativescript.config.ts'])
    cpSync(join(FIXTURE, file), join(app, file), { recursive: true })
  writeFileSync(
    join(app, 'tsconfig.json'),
    '{"compilerOptions":{"module":"esnext","moduleResolution":"bundler","skipLibCheck":true}}\n',
  )
  symlinkSync('../nativescript/node_modules', join(app, 'node_modules'))
  const [, config = ''] =
    /```js\n(\/\/ webpack\.config\.js\nconst webpack = require\('@nativescript[\s\S]*?)```/.exec(PAGE) ?? []
  writeFileSync(join(app, 'webpack.config.js'), config)
}, 300_000)
afterAll(() => rmSync(app, { recursive: true, force: true }))

it('resolves errors from an installed app, whose package contains no map', { timeout: 300_000 }, async () => {
  const program = join(FIXTURE, 'node_modules/@nativescript/webpack/dist/bin/index.js')
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [program, 'build', ...ENV.map((it) => `--env.${it}`)],
    { cwd: app, env: { ...process.env, SYMUP_ENDPOINT: intake.url, SYMUP_API_KEY: 'dev-api-key', NO_COLOR: '1' } },
  )
  expect(stdout + stderr).toMatch(/Uploaded 4 artifacts/)
  const platform = join(app, 'platforms/android')
  const files = filesBelow(platform)
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
  const bundle = files.find((file) => file.endsWith('/bundle.js')) as string
  expect(readFileSync(join(platform, bundle), 'utf8')).not.toContain('sourceMappingURL')

  const thrown = positionOf(join(platform, bundle), 'throw new RangeError')
  const stack = `System.err: An uncaught Exception occurred on "main" thread.
System.err: RangeError: cart is empty
System.err: StackTrace:
System.err: total(${INSTALLED}/bundle.js:${thrown.line}:${thrown.column})`
  const { line, column } = positionOf(join(app, 'src/total.ts'), 'throw new RangeError', app)
  expect(await enrich(intake, stack), stack).toEqual([
    { function: 'total', file: expect.stringMatching(/src\/total\.ts$/), line, column },
  ])
})
