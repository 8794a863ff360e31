import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Intake, startIntake } from '@symup/intake'
import { parseEventText } from '@symup/symbolicate'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePrograms } from '../docs/scratch-project.ts'
import { findChromium, withPage } from '../support/browser.ts'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { installNode, NODE_22 } from '../support/old-node.ts'
import { needs } from '../support/tool.ts'
import { RECIPES, type RecipeApp, recipeApp } from './recipe.ts'

/** The recipes of `docs/recipes` that build something: what their pages say is built by the tool's own command, thrown, and resolved. */

const executable = findChromium()
const chromium = needs('Chromium', executable !== undefined, 'Debian: chromium')

let intake: Intake
beforeAll(async () => {
  await Promise.all([buildPackages(), install(RECIPES)])
  intake = await startIntake()
}, 300_000)
afterAll(() => intake.close())

const apps: RecipeApp[] = []
afterAll(() => {
  for (const app of apps) app.remove()
})
function made(name: string, page: string): RecipeApp {
  const app = recipeApp(name, page, intake)
  apps.push(app)
  return app
}

interface Frame {
  file: string
  line: number
  converted: boolean
}

/** Frames of an event as the intake resolves them: `src/a.js:3`, and `?` where it does not. */
async function resolved(event: { stack: string; service: string; version: string; debugIds?: object }) {
  const { debugIds, ...question } = event
  const response = await fetch(`${intake.url}/sourcemap/stack/enrich?app_key=dev-app-key`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'browser', ...question, ...(debugIds && { debug_ids: debugIds }) }),
  })
  const { data } = (await response.json()) as { data: { frames: Frame[] } }
  return data.frames.map(({ file, line, converted }) =>
    converted ? `${file.replace(/^.*?(?=src\/)/, '')}:${line}` : '?',
  )
}

/** The place of a text in a source of the app: `src/a.js:3`. */
function placeOf(app: RecipeApp, file: string, text: string): string {
  const before = readFileSync(join(app.directory, file), 'utf8').split(text)
  if (before.length !== 2) throw new Error(`"${text}" does not stand once in ${file}`)
  return `${file.replace(/^.*?(?=src\/)/, '')}:${before[0]?.split('\n').length}`
}

describe.skipIf(!chromium.isThere)(`Module Federation${chromium.reason}`, () => {
  /** Serves what was built at the addresses of the recipe. @returns the event that the page reported. */
  async function throwAcross(app: RecipeApp): Promise<string> {
    return withPage(executable as string, 'about:blank', async (page: Page) => {
      for (const name of ['host', 'remote']) {
        await page.route(`https://${name === 'host' ? 'shop' : 'cart'}.example.com/**`, async (route) => {
          const file = new URL(route.request().url()).pathname.slice(1) || 'index.html'
          const headers = { 'Access-Control-Allow-Origin': '*' }
          await route.fulfill({ path: join(app.directory, name, 'dist', file), headers })
        })
      }
      await page.route('https://shop.example.com/errors', (route) => route.fulfill({ status: 204 }))
      await page.goto('https://shop.example.com/')
      const sent = page.waitForRequest('https://shop.example.com/errors')
      const [request] = await Promise.all([sent, page.click('#pay')])
      return request.postData() as string
    })
  }

  it.each([
    ['Rspack', '@rspack/cli/bin/rspack.js'],
    ['Vite', 'vite/bin/vite.js'],
  ])(
    '%s: a stack across host and remote resolves in both, by debug id',
    async (_, command) => {
      const app = made('federation', 'module-federation.md')
      const outputs = await Promise.all(['remote', 'host'].map((below) => app.run(command, ['build'], { below })))
      for (const output of outputs) expect(output).toMatch(/Uploaded (\d+) of \1 artifacts/)
      for (const below of ['remote/dist', 'host/dist']) {
        const files = app.files(below)
        expect(files).toContain(below === 'host/dist' ? 'index.html' : 'remoteEntry.js')
        expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
      }
      const event = parseEventText(await throwAcross(app))
      const { stack, service = '', version = '', debugIds } = event
      expect([service, version]).toEqual(['shop', '1.2.3'])
      const known = { stack, service, version }
      const refused = placeOf(app, 'host/src/shop.js', 'throw new RangeError')
      const total = placeOf(app, 'remote/src/total.js', "onEmpty('cart')")
      const paid = placeOf(app, 'host/src/shop.js', 'total([], refuse)')
      expect(await resolved({ ...known, ...(debugIds && { debugIds }) }), stack).toEqual([refused, total, paid])
      // Without the ids the remote's frame is looked for in the host's release.
      expect(await resolved(known)).toEqual([refused, '?', paid])
    },
    120_000,
  )
})

