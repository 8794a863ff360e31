import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startIntake } from '@symup/intake'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAILURES, throwInChromium } from '../support/browser.ts'
import { buildViteApp, VITE_APP } from '../support/build-fixture.ts'
import { useChromium } from '../support/chromium.ts'
import { symup } from '../support/command.ts'
import { useIntake } from '../support/intake.ts'
import { enrich, positionOf } from '../support/resolve.ts'
import type { Ended } from '../support/run-to-end.ts'
import { serve } from '../support/serve.ts'
import { throwInNode } from '../support/throw-in-node.ts'
import { needsChromium } from '../support/tool.ts'

const chromium = needsChromium()
const withPage = useChromium()

const intake = useIntake()
let outDir: string
let build: Ended
beforeAll(async () => {
  outDir = mkdtempSync(join(VITE_APP, 'dist-e2e-'))
  build = await buildViteApp({ SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url }, [
    '--outDir',
    outDir,
    '--emptyOutDir',
  ])
})
afterAll(() => rmSync(outDir, { recursive: true }))

const at = (file: string, text: string) => positionOf(join(VITE_APP, 'src', file), text)

it('uploads every script with its map once, and the last line says so', async () => {
  expect(build.output).toContain('built in')
  expect(build.exitCode).toBe(0)
  expect(build.output.trimEnd().split('\n').at(-1)).toContain('Uploaded 5 artifacts')
  const uploads = await intake.uploads()
  const places = uploads.map(({ event }) => String(event.minified_url).replace(/-[\w-]{8}\.js$/, '.js')).sort()
  expect(places).toEqual(['checkout', 'history', 'index', 'order', 'worker'].map((name) => `/shop/assets/${name}.js`))
  for (const { event, origin, parts } of uploads) {
    expect(event).toMatchObject({ type: 'js_sourcemap', service: 'shop', version: '1.2.3', project_path: '' })
    expect(origin).toBe('symup-vite')
    const [map, script] = await Promise.all(
      ['source_map', 'minified_file'].map((name) => parts.find((part) => part.name === name)?.read()),
    )
    expect(JSON.parse(String(map)).sources.length).toBeGreaterThan(0)
    expect(script?.equals(readFileSync(join(outDir, String(event.minified_url).slice('/shop/'.length))))).toBe(true)
    // 'hidden': the deployed script does not refer to its map.
    expect(String(script)).not.toContain('sourceMappingURL')
  }
})

it('resolves what a built chunk throws in Node', async () => {
  const stack = throwInNode(outDir, 'https://shop.example.com/shop/')
  const frames = await enrich(intake, stack)
  expect(frames.slice(0, 3)).toEqual([
    { function: 'validateAddress', ...at('routes/checkout.ts', 'TypeError(') },
    { function: 'submitOrder', ...at('routes/checkout.ts', 'validateAddress(order)\n') },
    { function: 'openCheckout', ...at('routes/checkout.ts', 'submitOrder(order)\n}') },
  ])
})

it.skipIf(!chromium.isThere)(
  `handled, unhandled, lazy and worker errors of a real browser resolve${chromium.reason}`,
  async () => {
    const site = await serve(outDir, '/shop/')
    const stacks = await throwInChromium(withPage, site.url, FAILURES).finally(site.close)

    const handled = await enrich(intake, stacks.handled)
    expect(handled.slice(0, 4)).toEqual([
      { function: 'parsePrice', ...at('money.ts', 'RangeError(') },
      { function: 'Cart.priceOf', ...at('cart.ts', 'parsePrice(item.price)') },
      { function: 'Cart.total', ...at('cart.ts', 'priceOf(item)\n    return') },
      { function: 'showTotal', ...at('main.ts', 'total())\n') },
    ])
    const unhandled = await enrich(intake, stacks.unhandled)
    expect(unhandled.slice(0, 3)).toEqual(handled.slice(0, 3))
    expect(unhandled[3]).toMatchObject({ function: 'forget', file: 'src/main.ts' })

    const lazy = await enrich(intake, stacks.lazy)
    expect(lazy[0]).toEqual({ function: 'validateAddress', ...at('routes/checkout.ts', 'TypeError(') })
    expect(lazy[3]).toMatchObject({ file: 'src/main.ts', line: at('main.ts', 'openCheckout().catch').line })

    const worker = await enrich(intake, stacks.worker)
    expect(worker.slice(0, 2)).toEqual([
      { function: 'computeDiscount', ...at('worker.ts', 'RangeError(') },
      { function: 'onmessage', ...at('worker.ts', 'computeDiscount(data)') },
    ])
  },
)

describe('when the upload fails', () => {
  const buildWith = (env: NodeJS.ProcessEnv) =>
    buildViteApp({ SYMUP_API_KEY: 'k', ...env }, ['--outDir', join(outDir, 'x'), '--emptyOutDir'])
  const mapsIn = (directory: string) =>
    readdirSync(directory, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.map'))
  const lastLine = ({ output }: Ended) => output.trimEnd().split('\n').at(-1)

  it('an intake that is away does not fail the build, and the last line tells', async () => {
    const cache = { SYMUP_CACHE_DIR: join(outDir, 'cache') }
    const result = await buildWith({ SYMUP_ENDPOINT: 'http://127.0.0.1:1', ...cache })
    expect(result.exitCode).toBe(0)
    expect(lastLine(result)).toMatch(/Upload failed: 0 of 5 artifacts uploaded/)
    // The maps do not ship. The printed command sends them and cleans up.
    expect(mapsIn(join(outDir, 'x'))).toEqual([])
    const [, words = ''] = /^\[symup\] {3}npx symup@\S+ (.*)$/m.exec(result.output) ?? []
    const again = await startIntake()
    const env = { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: again.url, ...cache }
    const sent = await symup(words.split(' '), { cwd: VITE_APP, env })
    expect(sent.stdout, sent.stderr).toMatch(/Uploaded 5 artifacts/)
    const places = (await again.uploads()).map(({ event }) => String(event.minified_url)).sort()
    await again.close()
    const scripts = readdirSync(join(outDir, 'x/assets')).filter((file) => file.endsWith('.js'))
    expect(places).toEqual(scripts.map((file) => `/shop/assets/${file}`).sort())
    expect(readdirSync(join(outDir, 'cache/staged'))).toEqual([])
  }, 60_000)
})
