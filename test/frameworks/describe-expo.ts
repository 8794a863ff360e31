import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Intake, startIntake } from '@symup/intake'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { useChromium } from '../support/chromium.ts'
import { useDirectory } from '../support/directory.ts'
import { filesBelow } from '../support/files-below.ts'
import { install } from '../support/install.ts'
import { enrich, positionOf } from '../support/resolve.ts'
import { serve } from '../support/serve.ts'
import { needsChromium } from '../support/tool.ts'
import { copyWith, versionOf } from './copy.ts'
import type { Packages } from './majors.ts'

const run = promisify(execFile)
const APP = join(ROOT, 'fixtures/frameworks/expo')
const OURS = join(ROOT, 'packages/react-native')
const HERMESC = `node_modules/hermes-compiler/hermesc/${process.platform === 'darwin' ? 'osx' : 'linux64'}-bin/hermesc`
const FIXTURE = join(ROOT, 'fixtures/symbols/react-native')

let intake: Intake
const place = useDirectory('each')
let app: string

const variables = () => {
  const { VITEST: _, NODE_ENV: __, NODE_OPTIONS: ___, ...clean } = process.env
  const symup = { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url }
  return { ...clean, CI: '1', EXPO_NO_TELEMETRY: '1', NO_COLOR: '1', ...symup }
}

async function expo(args: string[], more: NodeJS.ProcessEnv = {}, cwd = app): Promise<string> {
  const program = join(app, 'node_modules/expo/bin/cli')
  const options = { cwd, env: { ...variables(), ...more }, maxBuffer: 2 ** 26 }
  const { stdout, stderr } = await run(process.execPath, [program, ...args], options)
  return stdout + stderr
}

/** The uploads for a service in the intake. */
const uploadsOf = async (service: string) =>
  (await intake.uploads()).filter((it) => it.service === service).map(({ version, event }) => ({ ...event, version }))

/** Size of an operand in bytes, by its type in a disassembly. */
const WIDTHS: Readonly<Record<string, number>> = { UInt16: 2, UInt32: 4, Addr32: 4, Reg32: 4, Imm32: 4, Double: 8 }