describe.skipIf(!chromium.isThere)(`Electron${chromium.reason}`, () => {
  it('electron-vite: what an installed app throws resolves, wherever it lies', async () => {
    const app = made('electron', 'electron.md')
    const output = await app.run('electron-vite/bin/electron-vite.js', ['build'])
    expect(output.match(/Uploaded 1 of 1 artifacts/g)).toHaveLength(3)
    const files = app.files('out')
    expect(files).toEqual([
      'main/index.js',
      'preload/index.mjs',
      expect.stringMatching(/^renderer\/assets\/index-.*\.js$/),
      'renderer/index.html',
    ])

    // As an installer lays it out. Electron's program cannot be had from npm: Node and Chromium run what it would, with a module in the place of its own.
    const asar = join(app.directory, 'Shop.app/Contents/Resources/app.asar')
    cpSync(join(app.directory, 'out'), join(asar, 'out'), { recursive: true })
    cpSync(join(app.directory, 'package.json'), join(asar, 'package.json'))
    const electron = join(asar, 'node_modules/electron')
    mkdirSync(electron, { recursive: true })
    writeFileSync(join(electron, 'package.json'), '{"type":"module","exports":"./index.js"}')
    writeFileSync(
      join(electron, 'index.js'),
      `export const app = { whenReady: async () => undefined }
export class BrowserWindow {}
export const contextBridge = { exposeInMainWorld: (_, shop) => shop.priceOf('') }
`,
    )
    const release = { service: 'desk', version: '1.2.3' }
    const main = await promisify(execFile)(process.execPath, [join(asar, 'out/main/index.js')]).catch((error) => error)
    expect(await resolved({ ...release, stack: String(main.stderr) })).toEqual([
      placeOf(app, 'src/main/index.js', 'throw new RangeError'),
      placeOf(app, 'src/main/index.js', 'return load('),
    ])
    const preload = await promisify(execFile)(process.execPath, [join(asar, 'out/preload/index.mjs')]).catch(
      (error) => error,
    )
    expect((await resolved({ ...release, stack: String(preload.stderr) }))[0]).toBe(
      placeOf(app, 'src/preload/index.js', 'throw new TypeError'),
    )
    const page = pathToFileURL(join(asar, 'out/renderer/index.html')).href
    const flags = ['--allow-file-access-from-files']
    const stack = await withPage(
      executable as string,
      page,
      (it) => it.waitForFunction(() => (globalThis as { stack?: string }).stack).then((said) => said.jsonValue()),
      flags,
    )
    const thrown = placeOf(app, 'src/renderer/src/index.js', 'throw new RangeError')
    const called = placeOf(app, 'src/renderer/src/index.js', 'total([])')
    const here = pathToFileURL(asar).href
    expect(stack).toContain(`${here}/out/renderer/assets/`)
    for (const there of [here, 'file:///C:/Users/ann/AppData/Local/Programs/shop/resources/app.asar', 'app://'])
      expect(await resolved({ ...release, stack: String(stack).replaceAll(here, there) })).toEqual([thrown, called])
  }, 120_000)

  it('Electron Forge: what its Vite plugin built at once is uploaded from the app that is about to be packed', async () => {
    const app = made('electron', 'electron.md')
    for (const part of ['main', 'preload'])
      writeFileSync(join(app.directory, `src/${part}.js`), `import './${part}/index.js'\n`)
    writeFileSync(
      join(app.directory, 'index.html'),
      '<script type="module" src="/src/renderer/src/index.js"></script>\n',
    )
    const { default: config } = await import(pathToFileURL(join(app.directory, 'forge.config.js')).href)
    const worker = '@electron-forge/plugin-vite/dist/subprocess-worker.js'
    const program = installNode(NODE_22)
    const parts = [...['0', '1'].map((at) => ['build', at]), ['renderer', '0']]
    // Each as `electron-forge package` starts it, which then needs Electron's program.
    await Promise.all(
      parts.map(([kind, at]) =>
        app.run(worker, [], {
          program,
          env: {
            FORGE_VITE_PROJECT_DIR: app.directory,
            FORGE_VITE_CONFIG: JSON.stringify(config.plugins[0].config),
            FORGE_VITE_KIND: kind,
            FORGE_VITE_INDEX: at,
          },
        }),
      ),
    )
    const copy = join(app.directory, 'copy')
    cpSync(join(app.directory, '.vite'), join(copy, '.vite'), { recursive: true })
    writeFileSync(
      join(app.directory, 'package.mjs'),
      "import config from './forge.config.js'\nconfig.hooks.packageAfterCopy({}, process.argv[2])\n",
    )
    const env = { ...app.settings, PATH: `${makePrograms(app.directory)}${delimiter}${process.env.PATH}` }
    const packed = promisify(execFile)(process.execPath, ['package.mjs', copy], { cwd: app.directory, env })
    expect((await packed).stdout).toMatch(/Uploaded 3 of 3 artifacts/)
    const files = app.files('copy/.vite')
    expect(files).toEqual([
      'build/main.cjs',
      'build/preload.cjs',
      expect.stringMatching(/^renderer\/main_window\/assets\/index-.*\.js$/),
      'renderer/main_window/index.html',
    ])
    const script = files[2] as string
    const code = readFileSync(join(copy, '.vite', script), 'utf8')
    const column = code.indexOf('throw') + 1
    const stack = `Error: x\n    at file:///C:/Users/ann/AppData/Local/shop/resources/app.asar/.vite/${script}:1:${column}`
    expect(await resolved({ service: 'desk', version: '1.2.3', stack })).toEqual([
      placeOf(app, 'src/renderer/src/index.js', 'throw new RangeError'),
    ])
  }, 120_000)
})

