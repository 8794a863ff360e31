import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runIn } from '../commands/terminals.ts'
import { ROOT } from '../support/build-fixture.ts'
import { useChromium } from '../support/chromium.ts'
import { needsChromium } from '../support/tool.ts'
import { deployed, placeOf, RECIPES, type RecipeApp, useRecipes } from './recipe.ts'

/** `@symup/parcel-reporter` in Parcel's own command. */

const chromium = needsChromium()
const withPage = useChromium()
const { made, resolved } = useRecipes()

/** The app with the page's instructions applied, and the reporter as npm would install it. */
function parcelApp(more: object = {}): RecipeApp {
  const app = made('parcel', 'parcel.md')
  // Parcel keeps its cache in the directory with the lock file.
  writeFileSync(join(app.directory, 'package-lock.json'), '{}\n')
  const reporter = join(app.directory, 'node_modules/@symup/parcel-reporter')
  mkdirSync(join(reporter, '..'), { recursive: true })
  cpSync(join(ROOT, 'packages/parcel-reporter'), reporter, {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  })
  const page = readFileSync(join(ROOT, 'docs/recipes/parcel.md'), 'utf8')
  const [, block = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  const path = join(app.directory, 'package.json')
  const manifest = { ...JSON.parse(readFileSync(path, 'utf8')), ...JSON.parse(block), ...more }
  writeFileSync(path, JSON.stringify(manifest))
  return app
}

/** Runs `parcel build`. */
function build(app: RecipeApp, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const command = [process.execPath, join(RECIPES, 'node_modules/parcel/lib/bin.js'), 'build', ...args]
  return runIn('no terminal', command, app.directory, { ...app.settings, ...env })
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1)

function expectNoMaps(app: RecipeApp, below: string): void {
  const files = app.files(below)
  expect(files.filter((file) => file.endsWith('.js'))).not.toEqual([])
  expect(files.filter((file) => file.includes('.map'))).toEqual([])
  for (const file of files) expect(readFileSync(join(app.directory, below, file), 'utf8')).not.toContain('.map')
}

const thrownIn = (app: RecipeApp, below: string): Promise<string> =>
  withPage('about:blank', async (page) => {
    await deployed(page, 'https://example.com/shop/', join(app.directory, below))
    await page.goto('https://example.com/shop/')
    return (await page.waitForFunction(() => (globalThis as { stack?: string }).stack)).jsonValue() as Promise<string>
  })

const PAGE = ['src/index.html', '--public-url', '/shop/']

describe.skipIf(!chromium.isThere)(`the Parcel reporter${chromium.reason}`, () => {
  it("uploads a release, and the next one from Parcel's cache, and stacks from both resolve exactly", async () => {
    const app = parcelApp({ symup: { service: 'shop' } })
    // Scripts that contain hashes of other files. Parcel does not adjust its maps for these.
    writeFileSync(join(app.directory, 'src/note.txt'), 'note\n')
    const index = join(app.directory, 'src/index.js')
    const urls = `globalThis.notes = ['./note.txt', './logo.svg'].length
globalThis.note = new URL('./note.txt', import.meta.url).href
globalThis.logo = new URL('./logo.svg', import.meta.url).href
`
    writeFileSync(join(app.directory, 'src/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    writeFileSync(index, urls + readFileSync(index, 'utf8'))
    for (const version of ['1.2.3', '1.2.4']) {
      const { exitCode, output } = await build(app, PAGE, { SYMUP_VERSION: version })
      expect(exitCode, output).toBe(0)
      expect(lastLine(output)).toMatch(/^\[symup\] Uploaded 2 artifacts/)
      expect(output).toMatch(/ (\d+) of \1 positions in 2 of your source files resolve to the right line \(2 scripts\)/)
      expect(output).not.toMatch(/map-stale|map-offset/)
      // The second build takes all bundles from the cache.
      expect(output.includes('Bundling')).toBe(version === '1.2.3')
      expectNoMaps(app, 'dist')
      const stack = await thrownIn(app, 'dist')
      expect(await resolved({ service: 'shop', version, stack }), stack).toEqual([
        placeOf(app, 'src/total.js', 'throw new RangeError'),
        placeOf(app, 'src/index.js', 'total([])'),
      ])
    }
  }, 120_000)

  it('writes each release into the page, and changes no script', async () => {
    const app = parcelApp({ symup: { service: 'shop', injectRelease: true } })
    const scripts: string[][] = []
    for (const version of ['1.2.3', '1.2.4']) {
      const { exitCode, output } = await build(app, PAGE, { SYMUP_VERSION: version })
      expect(exitCode, output).toBe(0)
      expect(output).not.toContain('release-not-injected')
      const page = readFileSync(join(app.directory, 'dist/index.html'), 'utf8')
      const metas = [...page.matchAll(/<meta name="release" content="([^"]*)">/g)].map(([, it = '']) => it)
      expect(metas, page).toEqual([JSON.stringify({ service: 'shop', version }).replaceAll('"', '&quot;')])
      scripts.push(app.files('dist'))
    }
    expect(scripts[1]).toEqual(scripts[0])
  }, 60_000)

  it('fails the command if the key is refused, and reports it in the last line', async () => {
    const app = parcelApp()
    const { exitCode, output } = await build(app, PAGE, { SYMUP_API_KEY: 'wrong' })
    expect(exitCode, output).toBe(1)
    expect(output).toContain('error unauthorized')
    expect(lastLine(output)).toMatch(/Upload failed: 0 of 2 artifacts uploaded, 1 refused, 1 not sent\.$/)
    expectNoMaps(app, 'dist')
  }, 60_000)

  it('fails the command for an unusable configuration, and lists everything that is missing', async () => {
    const app = parcelApp({ symup: {} })
    const { exitCode, output } = await build(app, ['src/index.html', '--public-url', './'])
    expect(exitCode, output).toBe(1)
    for (const code of ['service-missing', 'prefix-missing']) expect(output).toContain(code)
    expect(lastLine(output)).toMatch(/Nothing will be uploaded because the configuration is invalid\.$/)
  }, 60_000)

  it('uses a separate URL for each target, which for a server is the directory that it runs in', async () => {
    const app = parcelApp({
      symup: { service: 'shop', version: '1.2.3', server: { service: 'shop-server', minifiedPathPrefix: '/app/out' } },
      targets: {
        web: { source: 'src/index.html', publicUrl: '/shop/', distDir: 'web' },
        backend: { source: 'src/server.js', distDir: 'out', context: 'node' },
      },
    })
    const server = "import { total } from './total.js'\n\nexport const sum = total([])\n"
    writeFileSync(join(app.directory, 'src/server.js'), server)
    const { exitCode, output } = await build(app)
    expect(exitCode, output).toBe(0)
    expect(output).toMatch(/Uploaded 3 artifacts/)
    expectNoMaps(app, 'web')
    // The map stays because Node reads it on the server.
    expect(app.files('out')).toEqual(['server.js', 'server.js.map'])
    const thrown = placeOf(app, 'src/total.js', 'throw new RangeError')
    const stack = await thrownIn(app, 'web')
    const ofPage = await resolved({ service: 'shop', version: '1.2.3', stack })
    expect(ofPage, stack).toEqual([thrown, placeOf(app, 'src/index.js', 'total([])')])
    const run = promisify(execFile)(process.execPath, [join(app.directory, 'out/server.js')])
    const printed: string = await run.then(
      () => '',
      ({ stderr }) => stderr,
    )
    const there = printed.replaceAll(join(app.directory, 'out'), '/app/out')
    expect((await resolved({ service: 'shop-server', version: '1.2.3', stack: there }))[0], there).toBe(thrown)
  }, 60_000)
})
