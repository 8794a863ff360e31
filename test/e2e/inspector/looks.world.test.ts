import type { Intake } from '@symup/intake'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSample } from './samples.ts'
import { differenceFromBaseline } from './shots.ts'
import {
  addressOfUpload,
  describeInspector,
  type Inspected,
  MAP,
  SCRIPT,
  troublesEverywhere,
  troublesOf,
  upload,
} from './support.ts'

// Types for code that runs in the browser. This project has no DOM types.
declare const document: {
  querySelectorAll(selector: string): Iterable<{ textContent: string }>
  documentElement: { lang: string }
  body: { textContent: string }
}

const STACK = 'RangeError: x\n    at t (https://h/store/app.js:1:30)\n    at n (https://h/none.js:1:1)'

describeInspector('appearance', {}, (inspected) => {
  let intake: Intake
  let browser: Browser
  let page: Page
  let open: Inspected['open']
  beforeAll(async () => {
    ;({ intake, browser, page, open } = inspected)
    expect(await upload(intake, { minified_url: '/js/plain.js' })).toBe(200)
    expect(await upload(intake, { version: '1.2.4', minified_url: '/js/plain.js' }, { script: `${SCRIPT};1` })).toBe(
      200,
    )
    const { script, map } = buildSample(400)
    expect(await upload(intake, { minified_url: '/js/far.js' }, { map, script })).toBe(200)
    expect(await upload(intake, { service: 'store', minified_url: '/store/app.js' }, { map, script })).toBe(200)
    expect(await upload(intake, { minified_url: '' })).toBe(400)
  })

  it.each([
    ['releases', '#/releases?service=shop'],
    ['release', '#/release?service=shop&version=1.2.3'],
    ['compare', '#/compare?service=shop&from=1.2.3&to=1.2.4'],
    ['upload', () => addressOfUpload(intake, 'far.js')],
    ['stack', `#/stack?service=store&version=1.2.3&type=browser&stack=${encodeURIComponent(STACK)}`],
    ['rejections', '#/rejections'],
    ['requests', '#/requests'],
    ['operations', '#/operations'],
  ] as const)(
    '%s: is accessible and fits the screen',
    async (name, hash) => {
      await open('#/')
      await open(typeof hash === 'string' ? hash : await hash())
      await page.waitForLoadState('networkidle')
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect(await troublesEverywhere(page, name)).toEqual([])
    },
    60_000,
  )

  it('fits with long names that cannot be broken', async () => {
    const [version, name] = [`feature-${'checkout'.repeat(12)}`, 'chunk'.repeat(40)]
    const map = { ...MAP, sources: [`src/${name}.ts`, 'src/other.ts'] }
    const minified_url = `/${name}.js`
    for (const it of [version, `${version}-2`])
      expect(await upload(intake, { service: 'long', version: it, minified_url }, { map })).toBe(200)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const hash of [`#/release?service=long&version=${version}`, await addressOfUpload(intake, name)]) {
      await open('#/')
      await open(hash)
      await page.waitForLoadState('networkidle')
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      expect(await troublesOf(page), hash).toEqual([])
    }
  })

  describe('screenshots of the inspector', () => {
    const SHOWN = [
      ['release', async () => '#/release?service=looks&version=1.0.0'],
      ['upload', () => addressOfUpload(intake, 'looks.js')],
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
        .getByText(/^(?:Still l|L)oading…$|^(?:Resolv|Try)ing…$/)
        .first()
        .waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle')
      if (!hash.startsWith('#/release')) await page.locator('[class^=tok-]').first().waitFor()
      expect(await page.locator('.own-error').count(), 'an error of the page itself').toBe(0)
      // Hides content that differs each time.
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
      expect(await upload(intake, event, { map, script })).toBe(200)
    })

    it.each([
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'light'],
      [390, 'dark'],
    ] as const)('matches the baselines at %i pixels, %s', async (width, scheme) => {
      for (const [name, addressFor] of SHOWN) {
        const baseline = `${name}-${width}-${scheme}`
        let shot = await shotOf(await addressFor(), width, scheme)
        // Colours and responses may still be loading.
        const difference = async () => {
          const found = await differenceFromBaseline(browser, baseline, shot)
          shot = await page.screenshot()
          return found
        }
        await expect.poll(difference, { timeout: 15_000, interval: 500, message: baseline }).toBeLessThan(0.03)
      }
    })

    it.skipIf(process.env.SYMUP_SHOTS === 'update')('differs from the baselines if another page is shown', async () => {
      const shot = await shotOf('#/release?service=looks&version=1.0.0', 1280, 'light')
      expect(await differenceFromBaseline(browser, 'upload-1280-light', shot)).toBeGreaterThan(0.03)
    })
  })

  it('shows Chinese to users who prefer it', async () => {
    const context = await browser.newContext({ locale: 'zh-CN' })
    const other = await context.newPage()
    await other.goto(`${intake.url}/#/stack`)
    await other.getByRole('heading', { name: '还原堆栈' }).waitFor()
    expect(await other.evaluate(() => document.documentElement.lang)).toBe('zh')
    expect(await other.evaluate(() => document.body.textContent)).not.toMatch(/\{\w+\}/)
    // Except for uploaded content, paths, codes and product names, no two Latin words are adjacent.
    for (const hash of ['#/releases', '#/release?service=shop&version=1.2.3', '#/rejections', '#/requests']) {
      await other.goto(`${intake.url}/${hash}`)
      await other.waitForLoadState('networkidle')
      const text = (await other.locator('main').allInnerTexts()).join('\n')
      expect(text.match(/[a-z]{3,} (?:[a-z]{2,} )+[a-z]{2,}[.:]?/gi) ?? [], hash).toEqual([])
    }
    await context.close()
  })
})
