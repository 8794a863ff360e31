import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp, ROOT } from '../../support/build-fixture.ts'
import { positionOf } from '../../support/resolve.ts'
import { serve } from '../../support/serve.ts'
import { describeInspector, KEY, troublesEverywhere } from './support.ts'

const APP = join(ROOT, 'fixtures/rum-app')

describeInspector('live errors from an app with the browser SDK', { rum: true }, (inspected) => {
  let site: Awaited<ReturnType<typeof serve>>
  let outDir: string
  beforeAll(async () => {
    outDir = mkdtempSync(join(APP, 'dist-rum-'))
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: inspected.intake.url }
    const { output } = await buildApp(APP, env, ['--outDir', outDir, '--emptyOutDir'])
    expect(output).toContain('Uploaded')
    site = await serve(outDir, '/tickets/')
  })
  afterAll(async () => {
    await site?.close()
    rmSync(outDir, { recursive: true, force: true })
  })

  it('explains how to begin', async () => {
    const { page, open } = inspected
    await open('#/errors')
    await page.getByText('Waiting for the first error').waitFor()
    expect(await page.locator('.command pre').first().textContent()).toContain(`proxy: '${inspected.intake.url}/rum'`)
    expect(await troublesEverywhere(page, 'errors-empty')).toEqual([])
  })

  it.each([
    ['as text', ''],
    ['compressed', '&compress'],
  ])('shows an error at once, resolved: %s', async (_, flags) => {
    const { page, browser, intake, open } = inspected
    await open('#/errors')
    const app = await browser.newPage()
    await app.goto(`${site.url}?intake=${encodeURIComponent(intake.url)}${flags}`)
    await app.waitForLoadState('networkidle')
    const line = page.locator('.live-errors li', { hasText: 'There is no row 7' })
    const before = Number.parseInt((await line.locator('.count').allTextContents())[0] ?? '0', 10)
    const { line: at, column } = positionOf(join(APP, 'src/booking.ts'), 'RangeError(')
    await app.click('#book')
    // An error appears within 0.1 s once the intake has resolved a stack. Busy machines need longer.
    await line.getByText(`src/booking.ts:${at}:${column}`).waitFor()
    await line.getByText(`${before + 1}×`).waitFor()
    expect(await line.locator('.function').textContent()).toBe('book')
    expect(await line.getByRole('link', { name: 'tickets 2.0.1' }).count()).toBe(1)
    await app.close()
  })

  it('shows errors that only the logs contain, with a link to the whole stack', async () => {
    const { page, browser, intake, open } = inspected
    await open('#/errors')
    const app = await browser.newPage()
    await app.goto(`${site.url}?intake=${encodeURIComponent(intake.url)}`)
    await app.click('#refund')
    // The SDK sends its data when the page closes.
    await app.goto('about:blank')
    const line = page.locator('.live-errors li', { hasText: 'The refund failed' })
    await line.getByText('src/booking.ts').waitFor({ timeout: 10_000 })
    await app.close()
    expect(await troublesEverywhere(page, 'errors')).toEqual([])
    await line.getByRole('link', { name: 'The refund failed' }).click()
    await page.getByText(/frames resolve/).waitFor()
    await page.getByText('The seat was never booked').first().waitFor()
  })

  it('stores and forwards no error', async () => {
    const { intake, open, page } = inspected
    await open('#/requests')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    expect(await page.getByText('/rum').count()).toBe(0)
    // The intake contains only the uploads from the build.
    expect((await intake.uploads()).every(({ event }) => event.type === 'js_sourcemap')).toBe(true)
  })
})
