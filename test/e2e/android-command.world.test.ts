import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { symup } from '../support/command.ts'
import { useDirectory, writeIn } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const MAPPING = 'com.example.shop.Cart -> a.a:\n    1:1:int total():7:7 -> a\n'
const SCRIPT = `android {
  defaultConfig { applicationId "com.example.shop"; versionName "1.4.2"; versionCode 42 }
  productFlavors { free { applicationIdSuffix ".free" }
    paid { versionNameSuffix "-paid" } }
}`

const intake = useIntake()
const cwd = useDirectory('each')
beforeEach(() => {
  put('app/build.gradle', SCRIPT)
  put('app/build/outputs/mapping/paidRelease/mapping.txt', MAPPING)
})

const put = (file: string, text: string) => writeIn(cwd, file, text)

const run = (...args: string[]) =>
  symup(['android', ...args], { cwd, env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url } })
const codes = (stdout: string) => JSON.parse(stdout).problems.map(({ code }: { code: string }) => code)

describe('symup android upload-mapping', () => {
  it('takes missing values from the build script and the path', async () => {
    const result = await run('upload-mapping', 'app/build/outputs/mapping/paidRelease/mapping.txt', '--build-id', 'b-7')
    expect(result.stderr).toBe('')
    expect(result.exitCode).toBe(0)
    expect(result.stdout).toContain('version = 1.4.2-paid ← versionName in app/build.gradle')
    expect((await intake.uploads()).at(-1)?.event).toMatchObject({
      type: 'jvm_mapping_file',
      service: 'com.example.shop',
      version: '1.4.2-paid',
      version_code: 42,
      variant: 'paidRelease',
      build_id: 'b-7',
    })
  })

  it('asks for the variant if the script contains several, and lists them', async () => {
    put('mapping.txt', MAPPING)
    const result = await run('upload-mapping', 'mapping.txt', '--json')
    expect(result.exitCode).toBe(2)
    expect(codes(result.stdout)).toContain('variant-missing')
    expect(result.stderr).toContain('app/build.gradle defines flavors (free, paid), so the app has several variants.')
  })

  it('never sends an expression, and does not mention an expression that is not needed', async () => {
    put('app/build.gradle', SCRIPT.replace('"1.4.2"', 'rootProject.ext.version').replace('42', 'code()'))
    const file = 'app/build/outputs/mapping/paidRelease/mapping.txt'
    const asked = await run('upload-mapping', file, '--json')
    expect(asked.exitCode).toBe(2)
    expect(codes(asked.stdout)).toEqual([
      'version-missing',
      'gradle-expression',
      'gradle-expression',
      'version-code-missing',
    ])
    expect(asked.stderr).toContain('Only Gradle can evaluate versionName: rootProject.ext.version + "-paid".')
    const given = await run('upload-mapping', file, '--release-version', '9', '--version-code', '9', '--json')
    expect(given.exitCode).toBe(0)
    expect(codes(given.stdout)).toEqual([])
  })

  it('refuses a file that is not a mapping', async () => {
    put('page.txt', '<!doctype html><title>404</title>')
    const result = await run('upload-mapping', 'page.txt', '--variant', 'paidRelease', '--json')
    expect(result.exitCode).toBe(3)
    expect(codes(result.stdout)).toEqual(['mapping-invalid'])
  })
})

describe('symup android upload-ndk', () => {
  it('uploads unstripped libraries, and reports every library that it skips', async () => {
    const native = join(ROOT, 'fixtures/symbols/native')
    const paths = [join(native, 'arm64-v8a'), join(native, 'edge/no-build-id.so')]
    const result = await run('upload-ndk', ...paths, '--variant', 'freeRelease')
    expect(result.exitCode).toBe(1)
    expect(result.stdout).toContain('error build-id-missing')
    expect(result.stdout.trimEnd().split('\n').at(-1)).toMatch(
      /^Uploaded 1 artifact.*1 other artifact could not be prepared/,
    )
    expect((await intake.uploads()).at(-1)?.event).toMatchObject({ service: 'com.example.shop.free', arch: 'arm64' })
  })
})

