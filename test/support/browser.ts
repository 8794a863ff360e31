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

/** The Chromium of this machine, if it has one; `CHROMIUM_PATH` names another, or `none`. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: chosen } = process.env
  return (chosen ? [chosen] : PLACES).find((path) => existsSync(path))
}

/** The ways in which the fixture app fails, by the names its page gives the stacks. */
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

/** A page that shares nothing with other pages, at an address, while `use` works with it. */
export type WithPage = <T>(url: string, use: (page: Page) => Promise<T>) => Promise<T>

/**
 * The Chromium of this machine, started by the first page that is opened. @throws Error then where there is none.
 * @param flags of its command line, besides those that fit a test.
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
