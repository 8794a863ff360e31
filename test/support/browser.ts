import { existsSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** This machine's Chromium, if there is one; `CHROMIUM_PATH` selects another, or `none`. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: chosen } = process.env
  return (chosen ? [chosen] : PLACES).find((path) => existsSync(path))
}

/** The errors of the fixture app, by the names of the stacks in its page. */
export const FAILURES = ['handled', 'unhandled', 'lazy', 'worker'] as const
export type Failure = (typeof FAILURES)[number]

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Calls `use` with an isolated page at an address. */
export type WithPage = <T>(url: string, use: (page: Page) => Promise<T>) => Promise<T>

/**
 * This machine's Chromium, started when the first page is opened. @throws Error then, if there is none.
 * @param flags for its command line, in addition to the usual test flags.
 */
export function openChromium(flags: readonly string[] = []): { withPage: WithPage; close(): Promise<void> } {
  let browser: Promise<Browser> | undefined
  const launch = async () => {
    const { chromium } = await import('playwright-core')
    return chromium.launch({ executablePath: findChromium() as string, args: [...FLAGS, ...flags] })
  }
  return {
    async withPage(url, use) {
      browser ??= launch()
      const context = await (await browser).newContext()
      try {
        const page = await context.newPage()
        await page.goto(url)
        return await use(page)
      } finally {
        await context.close()
      }
    },
    async close() {
      await (await browser)?.close()
    },
  }
}

/** Opens the fixture app, presses the buttons and returns the stacks exactly as the browser reports them. */
export function throwInChromium(
  withPage: WithPage,
  url: string,
  failures: readonly Failure[],
): Promise<Record<Failure, string>> {
  return withPage(url, async (page) => {
    for (const failure of failures) {
      await page.click(`#throw-${failure}`)
      await page.waitForFunction((kind) => kind in (globalThis as unknown as { stacks: object }).stacks, failure)
    }
    return await page.evaluate(() => (globalThis as unknown as { stacks: Record<Failure, string> }).stacks)
  })
}