describe('symup android upload-ndk with libraries that Gradle merged', () => {
  const merged = 'app/build/intermediates/merged_native_libs'

  it("sends the project's library under the variant from the path, and counts third-party libraries", async () => {
    const native = join(ROOT, 'fixtures/symbols/native')
    const below = join(cwd, merged, 'freeRelease/mergeFreeReleaseNativeLibs/out/lib/arm64-v8a')
    cpSync(join(native, 'arm64-v8a/libshop.so'), join(below, 'libshop.so'))
    for (const name of ['jsi', 'yoga']) cpSync(join(native, 'edge/stripped-all.so'), join(below, `lib${name}.so`))
    put('app/build.gradle', SCRIPT.replace('; versionCode 42', ''))
    const result = await run('upload-ndk', `${merged}/freeRelease`)
    expect(result.exitCode).toBe(0)
    expect(result.stdout).toContain('info native-others-skipped')
    expect(result.stdout).toContain('Skipped 2 libraries: libjsi.so, libyoga.so.')
    expect(result.stdout).toContain('warning version-code-missing')
    const sent = (await intake.uploads()).at(-1)?.event
    expect(sent).toMatchObject({ service: 'com.example.shop.free', variant: 'freeRelease' })
    expect(sent).not.toHaveProperty('version_code')
  })
})

describe('the companion that Gradle runs', () => {
  const companion = join(ROOT, 'packages/android/dist/companion.js')
  const ask = (request: object, env: NodeJS.ProcessEnv = {}) =>
    new Promise<string[]>((done) => {
      const child = execFile(
        process.execPath,
        [companion],
        { env: { PATH: process.env.PATH, ...env } },
        (error, stdout) => done([...stdout.trimEnd().split('\n'), `exit ${error?.code ?? 0}`]),
      )
      child.stdin?.end(JSON.stringify(request))
    })
  const request = (settings: object = {}) => ({
    task: 'upload-mapping',
    variant: 'release',
    directory: join(cwd, 'app'),
    settings: { apiKey: null, endpoint: null, site: null, service: null, version: null, ...settings },
    build: { applicationId: 'com.example.shop', versionName: '1.4.2', versionCode: 42 },
    buildId: null,
    mappingFile: null,
    usualMappingFiles: [join(cwd, 'gone.txt'), join(cwd, 'app/build/outputs/mapping/paidRelease/mapping.txt')],
    packageAliases: {},
    temporaryDirectory: join(cwd, 'tmp'),
  })

  it.each([
    ['build script', { apiKey: 'dev-api-key', endpoint: 'URL' }, {}, 'symup.sourcemapEndpoint'],
    ['symup.json', { apiKey: 'dev-api-key' }, { endpoint: 'URL' }, 'symup.json'],
    ['environment', { apiKey: 'dev-api-key' }, {}, 'SYMUP_ENDPOINT'],
  ])('takes the endpoint from the %s, and then ignores the site', async (_, settings, file, from) => {
    const here = (values: object) => JSON.parse(JSON.stringify(values).replace('URL', intake.url))
    put('symup.json', JSON.stringify(here(file)))
    const elsewhere = from === 'SYMUP_ENDPOINT' ? intake.url : 'http://127.0.0.1:1'
    const lines = await ask(request(here({ ...settings, site: 'STAGING' })), { SYMUP_ENDPOINT: elsewhere })
    expect(lines).toContain(`info\tendpoint = ${intake.url}/sourcemap/upload ← ${from}`)
    expect(lines.at(-2)).toMatch(
      /^good\tUploaded 1 artifact\b.*\(mapping file of com\.example\.shop 1\.4\.2 \(42\), variant release\)$/,
    )
    expect(lines.at(-1)).toBe('exit 0')
    expect(lines.join()).not.toContain('dev-api-key')
  })

  it('reports everything that is missing, in the terms of the build script', async () => {
    const lines = await ask({ ...request({ site: 'NOWHERE' }), build: {} })
    const text = lines.join('\n')
    expect(lines.at(-1)).toBe('exit 2')
    for (const code of ['api-key-missing', 'service-missing', 'version-missing', 'site-unknown']) {
      expect(text).toContain(`error\terror ${code}`)
    }
    expect(text).toContain('symup.site')
    expect(text).toContain('symup.serviceName')
  })
})
