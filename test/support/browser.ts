import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'

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

/** Opens an address in the Chromium of this machine while `use` works with the page. @throws Error where there is none. */
export async function withPage<T>(
  url: string,
  use: (page: Page) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const { chromium } = await import('playwright-core')
  const executablePath = findChromium() as string
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
  try {
    const page = await browser.newPage()
    await page.goto(url)
    return await use(page)
  } finally {
    await browser.close()
  }
}

/** Opens the fixture app in Chromium, presses the buttons and returns the stacks exactly as the browser reports them. */
export function throwInChromium(url: string, failures: readonly Failure[]): Promise<Record<Failure, string>> {
  return withPage(url, async (page) => {
    for (const failure of failures) {
      await page.click(`#throw-${failure}`)
      await page.waitForFunction((kind) => kind in (globalThis as unknown as { stacks: object }).stacks, failure)
    }
    return await page.evaluate(() => (globalThis as unknown as { stacks: Record<Failure, string> }).stacks)
  })
}
