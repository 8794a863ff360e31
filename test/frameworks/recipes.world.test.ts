import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Intake, startIntake } from '@symup/intake'
import { parseEventText } from '@symup/symbolicate'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, withPage } from '../support/browser.ts'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
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
    expect(files).toEqual(['main/index.js', 'preload/index.mjs', expect.stringMatching(/^renderer\/assets\/index-.*\.js$/), 'renderer/index.html'])

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
    const preload = await promisify(execFile)(process.execPath, [join(asar, 'out/preload/index.mjs')]).catch((error) => error)
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
})
