import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FAILURES, throwInChromium } from '../support/browser.ts'
import { useChromium } from '../support/chromium.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { enrich, type Place, positionOf } from '../support/resolve.ts'
import { serve } from '../support/serve.ts'
import { needsChromium } from '../support/tool.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from './bundle.ts'
import { BUNDLERS } from './other-bundlers.ts'

const chromium = needsChromium()
const withPage = useChromium()

const intake = useIntake()

const PAGE = `<!doctype html>
<title>A small shop</title>
<link rel="icon" href="data:," />
${FAILURES.map((failure) => `<button id="throw-${failure}">${failure}</button>`).join('\n')}
<script type="module" src="main.js"></script>
`

const at = (file: string, text: string) => positionOf(source(file), text, WEB_APP)

/**
 * The calls that lead to each error, innermost first. A minifier may inline a function, which removes a frame from the
 * middle, and may drop the `new` of an error, which moves the first column.
 */
const CALLS: Record<(typeof FAILURES)[number], Place[][]> = {
  handled: [
    [at('money.js', 'new RangeError('), at('money.js', 'RangeError(')],
    [at('cart.js', 'parsePrice(item.price)')],
    [at('cart.js', 'priceOf(item)\n    return')],
    [at('main.js', 'total())\n}')],
    [at('main.js', 'showTotal(new Cart()')],
  ],
  unhandled: [
    [at('money.js', 'new RangeError('), at('money.js', 'RangeError(')],
    [at('cart.js', 'parsePrice(item.price)')],
    [at('cart.js', 'priceOf(item)\n    return')],
    [at('main.js', 'total()\n}')],
  ],
  lazy: [
    [at('routes/checkout.js', 'new TypeError('), at('routes/checkout.js', 'TypeError(')],
    [at('routes/checkout.js', 'validateAddress(order)\n')],
    // Rspack's minifier inlines `submitOrder` and maps the rest of the call to the end of that function.
    [at('routes/checkout.js', 'submitOrder(order)\n}'), at('routes/checkout.js', '}\n\nexport async')],
    [at('main.js', 'openCheckout().catch')],
  ],
  worker: [
    [at('worker.js', 'new RangeError('), at('worker.js', 'RangeError(')],
    // Rspack's minifier also inlines `computeDiscount`, and maps the rest of its call to the end of the function.
    [at('worker.js', 'computeDiscount(data)'), at('worker.js', '}\n\nself')],
  ],
}

const shown = ({ file, line, column }: Place) => `${file.replace(/^.*(?=src\/)/, '')}:${line}:${column}`

describe.skipIf(!chromium.isThere)(`errors in a real browser${chromium.reason}`, () => {
  it.each(BUNDLERS)(
    'resolves errors in a build from $name $version to the exact original positions',
    async (bundler) => {
      using directory = temporaryOutput()
      const outDir = directory.path
      const service = `${bundler.name}-${bundler.version}`
      const plugin = bundler.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE }))
      const entries = {
        main: source('main.js'),
        ...(bundler.lacks.worker !== undefined && { worker: source('worker.js') }),
      }
      await logged(() => bundler.build({ root: WEB_APP, outDir, base: BASE, entries }, plugin))
      writeFileSync(join(outDir, 'index.html'), PAGE)

      const site = await serve(outDir, BASE)
      const stacks = await throwInChromium(withPage, site.url, FAILURES).finally(site.close)
      for (const failure of FAILURES) {
        const frames = (await enrich(intake, stacks[failure], service)).map(shown)
        const calls = CALLS[failure].map((places) => places.map(shown))
        expect(calls[0], `${failure}:\n${stacks[failure]}`).toContain(frames[0])
        expect(frames.length, stacks[failure]).toBeGreaterThan(failure === 'worker' ? 0 : 1)
        // The stack must contain the remaining calls in order.
        let next = 0
        for (const frame of frames.slice(0, calls.length)) {
          const found = calls.slice(next).findIndex((places) => places.includes(frame))
          expect(found, `${failure}: ${frame} is none of the calls\n${stacks[failure]}\n${frames.join('\n')}`).not.toBe(
            -1,
          )
          next += found + 1
          if (next === calls.length) break
        }
      }
    },
  )
})
