import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FAILURES, throwInChromium } from '../support/browser.ts'
import { buildViteApp, VITE_APP } from '../support/build-fixture.ts'
import { useIntake } from '../support/intake.ts'
import { enrich, positionOf } from '../support/resolve.ts'
import { serve } from '../support/serve.ts'
import { needsChromium } from '../support/tool.ts'

const chromium = needsChromium()

const intake = useIntake()
let outDir: string
beforeAll(async () => {
  outDir = mkdtempSync(join(VITE_APP, 'dist-browser-'))
  const to = ['--outDir', outDir, '--emptyOutDir']
  await buildViteApp({ SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url }, to)
})
afterAll(() => rmSync(outDir, { recursive: true }))

const at = (file: string, text: string) => positionOf(join(VITE_APP, 'src', file), text)

it.skipIf(!chromium.isThere)(
  `handled, unhandled, lazy and worker errors of a real browser resolve${chromium.reason}`,
  async () => {
    const site = await serve(outDir, '/shop/')
    const stacks = await throwInChromium(site.url, FAILURES).finally(site.close)

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