/** The offset where the error with this message is constructed, as Hermes counts in stacks. Read from the bytecode, not through a map. */
async function throwingOffset(bundle: string, message: string): Promise<number> {
  const args = ['-b', '-dump-bytecode', '-pretty=false', bundle]
  const { stdout } = await run(join(app, HERMESC), args, { maxBuffer: 2 ** 28, encoding: 'latin1' })
  const lines = stdout.split('\n')
  const [, id] = lines.flatMap((line) => (line.endsWith(`: ${message}`) ? (/^[is](\d+)\[/.exec(line) ?? []) : []))
  let before = 0
  let size = 0
  let isLoaded = false
  for (const line of lines) {
    if (/^\w+<.*>\(\d+ params?, \d+ registers/.test(line)) {
      before += size
      size = 0
    }
    const [, at, operation = '', operands = ''] = /^\[@ (\d+)\] (\w+)(.*)$/.exec(line) ?? []
    if (at === undefined) continue
    const widths = [...operands.matchAll(/<(\w+)>/g)].map(([, type = '']) => WIDTHS[type] ?? 1)
    size = Number(at) + 1 + widths.reduce((sum, width) => sum + width, 0)
    if (operation.startsWith('LoadConstString') && operands.includes(`, ${id}<`)) isLoaded = true
    if (isLoaded && operation === 'Construct') return before + Number(at)
  }
  throw new Error(`${message} is not in ${bundle}`)
}

const UPDATE = '/data/user/0/com.example.shop/files/.expo-internal/dd11be6f17c8cdcc4fc2cdcb541ac3fd'

/** Exports and prebuilds an app with Expo: the fixture's version, or another one. */
export function describeExpo(packages?: Packages): void {
  const version = versionOf(packages ?? JSON.parse(readFileSync(join(APP, 'package.json'), 'utf8')).dependencies)
  const chromium = needsChromium()
  const withPage = useChromium()
  describe.skipIf(!chromium.isThere)(`Expo ${version}${chromium.reason}`, () => {
    beforeAll(async () => {
      await buildPackages()
      app = packages ? copyWith('expo', packages) : APP
      await install(app)
      // Expo looks for the plugin inside the app.
      cpSync(OURS, join(app, 'node_modules/@symup/react-native'), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      })
    }, 300_000)
    beforeEach(async () => {
      intake = await startIntake()
    })
    afterEach(async () => {
      await intake.close()
    })

    it('`expo export` uploads each platform; the page and the bytecode resolve; no map is left, and the scripts are as without the plugin', async () => {
      const output = join(place, 'dist')
      const installed = join(place, 'update')
      for (const [platform, directory] of [
        ['android', installed],
        ['web', output],
      ] as const) {
        const printed = await expo(['export', '-p', platform, '--output-dir', directory])
        expect(printed.match(/Uploaded 1 artifact/g), printed).toHaveLength(1)
      }
      const files = filesBelow(output)
      const updated = filesBelow(installed)
      expect([...files, ...updated].filter((file) => file.endsWith('.map'))).toEqual([])
      expect(files).toContain('index.html')
      const release = { service: 'expo', version: '1.2.3' }
      expect(await uploadsOf('expo')).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            ...release,
            ...{ type: 'react_native_sourcemap', platform: 'android', build_version: '42' },
            bundle_name: 'index.android.bundle',
          }),
          expect.objectContaining({
            ...release,
            type: 'js_sourcemap',
            minified_url: expect.stringMatching(/^\/shop\/_expo\//),
          }),
        ]),
      )

      const site = await serve(output, '/shop/')
      const stack = await withPage(site.url, async (page) => {
        await page.click('#fail')
        return page.evaluate(() => (globalThis as unknown as { stack: string }).stack)
      }).finally(site.close)
      const thrown = positionOf(join(app, 'src/price.ts'), 'new RangeError(', app)
      const [inPage] = await enrich(intake, stack, 'expo')
      expect(inPage, stack).toMatchObject({ file: expect.stringMatching(/src\/price\.ts$/), line: thrown.line })

      const bytecode = join(installed, updated.find((file) => file.endsWith('.hbc')) as string)
      const offset = await throwingOffset(bytecode, 'The cart is empty.')
      const [inApp] = await enrich(intake, `RangeError: x\n    at priceOf (address at ${UPDATE}:1:${offset})`, 'expo')
      // Hermes reports the bracket of a call as its position.
      expect(inApp).toMatchObject({ file: expect.stringMatching(/src\/price\.ts$/), line: thrown.line })

      const plain = join(place, 'plain')
      await expo(['export', '-p', 'web', '--output-dir', plain], { WITHOUT_SYMUP: '1' })
      const scripts = files.filter((file) => file.endsWith('.js'))
      expect(filesBelow(plain).filter((file) => file.endsWith('.js'))).toEqual(scripts)
      for (const file of scripts) expect(readFileSync(join(output, file))).toEqual(readFileSync(join(plain, file)))
    }, 300_000)

    it('`expo prebuild`: Gradle applies the script once, and the build phase of Xcode uploads what hermesc compiled', async () => {
      const project = join(place, 'prebuilt')
      cpSync(app, project, { recursive: true, filter: (path) => !/node_modules|\.expo$/.test(path) })
      symlinkSync(join(app, 'node_modules'), join(project, 'node_modules'))
      for (let round = 0; round < 2; round++) await expo(['prebuild', '--no-install', '--platform', 'all'], {}, project)
      const gradle = readFileSync(join(project, 'android/app/build.gradle'), 'utf8')
      expect(gradle.split('symup.gradle')).toHaveLength(2)
      const pbxproj = readFileSync(join(project, 'ios/shop.xcodeproj/project.pbxproj'), 'utf8')
      const phase = pbxproj.slice(pbxproj.indexOf('Bundle React Native code and images */ = {'))
      const [, quoted = ''] = /shellScript = ("(?:[^"\\]|\\.)*");/.exec(phase) ?? []
      const script = JSON.parse(quoted) as string
      expect(script.split('symup-xcode.sh')).toHaveLength(2)

      const built = join(place, 'Release-iphoneos')
      for (const directory of [join(built, 'shop.app'), join(place, 'derived'), join(project, 'ios/Pods')])
        mkdirSync(directory, { recursive: true })
      // A replacement for Metro that returns Metro's output for another app.
      const metro = join(place, 'metro.cjs')
      writeFileSync(
        metro,
        `const { copyFileSync } = require('node:fs')
const after = (flag) => process.argv[process.argv.indexOf(flag) + 1]
copyFileSync(${JSON.stringify(join(FIXTURE, 'ios/main.jsbundle'))}, after('--bundle-output'))
copyFileSync(${JSON.stringify(join(FIXTURE, 'ios/main.jsbundle.packager.map'))}, after('--sourcemap-output'))
`,
      )
      const xcode = {
        ...{ CONFIGURATION: 'Release', PLATFORM_NAME: 'iphoneos', CONFIGURATION_BUILD_DIR: built, CLI_PATH: metro },
        ...{
          PROJECT_DIR: join(project, 'ios'),
          PODS_ROOT: join(project, 'ios/Pods'),
          INFOPLIST_FILE: 'shop/Info.plist',
        },
        ...{ UNLOCALIZED_RESOURCES_FOLDER_PATH: 'shop.app', DERIVED_FILE_DIR: join(place, 'derived') },
        ...{ PRODUCT_BUNDLE_IDENTIFIER: 'com.example.shop', HERMES_CLI_PATH: join(app, HERMESC) },
      }
      const { stdout } = await run('bash', ['-e', '-c', script], { cwd: project, env: { ...variables(), ...xcode } })
      expect(stdout).toContain('Uploaded 1 artifact')
      const [upload] = await uploadsOf('com.example.shop')
      expect(upload).toMatchObject({
        version: '1.2.3',
        platform: 'ios',
        build_version: '7',
        bundle_name: 'main.jsbundle',
      })
      const offset = await throwingOffset(join(built, 'shop.app/main.jsbundle'), 'The item has no price.')
      const stack = `TypeError: x\n    at f (address at /var/containers/Bundle/Application/8F2A/Shop.app/main.jsbundle:1:${offset})`
      const [frame] = await enrich(intake, stack, 'com.example.shop')
      expect(frame).toMatchObject({ file: expect.stringMatching(/app\/src\/price\.js$/), line: 5 })
    }, 120_000)
  })
}
