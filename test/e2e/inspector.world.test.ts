import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Intake, openStore, startIntake } from '@symup/intake'
import { type Browser, chromium as engine, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { ROOT } from '../support/build-fixture.ts'
import { buildInspector } from '../support/build-inspector.ts'
import { buildPackages } from '../support/build-package.ts'
import { needs } from '../support/tool.ts'

const executable = findChromium()
const chromium = needs('Chromium', executable !== undefined, 'Debian: chromium')
const require = createRequire(import.meta.url)
const KEY = 'dev-api-key'
const DIST = join(ROOT, 'packages/intake/inspector/dist')
const SHOTS = join(ROOT, 'test/artifacts')

const SOURCE =
  'export function total(prices) {\n  if (prices.length === 0) throw new RangeError("empty")\n  return 1\n}\n'
const MAP = {
  version: 3,
  sources: ['src/total.ts', 'src/other.ts'],
  sourcesContent: [SOURCE, '// nothing\n'],
  names: [],
  mappings: 'AAAA,QACE,OCDF',
}
const SCRIPT = 'function t(e){if(0===e.length)throw new RangeError("empty")}'

// What runs in the browser, where this project has no types.
declare const document: {
  querySelector(selector: string): { textContent: string } | null
  documentElement: { scrollWidth: number }
}
declare const navigator: { clipboard: { readText(): Promise<string>; writeText(text: string): void } }
declare const requestAnimationFrame: (done: (value: unknown) => void) => void
declare const innerWidth: number
declare const axe: { run(root: unknown, options: object): Promise<{ violations: Violation[] }> }
interface Violation {
  id: string
  nodes: { target: string[] }[]
}

let intake: Intake
let dataDir: string

async function upload(event: object, map: object | string = MAP, script = SCRIPT, key = KEY): Promise<number> {
  const form = new FormData()
  form.set(
    'event',
    JSON.stringify({ type: 'js_sourcemap', service: 'shop', version: '1.2.3', cli_version: '0', ...event }),
  )
  form.set('source_map', new Blob([typeof map === 'string' ? map : JSON.stringify(map)]), 'a.js.map')
  form.set('minified_file', new Blob([script]), 'a.js')
  const response = await fetch(`${intake.url}/sourcemap/upload`, {
    method: 'POST',
    headers: { 'DD-API-KEY': key },
    body: form,
  })
  return response.status
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'symup-inspector-'))
  intake = await startIntake({ dataDir })
  mkdirSync(SHOTS, { recursive: true })
  // Nobody else builds the page from here on.
  await buildPackages()
  // The page's own maps go to the intake that serves it.
  const said = await buildInspector({ SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url })
  expect(said).toContain('Uploaded 1 of 1 artifacts')
})
afterAll(async () => {
  await intake.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('what is served', () => {
  it('has a strict policy, no key, and stays small', async () => {
    const page = await fetch(intake.url)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const html = await page.text()
    expect(html).not.toMatch(/<script>| style=| on\w+=|https?:\/\//)
    let bytes = 0
    for (const file of readdirSync(join(DIST, 'assets'))) {
      expect(file).not.toMatch(/\.map$/)
      const text = readFileSync(join(DIST, 'assets', file))
      expect(text.includes(KEY) || text.includes('dev-app-key')).toBe(false)
      bytes += gzipSync(text).length
    }
    expect(bytes).toBeLessThan(150 * 1024)
    expect((await fetch(`${intake.url}/inspector/assets/..%2F..%2Fpackage.json`)).status).toBe(404)
  })

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example'])('is not for the host %s', async (host) => {
    for (const path of ['/', '/inspector/api/uploads', '/inspector/api/events']) {
      const status = await new Promise((done, fail) => {
        const { hostname, port } = new URL(intake.url)
        request({ hostname, port, path, headers: { Host: host } }, (response) => {
          response.destroy()
          done(response.statusCode)
        })
          .on('error', fail)
          .end()
      })
      expect(status).toBe(403)
    }
  })

  it('only reads without a key', async () => {
    const body = JSON.stringify({ fault: '500' })
    const headers = { 'Content-Type': 'application/json' }
    const refused = await fetch(`${intake.url}/inspector/api/fault`, { method: 'POST', headers, body })
    expect(refused.status).toBe(401)
    expect(await upload({ minified_url: '/js/plain.js' })).toBe(200)
  })
})

describe.skipIf(!chromium.isThere)(`in Chromium${chromium.reason}`, () => {
  let browser: Browser
  let page: Page
  const failures: string[] = []
  beforeAll(async () => {
    browser = await engine.launch({ executablePath: executable as string, args: ['--no-sandbox', '--disable-gpu'] })
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    page.on('pageerror', (error) => failures.push(error.message))
    page.on('dialog', (dialog) => failures.push(`dialog: ${dialog.message()}`))
    page.on('request', (sent) => {
      if (!sent.url().startsWith(intake.url) && !sent.url().startsWith('data:')) failures.push(`request: ${sent.url()}`)
    })
  })
  afterAll(() => browser?.close())

  const open = (hash = '') => page.goto(`${intake.url}/${hash}`)
  const accessibility = async () => {
    await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'))
    const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }))
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`)
  }

  it('lists uploads as they come', async () => {
    await open()
    await page.getByRole('link', { name: /\/js\/plain\.js/ }).waitFor()
    expect(await upload({ minified_url: '/js/live.js' })).toBe(200)
    await page.getByRole('link', { name: /\/js\/live\.js/ }).waitFor({ timeout: 5000 })
    await page.getByLabel('Search').fill('live')
    await page.getByText('1 upload', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: /plain\.js/ }).count()).toBe(0)
  })

  it('shows a map: sizes by source, minified to original and back', async () => {
    await open()
    await page.getByRole('link', { name: /\/js\/plain\.js/ }).click()
    await page.getByText('Where its').waitFor()
    await page.locator('.generated button').nth(1).click()
    expect(await page.locator('.original .at').textContent()).toContain('throw new RangeError')
    await page.locator('.original button').first().click()
    await page.waitForFunction(() => document.querySelector('.generated .at')?.textContent?.startsWith('function'))
    await page.screenshot({ path: join(SHOTS, 'inspector-map.png') })
  })

  it('resolves a pasted stack, with the source, or says why not; the address can be shared', async () => {
    await open('#/stack')
    await page
      .getByLabel('Stack, or error event as JSON')
      .fill('RangeError: empty\n  at t (https://h/js/plain.js:1:10)\n  at x (https://h/js/gone.js:1:10)')
    await page.getByLabel('Service').fill('shop')
    await page.getByLabel('Version').fill('1.2.3')
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('1 of 2 frames resolve.').waitFor()
    expect(await page.locator('.frames .at').textContent()).toContain('throw new RangeError')
    expect(await page.locator('.unresolved').textContent()).toContain('no-artifact')
    const shared = await browser.newPage()
    await shared.goto(page.url())
    await shared.getByText('1 of 2 frames resolve.').waitFor()
    await shared.close()
  })

  it('takes an event in JSON', async () => {
    await open('#/stack')
    const event = { service: 'shop', version: '1.2.3', error: { stack: 'at t (https://h/js/plain.js:1:10)' } }
    await page.getByLabel('Stack, or error event as JSON').fill(JSON.stringify(event))
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('1 of 1 frames resolve.').waitFor()
  })

  it('shows calls that the compiler inlined, and what else a frame may have been', async () => {
    const lines = [
      'com.example.Shop -> a.a:',
      '    1:1:void com.example.Cart.check():10:10 -> a',
      '    1:1:void open():20 -> a',
      '    void first() -> b',
      '    void second() -> b',
    ]
    const form = new FormData()
    form.set('event', JSON.stringify({ type: 'jvm_mapping_file', service: 'app', version: '1', variant: 'release' }))
    form.set('jvm_mapping_file', new Blob([`${lines.join('\n')}\n`]), 'mapping.txt')
    const headers = { 'DD-API-KEY': KEY }
    expect((await fetch(`${intake.url}/sourcemap/upload`, { method: 'POST', headers, body: form })).status).toBe(200)
    const stack = 'java.lang.RuntimeException: x\n\tat a.a.a(SourceFile:1)\n\tat a.a.b(SourceFile)'
    const other = await browser.newPage()
    await other.goto(`${intake.url}/#/stack?service=app&version=1&type=android&stack=${encodeURIComponent(stack)}`)
    await other.getByText('frames resolve.').waitFor()
    const frames = await other.locator('.frames li').allTextContents()
    await other.close()
    expect(frames.map((text) => text.replace(/\s+/g, ' '))).toMatchObject([
      expect.stringMatching(/com\.example\.Cart\.check.*inlined into the next frame/),
      expect.stringMatching(/com\.example\.Shop\.open/),
      expect.stringMatching(/com\.example\.Shop\.(?:first|second).*or com\.example\.Shop\.(?:first|second)/),
    ])
  })

  it('shows what was refused, with reason, fix and parts, and no key', async () => {
    await open('#/rejections')
    expect(await upload({ minified_url: '' }, MAP, SCRIPT)).toBe(400)
    expect(await upload({ minified_url: '/x.js' }, MAP, SCRIPT, 'a-secret-but-wrong-key')).toBe(401)
    await page.getByText('401 Unauthorized').waitFor()
    await page.getByText('event.minified_url').waitFor()
    await page.locator('details').last().click()
    await page.getByText('part source_map').last().waitFor()
    expect(await page.content()).not.toContain('a-secret-but-wrong-key')
  })

  it('shows the operations called, as curl without the key', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: intake.url })
    await open('#/requests')
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${intake.url}/channel/list?app_key=dev-app-key`, { method: 'POST', headers, body: '{"p":1}' })
    await page.getByText('POST /channel/list').waitFor()
    await page.getByRole('button', { name: 'copy /channel/list' }).click()
    await page.getByText('copied').waitFor()
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toContain(`curl -X POST '${intake.url}/channel/list'"?app_key=$SYMUP_APP_KEY"`)
    expect(curl).toContain(`-d '{"p":1}'`)
    expect(await page.content()).not.toContain('dev-app-key')
  })

  it('switches faults on and off, with a key', async () => {
    await open('#/rejections')
    await page.getByLabel('Fault', { exact: true }).fill('429;retry-after=7')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('alert').getByText('You are unauthorized.').waitFor()
    await page.getByLabel('App key').fill('dev-app-key')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Uploads fail on purpose: 429;retry-after=7').waitFor()
    expect(await upload({ minified_url: '/js/fault.js' })).toBe(429)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Uploads are taken as they come.').waitFor()
    expect(await upload({ minified_url: '/js/fault.js' })).toBe(200)
  })

  it('shows hostile names as text', async () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>'
    const map = {
      ...MAP,
      sources: [`src/${evil}.ts`, 'javascript:alert(3)'],
      sourcesContent: [`${evil}\n`.repeat(3), evil],
    }
    expect(
      await upload({ service: evil, version: `"><svg onload=alert(4)>`, minified_url: `/js/${evil}.js` }, map),
    ).toBe(200)
    await open(`#/uploads?query=${encodeURIComponent('onerror')}`)
    await page.locator('.upload').first().click()
    await page.getByText('Where its').waitFor()
    await page.getByText('All sources as a table').click()
    await open('#/stack')
    await page
      .getByLabel('Stack, or error event as JSON')
      .fill(`at ${evil} (https://h/js/${encodeURIComponent(evil)}.js:1:10)\nat a (https://h/${evil}.js:1:2)`)
    await page.getByLabel('Service').fill(evil)
    await page.getByLabel('Version').fill('"><svg onload=alert(4)>')
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('frames resolve.').waitFor()
    expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0)
  })

  it('its own errors resolve in itself', async () => {
    await open()
    // A clipboard that fails is a failure of the page's own code.
    await open('#/requests')
    await page.getByText('POST /channel/list').first().waitFor()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => {
        throw new Error('the clipboard is gone')
      }
    })
    await page.getByRole('button', { name: /^copy/ }).first().click()
    await page.getByText('This page failed: the clipboard is gone').waitFor()
    expect(failures.splice(0)).toEqual(['the clipboard is gone'])
    await page.getByRole('link', { name: 'See where' }).click()
    await page.getByText('src/requests-page.tsx').first().waitFor()
  })

  it('lists 5,000 uploads without holding them all', async () => {
    const store = await openStore(dataDir)
    const row = await store.db.selectFrom('artifact').selectAll().executeTakeFirstOrThrow()
    for (let start = 0; start < 5000; start += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => {
        const id = `many-${String(start + index).padStart(5, '0')}`
        return {
          ...row,
          id,
          identity: id,
          service: 'many',
          path: `/many/chunk-${start + index}.js`,
          updated_at: start + index,
        }
      })
      await store.db.insertInto('artifact').values(rows).execute()
    }
    await store.close()
    await open('#/uploads?service=many')
    await page.getByText('5,000 uploads').waitFor()
    const list = page.getByRole('region', { name: 'Uploads' })
    // What makes frames slow is the number of rows: there are few, wherever the list is scrolled to.
    const most = await list.evaluate(async (element) => {
      let rows = 0
      for (let step = 0; step < 60; step++) {
        element.scrollTop += 4000
        await new Promise(requestAnimationFrame)
        rows = Math.max(rows, element.querySelectorAll('.virtual li').length)
      }
      return rows
    })
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(60)
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByText('/many/chunk-0.js').waitFor()
  }, 120_000)

  it.each([1280, 768, 360])(
    'is clean for assistive technology and fits at %i pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 800 })
      const listed = await fetch(`${intake.url}/inspector/api/uploads?query=plain.js`)
      const { data } = (await listed.json()) as { data: { items: { id: string }[] } }
      const id = data.items[0]?.id
      for (const [name, hash] of [
        ['uploads', '#/uploads?service=shop'],
        ['upload', `#/upload?id=${id}`],
        [
          'stack',
          `#/stack?service=shop&version=1.2.3&stack=${encodeURIComponent('at t (https://h/js/plain.js:1:10)\nat n (https://h/none.js:1:1)')}`,
        ],
        ['rejections', '#/rejections'],
        ['requests', '#/requests'],
      ] as const) {
        for (const scheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: scheme })
          await open()
          await open(hash)
          await page.waitForLoadState('networkidle')
          expect(await accessibility(), `${name}, ${scheme}`).toEqual([])
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0)
          await page.screenshot({ path: join(SHOTS, `inspector-${name}-${width}-${scheme}.png`) })
        }
      }
    },
    60_000,
  )

  it('did nothing unasked: no error, dialog or request elsewhere', () => expect(failures).toEqual([]))
})
