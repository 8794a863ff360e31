import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Intake, type IntakeOptions, startIntake } from '@symup/intake'
import { type Browser, chromium as engine, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upload as uploadTo } from '../../../packages/intake/src/test-support/client.fixture.ts'
import { findChromium } from '../../support/browser.ts'
import { ROOT } from '../../support/build-fixture.ts'
import { buildPackages } from '../../support/build-package.ts'
import { needsChromium } from '../../support/tool.ts'

export const KEY = 'dev-api-key'
export const APP_KEY = 'dev-app-key'
/** Where screenshots are saved for review. */
export const SHOTS = join(ROOT, 'test/artifacts')
const CHROMIUM = findChromium()

const require = createRequire(import.meta.url)

const SOURCE =
  'export function total(prices) {\n  if (prices.length === 0) throw new RangeError("empty")\n  return 1\n}\n'
export const MAP = {
  version: 3,
  sources: ['src/total.ts', 'src/other.ts'],
  sourcesContent: [SOURCE, '// nothing\n'],
  names: [],
  mappings: 'AAAA,QACE,OCDF',
}
export const SCRIPT = 'function t(e){if(0===e.length)throw new RangeError("empty")}'

// Types for code that runs in the browser. This project has no DOM types.
declare const document: { documentElement: { scrollWidth: number } }
declare const innerWidth: number
declare const axe: { run(root: unknown, options: object): Promise<{ violations: Violation[] }> }
interface Violation {
  id: string
  nodes: { target: string[] }[]
}

export interface Inspected {
  intake: Intake
  /** Directory of the intake's store. */
  dataDir: string
  browser: Browser
  page: Page
  /** What no page may do: errors, dialogs, requests to other hosts. */
  failures: string[]
  open(hash?: string): Promise<unknown>
  close(): Promise<void>
}

/** A built page, an intake that serves it, and a browser that shows it. */
async function openInspector(options: IntakeOptions): Promise<Inspected> {
  mkdirSync(SHOTS, { recursive: true })
  await buildPackages()
  const dataDir = mkdtempSync(join(tmpdir(), 'symup-inspector-'))
  const intake = await startIntake({ dataDir, ...options })
  const browser = await engine.launch({
    executablePath: CHROMIUM as string,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  page.on('dialog', (dialog) => failures.push(`dialog: ${dialog.message()}`))
  page.on('request', (sent) => {
    if (!sent.url().startsWith(intake.url) && !sent.url().startsWith('data:')) failures.push(`request: ${sent.url()}`)
  })
  return {
    intake,
    dataDir,
    browser,
    page,
    failures,
    open: (hash = '') => page.goto(`${intake.url}/${hash}`),
    async close() {
      await browser.close()
      await intake.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Tests of the page in Chromium, if available. They share one intake and one page, which may do nothing on its own.
 * @param define receives the objects that exist once the tests run.
 */
export function describeInspector(what: string, options: IntakeOptions, define: (inspected: Inspected) => void): void {
  const chromium = needsChromium()
  describe.skipIf(!chromium.isThere)(`${what}${chromium.reason}`, () => {
    const inspected = {} as Inspected
    beforeAll(async () => void Object.assign(inspected, await openInspector(options)))
    afterAll(() => inspected.close?.())
    define(inspected)
    it('did nothing unasked: no error, dialog or request elsewhere', () => expect(inspected.failures).toEqual([]))
  })
}

interface UploadOptions {
  map?: object | string
  script?: string
  key?: string
  /** The tool that sends it. */
  origin?: string
}

/** @returns the status of the answer. */
export async function upload(
  { url }: Pick<Intake, 'url'>,
  event: object,
  { map = MAP, script = SCRIPT, key = KEY, origin }: UploadOptions = {},
): Promise<number> {
  const known = { type: 'js_sourcemap', service: 'shop', version: '1.2.3', cli_version: '0' }
  const files = {
    source_map: new File([typeof map === 'string' ? map : JSON.stringify(map)], 'a.js.map'),
    minified_file: new File([script], 'a.js'),
  }
  const headers = { 'DD-API-KEY': key, ...(origin && { 'DD-EVP-ORIGIN': origin }) }
  return (await uploadTo(url, { ...known, ...event }, files, headers)).status
}

/** The page's address for an upload. */
export async function addressOfUpload({ url }: Pick<Intake, 'url'>, query: string): Promise<string> {
  const listed = await fetch(`${url}/inspector/api/uploads?query=${query}`)
  const { data } = (await listed.json()) as { data: { items: { id: string }[] } }
  return `#/upload?id=${data.items[0]?.id}`
}

/** Problems for assistive technology, and whether something is wider than the window. */
export async function troublesOf(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'))
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }))
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`),
    ...(overflow > 0 ? [`wider than the window by ${overflow} pixels`] : []),
  ]
}

/** Checks three widths in both colour schemes, with a screenshot of each. */
export async function troublesEverywhere(page: Page, name: string): Promise<string[]> {
  const troubles: string[] = []
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const trouble of await troublesOf(page)) troubles.push(`${name} ${width} ${colorScheme}: ${trouble}`)
      await page.screenshot({ path: join(SHOTS, `inspector-${name}-${width}-${colorScheme}.png`) })
    }
  }
  return troubles
}
