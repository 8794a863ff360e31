import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Intake, openStore, startIntake } from '@symup/intake'
import type { Browser, Page, Request } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { ROOT } from '../../support/build-fixture.ts'
import { symup } from '../../support/command.ts'
import { buildSample } from './samples.ts'
import { describeInspector, type Inspected, KEY, SCRIPT, troublesEverywhere, upload } from './support.ts'

// Types for code that runs in the browser. This project has no DOM types.
declare const document: { activeElement: { id: string } | null }
declare const requestAnimationFrame: (done: (value: unknown) => void) => void

describeInspector('releases', {}, (inspected) => {
  let intake: Intake
  let dataDir: string
  let browser: Browser
  let page: Page
  let open: Inspected['open']
  beforeAll(async () => {
    ;({ intake, dataDir, browser, page, open } = inspected)
    expect(await upload(intake, { minified_url: '/js/plain.js' })).toBe(200)
  })

  it('shows in an empty intake what to copy, and shows the first upload automatically', async () => {
    const fresh = await startIntake()
    const other = await browser.newPage()
    try {
      await other.goto(fresh.url)
      await other.getByText('Waiting for the first upload').waitFor()
      const commands = await other.locator('.command pre').allTextContents()
      expect(commands).toHaveLength(3)
      for (const command of commands) expect(command).toContain(fresh.url)
      expect(commands[0]).toMatch(/SYMUP_ENDPOINT.*SYMUP_API_KEY=dev-api-key/s)
      expect(await upload(fresh, { minified_url: '/first.js' })).toBe(200)
      await other.getByRole('link', { name: 'shop 1.2.3' }).waitFor({ timeout: 5000 })
    } finally {
      await other.close()
      await fresh.close()
    }
  })

  it('lists releases as they arrive, searches, and keeps the filter in the URL', async () => {
    await open('#/releases')
    await page.getByRole('link', { name: 'shop 1.2.3' }).waitFor()
    expect(await upload(intake, { service: 'live', version: '7', minified_url: '/js/live.js' })).toBe(200)
    await page.getByRole('link', { name: 'live 7' }).waitFor({ timeout: 5000 })
    await page.getByLabel('Search').fill('live.js')
    await page.getByText('1 release', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'shop 1.2.3' }).count()).toBe(0)
    const shared = await browser.newPage()
    await shared.goto(page.url())
    await shared.getByText('1 release', { exact: true }).waitFor()
    await shared.close()
  })

  it('shows the chosen service, however many there are', async () => {
    const fresh = await startIntake()
    const other = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    try {
      for (let nth = 0; nth < 40; nth++) await upload(fresh, { service: `s-${nth}`, minified_url: '/a.js' })
      await other.goto(`${fresh.url}/#/releases?service=s-0`)
      const list = other.getByRole('navigation', { name: 'Services' }).getByRole('list')
      const chosen = list.locator('[aria-current]')
      expect(await chosen.textContent()).toContain('s-0')
      const bottomOf = async (it: typeof list) => {
        const { y = 0, height = 0 } = (await it.boundingBox()) ?? {}
        return y + height
      }
      await expect.poll(async () => (await bottomOf(chosen)) <= (await bottomOf(list))).toBe(true)
    } finally {
      await other.close()
      await fresh.close()
    }
  })

  it('drops the late response to an older search', async () => {
    await open('#/releases')
    await page.getByText('releases', { exact: false }).first().waitFor()
    const isOld = (request: Request) => new URL(request.url()).searchParams.get('query') === 's'
    let answerOld = () => {}
    const held = new Promise<void>((done) => {
      answerOld = done
    })
    await page.route('**/inspector/api/releases?*query=s*', async (route) => {
      if (isOld(route.request())) await held
      await route.continue().catch(() => undefined)
    })
    // The page may also have cancelled the older request.
    const over = Promise.race([page.waitForEvent('requestfinished', isOld), page.waitForEvent('requestfailed', isOld)])
    const asked = page.waitForRequest(isOld)
    await page.getByLabel('Search').fill('s')
    await asked
    await page.getByLabel('Search').fill('shop')
    await page.getByText('1 release', { exact: true }).waitFor()
    answerOld()
    await over
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await page.getByText('1 release', { exact: true }).count()).toBe(1)
    await page.unroute('**/inspector/api/releases?*query=s*')
  })

  it('compares two releases in a service', async () => {
    await upload(intake, { version: '1.2.4', minified_url: '/js/plain.js' }, { script: `${SCRIPT};1` })
    await upload(intake, { version: '1.2.4', minified_url: '/js/new-DkJ3bs9a.js' })
    await open('#/release?service=shop&version=1.2.4')
    await page.getByLabel('Compare with').selectOption('1.2.3')
    await page.getByText('/js/new-*.js').waitFor()
    expect(await page.locator('tbody .tag').allTextContents()).toContain('Added')
    expect(await page.locator('tbody .tag').allTextContents()).toContain('Changed')
  })

  it('shows refused uploads among the files of their release, and the check results for the others', async () => {
    const { script, map } = buildSample()
    const event = { service: 'tried', version: '1' }
    expect(await upload(intake, { ...event, minified_url: '/good.js' }, { script, map })).toBe(200)
    const changed = `/* added after the build */\n${script}`
    expect(await upload(intake, { ...event, minified_url: '/stale.js' }, { script: changed, map })).toBe(200)
    const blank = { version: 3, sources: [], names: [], mappings: '' }
    const little = { script: 'export{};', map: blank }
    expect(await upload(intake, { ...event, minified_url: '/little.js' }, little)).toBe(200)
    expect(await upload(intake, { ...event, version: '2', minified_url: '/little.js' }, little)).toBe(200)
    expect(await upload(intake, { ...event, minified_url: '/bad.js' }, { map: '{}' })).toBe(400)
    await open('#/release?service=tried&version=1')
    const row = (name: string) => page.getByRole('region', { name: 'Files' }).locator('li', { hasText: name })
    await row('/good.js').getByText('resolves', { exact: true }).waitFor()
    await row('/stale.js').getByText('may not resolve').waitFor()
    await page.locator('.checklist li', { hasText: '/stale.js' }).getByText(/^map-/).waitFor()
    await row('/bad.js').getByText('Refused').waitFor()
    await row('/little.js').getByText('too little code to check').waitFor()
    await page.getByText('3 files, 1 refused').waitFor()
    expect(await troublesEverywhere(page, 'release-refused')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await row('/bad.js').getByRole('link').click()
    await page.locator('.records [aria-current]').getByText('part source_map').waitFor()
    await open('#/release?service=tried&version=2')
    await page.locator('dd .tag').getByText('too little code to check').waitFor()
    expect(await page.getByText('0 of 0').count()).toBe(0)
    // The list shows the check result of each release that has one.
    await open('#/releases?service=tried')
    const badges = page.getByRole('region', { name: 'Releases' }).locator('li', { hasText: 'tried' })
    await badges.getByText('1 script does not resolve').waitFor()
    expect(await badges.getByText('all positions resolve').count()).toBe(0)
    // A release whose uploads were all refused.
    expect(await upload(intake, { service: 'none', version: '1', minified_url: '/bad.js' }, { map: '{}' })).toBe(400)
    await open('#/releases')
    await page.getByRole('region', { name: 'Releases' }).getByRole('link', { name: 'none 1' }).click()
    await row('/bad.js').getByText('Refused').waitFor()
  })

  it('names an iOS upload, which has no path', async () => {
    const directory = join(ROOT, 'fixtures/symbols/apple/shop-arm64.dylib.dSYM')
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
    expect((await symup(['ios', 'upload', directory], { cwd: dataDir, env })).exitCode).toBe(0)
    await open('#/release?service=&version=')
    const files = page.getByRole('region', { name: 'Files' })
    await files
      .getByRole('link', { name: /dylib|dSYM/ })
      .first()
      .waitFor()
    expect(await files.getByRole('link', { name: /^$/ }).count()).toBe(0)
  })

  it('lists 10,000 releases without keeping all of them in the page', async () => {
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
    // Frames are slow with many rows, so there must be few, at any scroll position of the list.
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

  it('supports the keyboard alone', async () => {
    await open('#/releases')
    await page.getByRole('link', { name: 'shop 1.2.3' }).waitFor()
    await page.getByLabel('Search').focus()
    await page.keyboard.type('plain')
    await page.getByRole('link', { name: 'live 7' }).waitFor({ state: 'detached' })
    // Keys scroll the list, so the list itself is a tab stop. The rows follow.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /1\.2\.\d/ }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  it('reports that the intake is unreachable, and that it is back', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'symup-inspector-gone-'))
    const first = await startIntake({ dataDir: directory })
    const port = Number(new URL(first.url).port)
    expect(await upload(first, { minified_url: '/a.js' })).toBe(200)
    const other = await browser.newPage()
    await other.goto(first.url)
    await other.getByRole('link', { name: 'shop 1.2.3' }).waitFor()
    await first.close()
    await other.getByRole('alert').getByText('No response from the intake since').waitFor({ timeout: 10_000 })
    const second = await startIntake({ dataDir: directory, port })
    expect(await upload(second, { service: 'back', minified_url: '/a.js' })).toBe(200)
    await other.getByRole('link', { name: 'back 1.2.3' }).waitFor({ timeout: 15_000 })
    expect(await other.getByRole('alert').count()).toBe(0)
    await other.close()
    await second.close()
    rmSync(directory, { recursive: true })
  }, 60_000)
})
