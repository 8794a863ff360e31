import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import symupEsbuild, { type SymupOptions } from '@symup/unplugin/esbuild'
import withSymup from '@symup/unplugin/metro'
import { build } from 'esbuild'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { enrich } from '../support/resolve.ts'
import { runSymup } from '../support/run-symup.ts'

const intake = useIntake()

const project = useDirectory('each')
beforeEach(() => {
  writeFileSync(
    join(project, 'app.ts'),
    'export function fail(n: number) {\n  throw new RangeError(String(n))\n}\nfail(1)\n',
  )
})

/** Builds without a key. @returns the output. */
async function builtForLater(service: string, sourcemap?: 'external', more: SymupOptions = {}): Promise<string> {
  const options = { service, version: '1.2.3', upload: 'later', ignoreConfigFile: true, ...more } as const
  return logged(() =>
    build({
      absWorkingDir: project,
      entryPoints: ['app.ts'],
      bundle: true,
      outdir: 'dist',
      publicPath: '/shop/',
      logLevel: 'silent',
      ...(sourcemap && { sourcemap }),
      plugins: [symupEsbuild(options)],
    }),
  )
}

const staged = () => join(project, 'node_modules/.cache/symup/staged')
const send = (...more: string[]) =>
  runSymup(['upload', '--staged', '--json', ...more], {
    cwd: project,
    env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url },
  })
const uploadsOf = async (service: string) => (await intake.uploads()).filter((it) => it.service === service)

describe("upload: 'later'", () => {
  it('keeps the artifacts of a build without a key, and the command sends them once', async () => {
    const printed = await builtForLater('later-own')
    expect(printed).toMatch(/Kept 1 artifact, .*\. To upload later, run: npx symup@\S+ upload --staged --cwd \S+$/)
    expect(readdirSync(join(project, 'dist'))).toEqual(['app.js'])
    expect(await uploadsOf('later-own')).toEqual([])

    const { exitCode, stdout } = await send()
    expect(exitCode, stdout).toBe(0)
    expect(JSON.parse(stdout).totals).toMatchObject({ accepted: 1 })
    expect(await uploadsOf('later-own')).toMatchObject([{ version: '1.2.3', event: { minified_url: '/shop/app.js' } }])
    expect(readdirSync(staged())).toEqual([])
    const again = await send()
    expect(again.exitCode).toBe(3)
    expect(JSON.parse(again.stdout).problems).toMatchObject([{ code: 'nothing-found' }])
  })

  it("keeps the user's own maps in the output and sends copies, which stay if the key is refused", async () => {
    const printed = await builtForLater('later-kept', 'external')
    expect(printed).toContain('The output still contains 1 source map from this build')
    expect(readdirSync(join(project, 'dist'))).toEqual(['app.js', 'app.js.map'])
    const refused = await runSymup(['upload', '--staged', '--no-config-file'], {
      cwd: project,
      env: { SYMUP_API_KEY: 'another-key', SYMUP_ENDPOINT: intake.url },
    })
    expect(refused.exitCode).toBe(1)
    expect((await send()).exitCode).toBe(0)
    expect(await uploadsOf('later-kept')).toHaveLength(1)
    expect(existsSync(join(project, 'dist/app.js.map'))).toBe(true)
  })

  it('keeps the bundle that Hermes runs by platform and build, and its stack resolves after the upload', async () => {
    vi.spyOn(console, 'info').mockReturnValue()
    const built = join(ROOT, 'fixtures/symbols/react-native/android')
    const read = (name: string) => readFileSync(join(built, name))
    const filename = '_expo/static/js/android/index-1.hbc'
    const artifacts = [
      { filename, type: 'js', source: read('index.android.bundle') },
      { filename: `${filename}.map`, type: 'map', source: read('index.android.bundle.map').toString() },
    ]
    const config = { serializer: { customSerializer: async (..._: unknown[]): Promise<unknown> => ({ artifacts }) } }
    withSymup(config, { service: 'later-native', version: '1.2.3', upload: 'later', ignoreConfigFile: true })
    const given = { dev: false, projectRoot: project, serializerOptions: { output: 'static' } }
    const graph = { transformOptions: { platform: 'android' } }
    expect(await config.serializer.customSerializer('index.js', [], graph, given)).toEqual({
      artifacts: [artifacts[0]],
    })
    vi.restoreAllMocks()
    expect(await uploadsOf('later-native')).toEqual([])
    const kept = readdirSync(join(staged(), 'later-native@1.2.3/android-1-index.android.bundle')).sort()
    expect(kept).toEqual(['.symup-staged', 'index.android.bundle', 'index.android.bundle.map'])

    const { exitCode, stdout } = await send()
    expect(exitCode, stdout).toBe(0)
    const stack = readFileSync(join(built, 'stack.txt'), 'utf8')
    const [frame] = await enrich(intake, stack, 'later-native')
    expect(frame).toMatchObject({ file: expect.stringMatching(/price\.js$/), line: 5 })
    expect(readdirSync(staged())).toEqual([])
  })
})
