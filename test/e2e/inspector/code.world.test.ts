import { join } from 'node:path'
import type { Intake } from '@symup/intake'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { buildSample } from './samples.ts'
import { addressOfUpload, describeInspector, type Inspected, SHOTS, upload } from './support.ts'

describeInspector('code', {}, (inspected) => {
  let intake: Intake
  let page: Page
  let open: Inspected['open']
  beforeAll(async () => {
    ;({ intake, page, open } = inspected)
  })

  it('maps code exactly in both directions, also far down and from an indentation', async () => {
    const { script, map, at } = buildSample(400)
    expect(await upload(intake, { minified_url: '/js/far.js' }, { map, script })).toBe(200)
    await open(await addressOfUpload(intake, 'far.js'))
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
    // The indentation before `throw` has no mapping of its own.
    await page.locator('.generated button').first().click()
    await page.getByLabel(/^Filter \d+ sources$/).fill('src/total.ts')
    await page.locator('.pane .code-lines').evaluate((element) => element.scrollTo(0, 400 * 20))
    await page.locator('.pane .code-line[data-line="408"] code').click({ position: { x: 2, y: 10 } })
    await expect.poll(() => page.locator('.generated .at').textContent()).toMatch(/^throw/)
    // Every line in the source leads to a position in the script.
    for (const line of [405, 406, 407, 409, 411, 412, 413]) {
      await page.locator(`.pane .code-line[data-line="${line}"] code`).click({ position: { x: 1, y: 10 } })
      await page.waitForLoadState('networkidle')
      expect(await page.locator('.generated .at').count(), `line ${line}`).toBe(1)
    }
    await page.screenshot({ path: join(SHOTS, 'inspector-map.png') })
  })
})

/** Whether an element is visible in the box that scrolls it. */
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
