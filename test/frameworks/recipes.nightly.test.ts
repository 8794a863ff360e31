import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parseEventText } from '@symup/symbolicate/internal'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { makePrograms } from '../docs/scratch-project.ts'
import { useChromium } from '../support/chromium.ts'
import { installNode, NODE_22 } from '../support/old-node.ts'
import { needsChromium } from '../support/tool.ts'
import { commandsOf, deployed, placeOf, type RecipeApp, useRecipes, withPrograms } from './recipe.ts'

/** The recipes in `docs/recipes` for browsers. The tool's own command builds the code for the pages, which throws errors that resolve. */

const chromium = needsChromium()
const withPage = useChromium(['--allow-file-access-from-files'])
const { made, resolved, framesOf } = useRecipes()

describe.skipIf(!chromium.isThere)(`the recipe for Module Federation${chromium.reason}`, () => {
  /** Serves the build output at the recipe's addresses. @returns the event that the page reported. */
  async function throwAcross(app: RecipeApp): Promise<string> {
    return withPage('about:blank', async (page: Page) => {
      await deployed(page, 'https://shop.example.com/', join(app.directory, 'host/dist'))
      await deployed(page, 'https://cart.example.com/', join(app.directory, 'remote/dist'))
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
    '%s: resolves a stack across host and remote in both, by debug id',
    async (_, command) => {
      const app = made('federation', 'module-federation.md')
      const outputs = await Promise.all(['remote', 'host'].map((below) => app.run(command, ['build'], { below })))
      for (const output of outputs) expect(output).toMatch(/Uploaded \d+ artifacts?/)
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
      const notes = (await framesOf({ ...known, ...(debugIds && { debugIds }) })).map(({ note }) => note)
      expect(notes).toEqual([undefined, 'The file was found in the release cart 4.5.6 by its debug id.', undefined])
      // Without debug ids, symup looks for the remote's frame in the host's release.
      expect(await resolved(known)).toEqual([refused, '?', paid])
    },
    120_000,
  )
})

describe.skipIf(!chromium.isThere)(`the recipe for Electron${chromium.reason}`, () => {
  it('electron-vite: resolves errors from an installed app, wherever it is installed', async () => {
    const app = made('electron', 'electron.md')
    const output = await app.run('electron-vite/bin/electron-vite.js', ['build'])
    expect(output.match(/Uploaded 1 artifact/g)).toHaveLength(3)
    const files = app.files('out')
    expect(files).toEqual([
      'main/index.js',
      'preload/index.mjs',
      expect.stringMatching(/^renderer\/assets\/index-.*\.js$/),
      'renderer/index.html',
    ])

    // The layout that an installer creates. Electron's program is not available from npm, so Node and Chromium run its
    // parts, with a module in place of Electron's own.
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
    const stack = await withPage(page, (it) =>
      it.waitForFunction(() => (globalThis as { stack?: string }).stack).then((printed) => printed.jsonValue()),
    )
    const thrown = placeOf(app, 'src/renderer/src/index.js', 'throw new RangeError')
    const called = placeOf(app, 'src/renderer/src/index.js', 'total([])')
    const here = pathToFileURL(asar).href
    expect(stack).toContain(`${here}/out/renderer/assets/`)
    for (const there of [here, 'file:///C:/Users/ann/AppData/Local/Programs/shop/resources/app.asar', 'app://'])
      expect(await resolved({ ...release, stack: String(stack).replaceAll(here, there) })).toEqual([thrown, called])
  }, 120_000)

  it('Electron Forge: uploads the simultaneous builds of its Vite plugin from the app that will be packaged', async () => {
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
    // `electron-forge package` starts each of these builds. The package step itself would need Electron's program.
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
    expect((await packed).stdout).toMatch(/Uploaded 3 artifacts/)
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

describe.skipIf(!chromium.isThere)(`the recipe for Parcel${chromium.reason}`, () => {
  it('resolves errors from the page, and leaves neither a map nor a reference to it', async () => {
    const app = made('parcel', 'parcel.md')
    rmSync(join(app.directory, '.parcelrc'))
    // Parcel keeps its cache in the directory with the lock file.
    writeFileSync(join(app.directory, 'package-lock.json'), '{}\n')
    const env = withPrograms(app, 'parcel', 'parcel/lib/bin.js')
    const printed = await promisify(execFile)('bash', ['-euc', commandsOf('parcel.md')], { cwd: app.directory, env })
    expect(printed.stdout).toMatch(/Uploaded 2 artifacts/)
    const files = app.files('dist')
    expect(files.map((file) => file.split('.').at(-1)).sort()).toEqual(['html', 'js', 'js'])
    for (const file of files) expect(readFileSync(join(app.directory, 'dist', file), 'utf8')).not.toContain('.map')
    const stack = await withPage('about:blank', async (page) => {
      await deployed(page, 'https://example.com/shop/', join(app.directory, 'dist'))
      await page.goto('https://example.com/shop/')
      return (await page.waitForFunction(() => (globalThis as { stack?: string }).stack)).jsonValue()
    })
    const frames = await resolved({ service: 'shop', version: '1.2.3', stack: String(stack) })
    expect(frames, stack).toEqual([
      placeOf(app, 'src/total.js', 'throw new RangeError'),
      placeOf(app, 'src/index.js', 'total([])'),
    ])
  }, 120_000)
})

describe.skipIf(!chromium.isThere)(`the recipe for the release at run time${chromium.reason}`, () => {
  it.each([
    ['Vite', 'vite/bin/vite.js'],
    ['Rspack', '@rspack/cli/bin/rspack.js'],
    ['webpack', 'webpack-cli/bin/cli.js'],
    ['Rsbuild', '@rsbuild/core/bin/rsbuild.js'],
  ])(
    '%s: writes the release into the page, and keeps scripts the same for every release',
    async (_, command) => {
      const app = made('release', 'release.md')
      const scripts: string[][] = []
      for (const version of ['1.2.3', '1.2.4']) {
        const output = await app.run(command, ['build'], { env: { RELEASE: version } })
        expect(output).toMatch(/Uploaded 1 artifact/)
        scripts.push(app.files('dist').filter((file) => file.endsWith('.js')))
        const title = await withPage('about:blank', async (page) => {
          await deployed(page, 'https://example.com/shop/', join(app.directory, 'dist'))
          await page.goto('https://example.com/shop/')
          return (await page.waitForFunction('document.title.startsWith("shop ") && document.title')).jsonValue()
        })
        expect(title).toBe(`shop ${version}`)
        rmSync(join(app.directory, 'dist'), { recursive: true })
      }
      expect(scripts[0]).toHaveLength(1)
      expect(scripts[1]).toEqual(scripts[0])
    },
    120_000,
  )
})
