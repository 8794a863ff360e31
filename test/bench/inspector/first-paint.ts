import { gzipSync } from 'node:zlib'
import { startIntake } from '@symup/intake'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../support/browser.ts'
import { buildPackages } from '../../support/build-package.ts'
import { Failed, inRounds } from '../measure.ts'
import type { Table } from '../table.ts'

/** As Lighthouse slows a processor down to that of a phone. */
const TIMES_SLOWER = 4
const RELEASES = 50

// What runs in the browser, where this project has no types.
declare const performance: { now(): number; getEntriesByName(name: string): { startTime: number }[] }

const PAGES = [
  { name: 'releases', hash: '#/releases', shown: '.virtual .row' },
  { name: 'a stack to paste', hash: '#/stack', shown: 'textarea' },
]

/** What a browser with an empty cache and a slow processor needs until the inspector shows something, and until it shows what was asked for. */
export async function inspectorTable(rounds: number): Promise<Table> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Failed('there is no Chromium')
  await buildPackages()
  const intake = await startIntake({ uploadRateLimits: false })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    for (let nth = 0; nth < RELEASES; nth++) await upload(intake.url, `1.0.${nth}`)
    const kilobytes = await loadedBytes(intake.url)
    const rows = await inRounds(PAGES, rounds, async ({ hash, shown }) => ({
      ...(await timesOf(browser, `${intake.url}/${hash}`, shown)),
      'KiB gzip': kilobytes / 1024,
    }))
    return {
      name: 'inspector',
      title: `The inspector's page, on a processor slowed down ${TIMES_SLOWER} times`,
      metrics: [
        { name: 'first paint s', digits: 2 },
        { name: 'content s', digits: 2 },
        { name: 'KiB gzip', digits: 1 },
      ],
      rows,
      goals: PAGES.flatMap(({ name }) => [
        { row: name, metric: 'first paint s', atMost: 1, absolute: true } as const,
        { row: name, metric: 'KiB gzip', atMost: 60, absolute: true } as const,
      ]),
      notes: ['KiB gzip: all that is loaded before code is shown.'],
    }
  } finally {
    await browser.close()
    await intake.close()
  }
}

async function timesOf(browser: Browser, url: string, shown: string): Promise<Record<string, number>> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER })
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator(shown).first().waitFor()
    const [content, paint] = await page.evaluate(() => [
      performance.now(),
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    ])
    if (content === undefined || paint === undefined) throw new Failed('the browser tells of no paint')
    return { 'first paint s': paint / 1000, 'content s': content / 1000 }
  } finally {
    await context.close()
  }
}

/** The page and what it names; code is loaded later. */
async function loadedBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text()
  const assets = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
    ([, path]) => new URL(path as string, url),
  )
  if (assets.length === 0) throw new Failed('the page names no script')
  const texts = await Promise.all(assets.map(async (asset) => (await fetch(asset)).text()))
  return [html, ...texts].reduce((sum, text) => sum + gzipSync(text).length, 0)
}

async function upload(url: string, version: string): Promise<void> {
  const form = new FormData()
  const event = { type: 'js_sourcemap', service: 'shop', version, minified_url: '/app.js' }
  const map = { version: 3, sources: ['src/app.ts'], sourcesContent: ['f()'], names: [], mappings: 'AAAA' }
  form.set('event', JSON.stringify(event))
  form.set('source_map', new Blob([JSON.stringify(map)]), 'app.js.map')
  const headers = { 'DD-API-KEY': 'dev-api-key' }
  const { status } = await fetch(`${url}/sourcemap/upload`, { method: 'POST', headers, body: form })
  if (status !== 200) throw new Failed(`an upload was answered ${status}`)
}
