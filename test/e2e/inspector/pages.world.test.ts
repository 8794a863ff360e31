import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Intake, openStore, startIntake } from '@symup/intake'
import { type Browser, chromium as engine, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../support/browser.ts'
import { ROOT } from '../../support/build-fixture.ts'
import { buildInspector } from '../../support/build-inspector.ts'
import { buildPackages } from '../../support/build-package.ts'
import { symup } from '../../support/command.ts'
import { needs } from '../../support/tool.ts'
import { buildSample } from './samples.ts'
import { differenceFromBaseline } from './shots.ts'

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
  querySelectorAll(selector: string): Iterable<{ textContent: string }>
  documentElement: { scrollWidth: number; lang: string }
  body: { textContent: string }
  activeElement: { id: string } | null
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

async function upload(
  event: object,
  map: object | string = MAP,
  script = SCRIPT,
  key = KEY,
  { url }: Pick<Intake, 'url'> = intake,
): Promise<number> {
  const form = new FormData()
  form.set(
    'event',
    JSON.stringify({ type: 'js_sourcemap', service: 'shop', version: '1.2.3', cli_version: '0', ...event }),
  )
  form.set('source_map', new Blob([typeof map === 'string' ? map : JSON.stringify(map)]), 'a.js.map')
  form.set('minified_file', new Blob([script]), 'a.js')
  const response = await fetch(`${url}/sourcemap/upload`, {
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
  expect(said).toContain('Uploaded 2 of 2 artifacts')
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
    let first = 0
    for (const file of readdirSync(join(DIST, 'assets'))) {
      expect(file).not.toMatch(/\.map$/)
      const text = readFileSync(join(DIST, 'assets', file))
      expect(text.includes(KEY) || text.includes('dev-app-key')).toBe(false)
      bytes += gzipSync(text).length
      // Named in the page: what a browser loads before it shows code.
      if (html.includes(file)) first += gzipSync(text).length
    }
    expect(first).toBeGreaterThan(10 * 1024)
    expect(first).toBeLessThan(60 * 1024)
    expect(bytes).toBeLessThan(120 * 1024)
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

  it('shows an empty intake what to copy, and the first upload by itself', async () => {
    const fresh = await startIntake()
    const other = await browser.newPage()
    try {
      await other.goto(fresh.url)
      await other.getByText('Waiting for the first upload').waitFor()
      const commands = await other.locator('.command pre').allTextContents()
      expect(commands).toHaveLength(3)
      for (const command of commands) expect(command).toContain(fresh.url)
      expect(commands[0]).toMatch(/SYMUP_ENDPOINT.*SYMUP_API_KEY/s)
      expect(await upload({ minified_url: '/first.js' }, MAP, SCRIPT, KEY, fresh)).toBe(200)
      await other.getByRole('link', { name: 'shop 1.2.3' }).waitFor({ timeout: 5000 })
    } finally {
      await other.close()
      await fresh.close()
    }
  })

  it('lists releases as they come, searches, and keeps the filter in the address', async () => {
    await open()
    await page.getByRole('link', { name: 'shop 1.2.3' }).waitFor()
    expect(await upload({ service: 'live', version: '7', minified_url: '/js/live.js' })).toBe(200)
    await page.getByRole('link', { name: 'live 7' }).waitFor({ timeout: 5000 })
    await page.getByLabel('Search').fill('live.js')
    await page.getByText('1 release', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'shop 1.2.3' }).count()).toBe(0)
    const shared = await browser.newPage()
    await shared.goto(page.url())
    await shared.getByText('1 release', { exact: true }).waitFor()
    await shared.close()
  })

  it('drops the late answer to an older search', async () => {
    await open()
    await page.getByText('releases', { exact: false }).first().waitFor()
    await page.route('**/inspector/api/releases?*query=s*', async (route) => {
      const isOld = new URL(route.request().url()).searchParams.get('query') === 's'
      if (isOld) await new Promise((done) => setTimeout(done, 1500))
      await route.continue().catch(() => undefined)
    })
    await page.getByLabel('Search').fill('s')
    await page.waitForTimeout(300)
    await page.getByLabel('Search').fill('shop')
    await page.getByText('1 release', { exact: true }).waitFor()
    await page.waitForTimeout(2000)
    await page.getByText('1 release', { exact: true }).waitFor({ timeout: 1000 })
    await page.unroute('**/inspector/api/releases?*query=s*')
  })

  it('compares two releases of a service', async () => {
    await upload({ version: '1.2.4', minified_url: '/js/plain.js' }, MAP, `${SCRIPT};1`)
    await upload({ version: '1.2.4', minified_url: '/js/new-DkJ3bs9a.js' })
    await open('#/release?service=shop&version=1.2.4')
    await page.getByLabel('Compare with').selectOption('1.2.3')
    await page.getByText('/js/new-*.js').waitFor()
    expect(await page.locator('tbody .tag').allTextContents()).toContain('Added')
    expect(await page.locator('tbody .tag').allTextContents()).toContain('Changed')
  })

  it('names an upload of iOS, which has no path', async () => {
    const directory = join(ROOT, 'fixtures/symbols/apple/shop-arm64.dylib.dSYM')
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
    expect((await symup(['ios', 'upload', directory], { cwd: dataDir, env })).exitCode).toBe(0)
    await open('#/release?service=&version=')
    const link = page.getByRole('region', { name: 'Files' }).getByRole('link')
    await link.first().waitFor()
    expect((await link.allTextContents()).join()).toMatch(/dylib|dSYM/)
  })

  it('shows code exactly in both directions, also far down and from an indentation', async () => {
    const { script, map, at } = buildSample(400)
    expect(await upload({ minified_url: '/js/far.js' }, map, script)).toBe(200)
    await open(await addressOfUpload('far.js'))
    await page.locator('.generated button').first().waitFor()
    const [, column] = at('RangeError').split(':').map(Number) as [number, number]
    await page.getByLabel('Line:column').fill(`1:${column}`)
    await page.getByLabel('Line:column').press('Enter')
    await page.locator('.generated .at', { hasText: 'RangeError' }).waitFor()
    await page.locator('.generated .at').click()
    const marked = page.locator('.pane .code-lines .code-line.at')
    await expect.poll(() => marked.textContent()).toContain("throw new RangeError('The cart is empty')")
    expect(await isInView(page, '.pane .code-line.at')).toBe(true)
    expect(await isInView(page, '.pane .caret')).toBe(true)
    await page.locator('.pane .tok-keyword').first().waitFor()
    // The indentation of `throw`, which has no mapping of its own.
    await page.locator('.generated button').first().click()
    await page.locator('.pane select').selectOption({ label: 'src/total.ts' })
    await page.locator('.pane .code-lines').evaluate((element) => element.scrollTo(0, 400 * 20))
    await page.locator('.pane .code-line[data-line="408"] code').click({ position: { x: 2, y: 10 } })
    await expect.poll(() => page.locator('.generated .at').textContent()).toMatch(/^throw/)
    // Every line of a source leads somewhere.
    for (const line of [405, 406, 407, 409, 411, 412, 413]) {
      await page.locator(`.pane .code-line[data-line="${line}"] code`).click({ position: { x: 1, y: 10 } })
      await page.waitForLoadState('networkidle')
      expect(await page.locator('.generated .at').count(), `line ${line}`).toBe(1)
    }
    await page.screenshot({ path: join(SHOTS, 'inspector-map.png') })
  })

  const addressOfUpload = async (query: string) => {
    const listed = await fetch(`${intake.url}/inspector/api/uploads?query=${query}`)
    const { data } = (await listed.json()) as { data: { items: { id: string }[] } }
    return `#/upload?id=${data.items[0]?.id}`
  }
  const paste = async (text: string) => {
    await open('#/releases')
    await open('#/stack')
    await page.getByLabel('Stack trace or error event').fill(text)
  }
  const resolve = () => page.getByRole('button', { name: /^Resolve/ }).click()

  it('resolves a pasted stack by what it guesses, says why not once, and the address can be shared', async () => {
    const { script, map, at } = buildSample()
    const commit = { git_repository_url: 'git@github.com:example/shop.git', git_commit_sha: '4f2a91c0b7e6d5a4' }
    expect(await upload({ service: 'store', minified_url: '/store/app.js', ...commit }, map, script)).toBe(200)
    const frame = (text: string, path = '/store/app.js') => `    at f (https://h${path}:${at(text)})`
    const stack = [
      'RangeError: The cart is empty',
      frame('throw'),
      frame('.call('),
      frame('throw', '/app.js'),
      frame('toFixed', '/app.js'),
      frame('throw', '/gone.js'),
    ].join('\n')
    await paste(stack)
    await page.getByText('Detected: Web stack.').waitFor()
    await expect.poll(() => page.getByLabel('Service').inputValue()).toBe('store')
    await page.getByLabel('Stack trace or error event').press('Control+Enter')
    await page.getByText('1 of 4 frames resolve.').waitFor()
    // The library's frame is folded, the failed ones look different.
    expect(await page.locator('.frames > .folded').count()).toBe(1)
    expect(await page.locator('.frames > .unresolved').count()).toBe(3)
    const first = page.locator('.frames > .frame').first()
    expect(await first.locator('.code-line.at').textContent()).toContain('throw new RangeError')
    expect(await first.locator('.caret').count()).toBe(1)
    expect(await first.locator('a.place').getAttribute('href')).toBe(
      'https://github.com/example/shop/blob/4f2a91c0b7e6d5a4/src/total.ts#L8',
    )
    // One entry for both frames with one cause.
    const causes = page.locator('.checklist li')
    expect(await causes.count()).toBe(2)
    expect(await causes.first().textContent()).toMatch(/2 frames.*prefix-mismatch/)
    expect(await causes.first().locator('pre').textContent()).toContain('--minified-path-prefix /')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: intake.url })
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const markdown = await page.evaluate(() => navigator.clipboard.readText())
    expect(markdown).toContain('- `total` [`src/total.ts:8:5`](https://github.com/example/shop/blob/')
    const shared = await browser.newPage()
    await shared.goto(page.url())
    await shared.getByText('1 of 4 frames resolve.').waitFor()
    await shared.close()
  })

  it('takes Android for Android, and asks for what is missing in plain words', async () => {
    await paste('')
    await resolve()
    await page.getByRole('alert').getByText('Paste a stack first.').waitFor()
    await paste('java.lang.RuntimeException: x\n\tat zz.zz.zz(SourceFile:1)')
    await page.getByText('Detected: Android stack.').waitFor()
    expect(await page.getByLabel('Platform').inputValue()).toBe('android')
    await resolve()
    await page.getByRole('alert').getByText('Name the service that the stack is of.').waitFor()
    await paste('nothing that is a stack')
    await page.getByLabel('Service').fill('shop')
    await page.getByLabel('Version').fill('1.2.3')
    await resolve()
    await page.getByRole('alert').getByText('No stack frame was found in this text.').waitFor()
  })

  it('takes an event in JSON', async () => {
    const event = { service: 'shop', version: '1.2.3', error: { stack: 'at t (https://h/js/plain.js:1:10)' } }
    await paste(JSON.stringify(event))
    await resolve()
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
    const frames = await other.locator('.frames > .frame').allTextContents()
    await other.close()
    expect(frames.map((text) => text.replace(/\s+/g, ' '))).toMatchObject([
      expect.stringMatching(/com\.example\.Cart\.check.*inlined/),
      expect.stringMatching(/com\.example\.Shop\.open/),
      expect.stringMatching(/com\.example\.Shop\.(?:first|second).*or com\.example\.Shop\.(?:first|second)/),
    ])
  })

  it('shows what was refused, with reason, fix and parts, and no key', async () => {
    await open('#/rejections')
    expect(await upload({ minified_url: '' }, MAP, SCRIPT)).toBe(400)
    expect(await upload({ minified_url: '/x.js' }, MAP, SCRIPT, 'a-secret-but-wrong-key')).toBe(401)
    await page.getByText('Unauthorized').first().waitFor()
    await page.getByText('event.minified_url').waitFor()
    const refused = page.locator('.records > li', { hasText: 'event.minified_url' }).first()
    await refused.locator('summary').click()
    await refused.getByText('part source_map').waitFor()
    expect(await page.content()).not.toContain('a-secret-but-wrong-key')
  })

  it('shows the operations called, as curl without the key', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: intake.url })
    await open('#/requests')
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${intake.url}/channel/list?app_key=dev-app-key`, { method: 'POST', headers, body: '{"p":1}' })
    await page.getByText('/channel/list').first().waitFor()
    await page.getByRole('button', { name: 'curl /channel/list' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toContain(`curl -X POST ${intake.url}/channel/list"?app_key=$SYMUP_APP_KEY"`)
    expect(curl).toContain(`-d '{"p":1}'`)
    expect(await page.content()).not.toContain('dev-app-key')
  })

  it('a check by symup doctor is no refusal', async () => {
    const before = await fetch(`${intake.url}/inspector/api/rejections`).then((response) => response.text())
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
    const { stdout } = await symup(['doctor', '--service', 's', '--release-version', '1'], { cwd: dataDir, env })
    expect(stdout).toContain('accepted')
    const after = await fetch(`${intake.url}/inspector/api/rejections`).then((response) => response.text())
    expect(JSON.parse(after).data).toEqual(JSON.parse(before).data)
    await open('#/requests')
    await page.getByText('key check').first().waitFor()
  })

  it('switches faults on and off, with a key', async () => {
    await open('#/requests')
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
    await open(`#/releases?query=${encodeURIComponent('onerror')}`)
    await page.locator('.row .title').first().click()
    await page.getByRole('region', { name: 'Files' }).getByRole('link').first().click()
    await page.getByText('Where its').waitFor()
    await page.getByText('All sources as a table').click()
    await open('#/stack')
    await page
      .getByLabel('Stack trace or error event')
      .fill(`at ${evil} (https://h/js/${encodeURIComponent(evil)}.js:1:10)\nat a (https://h/${evil}.js:1:2)`)
    await page.getByLabel('Service').fill(evil)
    await page.getByLabel('Version').fill('"><svg onload=alert(4)>')
    await resolve()
    await page.getByText('frames resolve.').waitFor()
    expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0)
  })

  it('its own errors resolve in itself', async () => {
    await open()
    // A clipboard that fails is a failure of the page's own code.
    await open('#/requests')
    await page.getByText('/channel/list').first().waitFor()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => {
        throw new Error('the clipboard is gone')
      }
    })
    await page.getByRole('button', { name: /^curl/ }).first().click()
    await page.getByText('This page failed: the clipboard is gone').waitFor()
    expect(failures.splice(0)).toEqual(['the clipboard is gone'])
    await page.getByRole('link', { name: 'See where' }).click()
    await page.getByText('src/copy-button.tsx').first().waitFor()
    // The page shows it until it is loaded again.
    await page.goto('about:blank')
  })

  it('lists 10,000 releases without holding them all', async () => {
    const store = await openStore(dataDir)
    const row = await store.db.selectFrom('artifact').selectAll().executeTakeFirstOrThrow()
    for (let start = 0; start < 10_000; start += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => {
        const id = `many-${String(start + index).padStart(5, '0')}`
        return {
          ...row,
          id,
          identity: id,
          service: 'many',
          version: `0.0.${start + index}`,
          path: `/many/chunk-${start + index}.js`,
          updated_at: start + index,
        }
      })
      await store.db.insertInto('artifact').values(rows).execute()
    }
    await store.close()
    await open('#/releases?service=many')
    await page.getByText('10,000 releases', { exact: true }).waitFor()
    const list = page.getByRole('region', { name: 'Releases' })
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
    await page.getByRole('link', { name: 'many 0.0.0', exact: true }).waitFor()
    const again = await openStore(dataDir)
    await again.db.deleteFrom('artifact').where('service', '=', 'many').execute()
    await again.close()
  }, 120_000)

  it.each([1280, 768, 390])(
    'is clean for assistive technology and fits at %i pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 844 })
      for (const [name, hash] of [
        ['releases', '#/releases?service=shop'],
        ['release', '#/release?service=shop&version=1.2.3'],
        ['compare', '#/compare?service=shop&from=1.2.3&to=1.2.4'],
        ['upload', await addressOfUpload('far.js')],
        ['stack', `#/stack?service=store&version=1.2.3&type=browser&stack=${encodeURIComponent(STACK)}`],
        ['rejections', '#/rejections'],
        ['requests', '#/requests'],
      ] as const) {
        for (const scheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: scheme })
          await open('#/')
          await open(hash)
          await page.waitForLoadState('networkidle')
          await page.getByRole('heading', { level: 1 }).first().waitFor()
          expect(await accessibility(), `${name}, ${scheme}`).toEqual([])
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0)
          await page.screenshot({ path: join(SHOTS, `inspector-${name}-${width}-${scheme}.png`) })
        }
      }
    },
    120_000,
  )

  describe('looks as it was found good', () => {
    const SHOWN = [
      ['release', async () => '#/release?service=looks&version=1.0.0'],
      ['upload', () => addressOfUpload('looks.js')],
      [
        'stack',
        async () =>
          `#/stack?service=looks&version=1.0.0&type=browser&stack=${encodeURIComponent(
            `RangeError: The cart is empty\n    at t (https://h/looks.js:${buildSample().at('throw')})\n    at n (https://h/none.js:1:1)`,
          )}`,
      ],
    ] as const
    const shotOf = async (hash: string, width: number, scheme: 'light' | 'dark') => {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme: scheme })
      await open('#/rejections')
      await open(hash)
      await page
        .getByText(/^(?:Still l|L)oading…$|^Resolving…$/)
        .first()
        .waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle')
      if (!hash.startsWith('#/release')) await page.locator('[class^=tok-]').first().waitFor()
      expect(await page.locator('.own-error').count(), 'an error of the page itself').toBe(0)
      // What is different each time.
      await page.evaluate(() => {
        for (const element of document.querySelectorAll('time')) element.textContent = ''
      })
      return page.screenshot()
    }
    beforeAll(async () => {
      const { script, map } = buildSample()
      const event = {
        service: 'looks',
        version: '1.0.0',
        minified_url: '/looks.js',
        git_commit_sha: '4f2a91c0b7e6d5a4',
      }
      expect(await upload(event, map, script)).toBe(200)
    })

    it.each([
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'light'],
      [390, 'dark'],
    ] as const)('at %i pixels, %s', async (width, scheme) => {
      for (const [name, addressFor] of SHOWN) {
        const baseline = `${name}-${width}-${scheme}`
        let shot = await shotOf(await addressFor(), width, scheme)
        // Colours and answers may still be on their way.
        const difference = async () => {
          const found = await differenceFromBaseline(browser, baseline, shot)
          shot = await page.screenshot()
          return found
        }
        await expect.poll(difference, { timeout: 15_000, interval: 500, message: baseline }).toBeLessThan(0.03)
      }
    })

    it.skipIf(process.env.SYMUP_SHOTS === 'update')('and another look would be noticed', async () => {
      const shot = await shotOf('#/release?service=looks&version=1.0.0', 1280, 'light')
      expect(await differenceFromBaseline(browser, 'upload-1280-light', shot)).toBeGreaterThan(0.03)
    })
  })

  it('speaks Chinese to who prefers it', async () => {
    const context = await browser.newContext({ locale: 'zh-CN' })
    const other = await context.newPage()
    await other.goto(`${intake.url}/#/stack`)
    await other.getByRole('heading', { name: '还原堆栈' }).waitFor()
    expect(await other.evaluate(() => document.documentElement.lang)).toBe('zh')
    expect(await other.evaluate(() => document.body.textContent)).not.toMatch(/\{\w+\}/)
    await context.close()
  })

  it('is used by the keyboard alone', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await open('#/')
    await page.getByRole('link', { name: 'shop 1.2.3' }).waitFor()
    await page.getByLabel('Search').focus()
    await page.keyboard.type('shop')
    await page.getByRole('link', { name: 'looks 1.0.0' }).waitFor({ state: 'detached' })
    // The list scrolls by keys, so it is a stop of its own; the rows come after it.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /1\.2\.\d/ }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  it('did nothing unasked: no error, dialog or request elsewhere', () => expect(failures).toEqual([]))

  it('says that the intake is gone, and that it is back', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'symup-inspector-gone-'))
    const first = await startIntake({ dataDir: directory })
    const port = Number(new URL(first.url).port)
    expect(await upload({ minified_url: '/a.js' }, MAP, SCRIPT, KEY, first)).toBe(200)
    const other = await browser.newPage()
    await other.goto(first.url)
    await other.getByRole('link', { name: 'shop 1.2.3' }).waitFor()
    await first.close()
    await other.getByRole('alert').getByText('The intake does not answer since').waitFor({ timeout: 10_000 })
    const second = await startIntake({ dataDir: directory, port })
    expect(await upload({ service: 'back', minified_url: '/a.js' }, MAP, SCRIPT, KEY, second)).toBe(200)
    await other.getByRole('link', { name: 'back 1.2.3' }).waitFor({ timeout: 15_000 })
    expect(await other.getByRole('alert').count()).toBe(0)
    await other.close()
    await second.close()
    rmSync(directory, { recursive: true })
  }, 60_000)
})

const STACK = 'RangeError: x\n    at t (https://h/store/app.js:1:30)\n    at n (https://h/none.js:1:1)'

/** Whether an element is within the box that scrolls it. */
function isInView(page: Page, selector: string): Promise<boolean> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const box = element.closest('.code-lines')?.getBoundingClientRect()
      const own = element.getBoundingClientRect()
      return (
        box !== undefined &&
        own.top >= box.top &&
        own.bottom <= box.bottom &&
        own.right > box.left &&
        own.left < box.right
      )
    })
}