describe('Cloudflare Workers', () => {
  const shop = { service: 'shop', version: '1.2.3' }

  it('wrangler: the bytes that it would deploy are uploaded, and what they throw in workerd resolves', async () => {
    const app = made('worker', 'workers.md')
    const node = installNode(NODE_22)
    const bin = makePrograms(app.directory)
    const script = `#!/bin/sh\nexec '${node}' '${join(RECIPES, 'node_modules/wrangler/bin/wrangler.js')}' "$@"\n`
    writeFileSync(join(bin, 'wrangler'), script, { mode: 0o755 })
    const env = { ...app.settings, PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: app.directory, CI: 'true', WRANGLER_SEND_METRICS: 'false' }
    const [, lines = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/recipes/workers.md'), 'utf8')) ?? []
    // The last of them deploys: here it does all but that.
    const said = await promisify(execFile)('bash', ['-euc', `${lines.trimEnd()} --dry-run`], { cwd: app.directory, env })
    expect(said.stdout).toMatch(/Uploaded 1 of 1 artifacts/)
    expect(said.stdout + said.stderr).not.toContain('WARNING')
    expect(app.files('dist')).toEqual(['README.md', 'index.js'])

    const dev = spawn(join(bin, 'wrangler'), ['dev', 'dist/index.js', '--no-bundle', '--port', '0', '--ip', '127.0.0.1'], {
      cwd: app.directory,
      env,
    })
    try {
      const url = await new Promise<string>((done, fail) => {
        let output = ''
        dev.stdout.on('data', (text: Buffer) => {
          output += text
          const [ready] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(output) ?? []
          if (ready) done(ready)
        })
        dev.once('close', () => fail(new Error(output)))
      })
      const stack = await (await fetch(url)).text()
      const expected = [
        placeOf(app, 'src/total.ts', 'throw new RangeError'),
        placeOf(app, 'src/index.ts', "total(new URL(request.url)"),
      ]
      expect(await resolved({ ...shop, stack }), stack).toEqual(expected)
      // As Cloudflare reports it.
      const deployed = stack.replaceAll(/file:\S*\/(?=index\.js)/g, '')
      expect(deployed).toContain('at total (index.js:1:')
      expect(await resolved({ ...shop, stack: deployed }), deployed).toEqual(expected)
    } finally {
      const closed = new Promise((done) => dev.once('close', done))
      dev.kill()
      await closed
    }
  }, 120_000)

  it('Vite: the Worker is uploaded for the name that its stack has, and its map is gone', async () => {
    const app = made('worker', 'workers.md')
    const output = await app.run('vite/bin/vite.js', ['build'], { program: installNode(NODE_22) })
    expect(output).toMatch(/Uploaded 1 of 1 artifacts/)
    expect(app.files('dist').filter((file) => /\.(?:js|map)$/.test(file))).toEqual(['shop/index.js'])
    const code = readFileSync(join(app.directory, 'dist/shop/index.js'), 'utf8')
    expect(code).not.toContain('sourceMappingURL')
    const before = code.slice(0, code.indexOf('throw new')).split('\n')
    const stack = `RangeError: x\n    at total (index.js:${before.length}:${(before.at(-1)?.length ?? 0) + 1})`
    expect(await resolved({ ...shop, stack }), output).toEqual([placeOf(app, 'src/total.ts', 'throw new RangeError')])
  }, 120_000)
})
