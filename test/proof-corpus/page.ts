import { type Browser, chromium } from 'playwright-core'

/** A frame of a stack, 0-based as in source maps. */
export interface Frame {
  file: string
  line: number
  column: number
}

/** The error that one probe of the app threw. */
export interface Thrown {
  message: string
  frames: Frame[]
}

const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const ORIGIN = 'https://corpus.test/'

interface ProbingWindow {
  __probes: (() => unknown)[]
  __probe(run: () => unknown): void
}

/** Opens built apps in Chromium and runs every function that they registered with `__probe`, so that each throws. */
export class ProbingBrowser {
  readonly #browser: Browser

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async open(executablePath: string): Promise<ProbingBrowser> {
    return new ProbingBrowser(await chromium.launch({ executablePath, args: FLAGS }))
  }

  close(): Promise<void> {
    return this.#browser.close()
  }

  /** @param files the scripts by their names in the output directory. The entry is `main.js`. */
  async throwAll(files: ReadonlyMap<string, string>): Promise<Thrown[]> {
    const page = await this.#browser.newPage()
    try {
      await page.addInitScript(() => {
        const window = globalThis as unknown as ProbingWindow
        window.__probes = []
        window.__probe = (run) => void window.__probes.push(run)
        Error.stackTraceLimit = 20
      })
      await page.route('**/*', (route) => {
        const { pathname } = new URL(route.request().url())
        const body = files.get(decodeURIComponent(pathname.slice(1)))
        if (body !== undefined) return route.fulfill({ body, contentType: 'text/javascript; charset=utf-8' })
        if (pathname !== '/') return route.fulfill({ status: 404, body: '' })
        const html = `<!doctype html><meta charset=utf-8><body><div id=app></div><script type=module src=/main.js></script>`
        return route.fulfill({ body: html, contentType: 'text/html' })
      })
      await page.goto(ORIGIN)
      let known = -1
      for (let tries = 0; tries < 40; tries++) {
        const count = await page.evaluate(() => (globalThis as unknown as ProbingWindow).__probes.length)
        if (count > 0 && count === known) break
        known = count
        await page.waitForTimeout(60)
      }
      const stacks = await page.evaluate(async () => {
        const found: { message: string; stack: string }[] = []
        for (const run of (globalThis as unknown as ProbingWindow).__probes) {
          try {
            await run()
          } catch (error) {
            const { message, stack } = error as Error
            found.push({ message, stack: stack ?? '' })
          }
        }
        return found
      })
      return stacks.map(({ message, stack }) => ({ message, frames: framesOf(stack) }))
    } finally {
      await page.close()
    }
  }
}

function framesOf(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const [, file, line, column] of stack.matchAll(/https:\/\/corpus\.test\/([^\s:)]+):(\d+):(\d+)\)?$/gm))
    frames.push({ file: decodeURIComponent(file as string), line: Number(line) - 1, column: Number(column) - 1 })
  return frames
}
