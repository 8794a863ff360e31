import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT, sourceArguments } from '../support/build-fixture.ts'
import { install } from '../support/install.ts'
import { useIntake } from '../support/intake.ts'
import { enrich } from '../support/resolve.ts'

/** Plugins that write their own maps once maps are on: for style sheets, service workers and compressed copies. */
const APP = join(ROOT, 'fixtures/frameworks/other-plugins')
const dist = join(APP, 'dist')

const intake = useIntake()
beforeAll(() => install(APP), 300_000)

function build(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ exitCode: unknown; output: string }> {
  const given = { PATH: process.env.PATH, SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url, ...env }
  return new Promise((done) => {
    execFile(process.execPath, [...sourceArguments(), ...args], { cwd: APP, env: given }, (error, stdout, stderr) =>
      done({ exitCode: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

const VITE = ['node_modules/vite/bin/vite.js', 'build', '--configLoader', 'native']
const WEBPACK = ['node_modules/webpack/bin/webpack.js']
const filesInDist = () => readdirSync(dist, { recursive: true }).map(String).sort()
const mapsInDist = () => filesInDist().filter((file) => /\.map(?:\.gz|\.br)?$/.test(file))

/** The files that a service worker loads when it is installed. A single 404 prevents the installation. */
function precached(worker: string): string[] {
  const text = readFileSync(join(dist, worker), 'utf8')
  expect(() => new Script(text)).not.toThrow()
  return [...text.matchAll(/\burl"?:\s*"([^"]+)"/g)].map(([, url]) => (url as string).replace(/^\//, ''))
}

describe.each([
  ['vite-plugin-pwa and vite-plugin-compression2', 'with-vite', VITE, 'sw.js', ['vendor.js.map']],
  ['css-loader, compression-webpack-plugin and GenerateSW', 'with-webpack', WEBPACK, 'service-worker.js', []],
] as const)('%s', (_, service, command, worker, kept) => {
  it('leaves no map: uploads service workers, removes other maps, and leaves no reference to them', async () => {
    const { exitCode, output } = await build([...command])
    expect(exitCode, output).toBe(0)
    // The output of these plugins contains no flaw that the app's owner could fix.
    expect(output).not.toMatch(/\bwarning (?:no-map|map-stale|map-incomplete)\b/)
    // The app's owner put the remaining maps into public/.
    expect(mapsInDist()).toEqual(kept)
    const uploads = (await intake.uploads()).filter((upload) => upload.service === service)
    const places = uploads.map(({ event }) => String(event.minified_url))
    expect(places).toContain(`/${worker}`)
    expect(places).toContainEqual(expect.stringMatching(/^\/workbox-\w+\.js$/))
    const named = precached(worker)
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((url) => !existsSync(join(dist, decodeURIComponent(url))))).toEqual([])
    for (const file of filesInDist().filter((name) => /^(?:sw|service-worker|workbox-\w+)\.js$/.test(name)))
      expect(readFileSync(join(dist, file), 'utf8'), file).not.toContain('sourceMappingURL')
    // Uploaded files resolve as deployed, because no position has moved.
    const sent = uploads.find(({ event }) => event.minified_url === `/${worker}`)
    const script = String(await sent?.parts.find(({ name }) => name === 'minified_file')?.read())
    const deployed = readFileSync(join(dist, worker), 'utf8')
    expect(deployed.indexOf('precacheAndRoute(')).toBe(script.indexOf('precacheAndRoute('))
    expect(deployed.trimEnd().length).toBe(script.replace(/(?:\s*\/\/# sourceMappingURL=\S+)+\s*$/, '').length)
  }, 180_000)
})

it('leaves no maps from other plugins if nothing is sent', async () => {
  const { exitCode, output } = await build(VITE, { SYMUP_API_KEY: '' })
  expect(exitCode, output).toBe(0)
  expect(output).toContain('No API key is set, so nothing is uploaded')
  expect(mapsInDist()).toEqual(['vendor.js.map'])
  expect(precached('sw.js').filter((url) => !existsSync(join(dist, decodeURIComponent(url))))).toEqual([])
}, 180_000)

it('reports a service worker if Workbox inserts a list without moving its map', async () => {
  const { exitCode, output } = await build([...WEBPACK, '--config', 'own-worker.webpack.config.js'])
  expect(exitCode, output).toBe(0)
  expect(output).toContain('warning map-stale: dist/own-worker.js')
  expect(mapsInDist()).toEqual([])
}, 180_000)

it('resolves the app’s own service worker after the list of files if vite-plugin-pwa writes its map', async () => {
  const [service, kept] = ['own-worker', ['vendor.js.map']]
  const { exitCode, output } = await build([...VITE, '--config', 'own-worker.config.js'])
  expect(exitCode, output).toBe(0)
  expect(output).not.toContain('map-stale')
  expect(mapsInDist()).toEqual(kept)
  const deployed = readFileSync(join(dist, 'own-worker.js'), 'utf8')
  expect(deployed).not.toContain('sourceMappingURL')
  const line = deployed.split('\n').findIndex((text) => text.includes('a message needs a title'))
  const column = (deployed.split('\n')[line] as string).indexOf('TypeError') - 'new '.length
  const stack = `TypeError: a message needs a title\n    at notify (https://app.example/own-worker.js:${line + 1}:${column + 1})`
  const [frame] = await enrich(intake, stack, service)
  const source = readFileSync(join(APP, 'src/own-worker.js'), 'utf8')
  expect(frame).toMatchObject({ file: expect.stringMatching(/src\/own-worker\.js$/) })
  expect(frame?.line).toBe(source.slice(0, source.indexOf('throw')).split('\n').length)
}, 180_000)
