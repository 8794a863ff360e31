import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../packages/intake/src/test-support/client.fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { useIntake } from '../support/intake.ts'
import { type Ended, runToEnd } from '../support/run-to-end.ts'
import { loadMiniProgram, stackOf } from './fake-host.ts'
import { frameworkProject } from './framework-project.ts'

interface Framework {
  name: string
  fixture: string
  manifest: string
  command: string[]
  env?: Record<string, string>
  service: string
  appid: string
  output: string
  extension: string
  crash: { file: string; line: number }
  /** The line of the call in a page. */
  call: number
}

const TARO = {
  fixture: 'taro-app',
  service: 'taro-app',
  appid: 'wx0000000000000001',
  output: 'dist',
  extension: 'tsx',
  crash: { file: 'src/utils/crash.ts', line: 9 },
  call: 5,
  command: ['@tarojs/cli/bin/taro', 'build', '--type', 'weapp'],
}

const FRAMEWORKS: Framework[] = [
  { ...TARO, name: 'Taro 4, webpack', manifest: 'dependencies.webpack.json' },
  { ...TARO, name: 'Taro 4, Vite', manifest: 'dependencies.vite.json', env: { TARO_RUNNER: 'vite' } },
  {
    name: 'uni-app',
    fixture: 'uni-app',
    manifest: 'dependencies.json',
    command: ['@dcloudio/vite-plugin-uni/bin/uni.js', 'build', '-p', 'mp-weixin'],
    service: 'uni-app',
    appid: 'wx0000000000000002',
    output: 'dist/build/mp-weixin',
    extension: 'vue',
    crash: { file: 'src/utils/crash.js', line: 7 },
    call: 9,
  },
]

const PAGES = [
  ['pages/index/index', ''],
  ['packageA/pages/cart/cart', 'packageA'],
  ['packages/order/pages/list/list', 'packages/order'],
] as const

function build(directory: string, { command: [bin = '', ...args], env }: Framework, endpoint: string) {
  const tsx = pathToFileURL(join(import.meta.dirname, '../../node_modules/tsx/dist/loader.mjs')).href
  return runToEnd(process.execPath, [join(directory, 'node_modules', bin), ...args], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      NODE_OPTIONS: `--conditions=symup-source --import ${tsx}`,
      SYMUP_API_KEY: 'dev-api-key',
      SYMUP_ENDPOINT: endpoint,
      ...env,
    },
  })
}

for (const framework of FRAMEWORKS) {
  let project: string | undefined
  let reason = ''
  try {
    project = await frameworkProject(framework.fixture, framework.manifest)
  } catch (error) {
    if (process.env.CI) throw error
    reason = ` (skipped: its dependencies cannot be installed: ${(error as Error).message.split('\n')[0]})`
  }

  describe.skipIf(project === undefined)(`a ${framework.name} project${reason}`, () => {
    const directory = project as string
    const intake = useIntake()
    let built: Ended
    beforeAll(async () => {
      // uni-app's Vite resolves the config's imports without Node's conditions, so it finds the compiled package.
      await buildPackages()
      built = await build(directory, framework, intake.url)
    }, 300_000)

    it('uploads the source maps of a normal build', async () => {
      expect(built.output).toMatch(/\[symup\] Uploaded 1 artifact/)
      expect(built.exitCode).toBe(0)
      expect(built.output).toMatch(
        /\[symup\] ([\d,]+) of \1 positions in \d+ of your source files resolve to the right line \(\d+ scripts\)\./,
      )
      expect(built.output).not.toMatch(/\[symup\] warning/)
      const { data } = await post(intake.url, '/sourcemap/list', {
        type: 'miniprogram',
        start_time: Date.now() - 86_400_000,
        end_time: Date.now() + 86_400_000,
        limit: 100,
      })
      const found = data.items.map(
        ({ metadata }: { metadata: Record<string, string> }) =>
          `${metadata.entry} [${metadata.sub_package}] ${metadata.appid}`,
      )
      for (const [page, root] of PAGES) {
        const entry = root === '' ? `__FULL__/${page}` : page
        expect(found).toContain(`${entry}.js.map [${root}] ${framework.appid}`)
      }
      expect(built.output).not.toContain('dev-api-key')
    })

    it('resolves the stacks from pages to the original sources', async () => {
      const root = join(directory, framework.output)
      const shared = ['app.js'].filter((script) => existsSync(join(root, script)))
      const crashes = loadMiniProgram(root, [...shared, ...PAGES.map(([page]) => `${page}.js`)])
      for (const [page] of PAGES) {
        const stack = stackOf(crashes.get(page) as () => void)
        expect(stack).toContain(`https://usr/${page}.js`)
        const question = { type: 'miniprogram', service: framework.service, version: '1.0.0', stack }
        const { data } = await post(intake.url, '/sourcemap/stack/enrich', question)
        expect(data.frames[0]).toMatchObject({ converted: true, function: 'refuse', line: framework.crash.line })
        expect(data.frames[0].file).toMatch(new RegExp(`${framework.crash.file.replace(/^src\//, '')}$`))
        expect(data.frames[1]).toMatchObject({ converted: true, line: framework.call })
        expect(data.frames[1].file).toMatch(new RegExp(`${page}\\.${framework.extension}$`))
      }
    })
  })
}
