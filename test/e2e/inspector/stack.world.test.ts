import type { Intake } from '@symup/intake'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { upload as uploadTo } from '../../../packages/intake/src/test-support/client.fixture.ts'
import { buildSample } from './samples.ts'
import { describeInspector, type Inspected, MAP, upload } from './support.ts'

// Types for code that runs in the browser. This project has no DOM types.
declare const navigator: { clipboard: { readText(): Promise<string> } }

describeInspector('stack page', {}, (inspected) => {
  let intake: Intake
  let browser: Browser
  let page: Page
  let open: Inspected['open']
  beforeAll(async () => {
    ;({ intake, browser, page, open } = inspected)
    expect(await upload(intake, { minified_url: '/js/plain.js' })).toBe(200)
  })

  const paste = async (text: string) => {
    await open('#/releases')
    await open('#/stack')
    await page.getByLabel('Stack trace or error event').fill(text)
  }
  const resolve = () => page.getByRole('button', { name: /^Resolve/ }).click()

  it('resolves a pasted stack, explains each problem once, and has a URL that can be shared', async () => {
    const { script, map, at } = buildSample()
    const commit = { git_repository_url: 'git@github.com:example/shop.git', git_commit_sha: '4f2a91c0b7e6d5a4' }
    expect(await upload(intake, { service: 'store', minified_url: '/store/app.js', ...commit }, { map, script })).toBe(
      200,
    )
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
    await page.getByRole('heading', { level: 1, name: 'RangeError: The cart is empty' }).waitFor()
    expect(await page.getByLabel('Stack trace or error event').count()).toBe(0)
    // The page folds the library's frame and marks the unresolved frames.
    expect(await page.locator('.frames > .folded').count()).toBe(1)
    expect(await page.locator('.frames > .unresolved').count()).toBe(3)
    const first = page.locator('.frames > .frame').first()
    expect(await first.locator('.code-line.at').textContent()).toContain('throw new RangeError')
    expect(await first.locator('.caret').count()).toBe(1)
    expect(await first.locator('a.place').getAttribute('href')).toBe(
      'https://github.com/example/shop/blob/4f2a91c0b7e6d5a4/src/total.ts#L8',
    )
    // The checklist has one entry for both frames with the same cause.
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

  it('says what to set in the build whose maps are gone', async () => {
    const origin = 'symup-vite'
    const fix = 'Change the minifiedPathPrefix option so that it starts with / instead of /deep/, and rebuild.'
    const { script, map, at } = buildSample()
    expect(await upload(intake, { service: origin, minified_url: '/deep/base.js' }, { map, script, origin })).toBe(200)
    const stack = encodeURIComponent(`Error: x\n    at f (https://h/base.js:${at('throw')})`)
    await open(`#/stack?service=${origin}&version=1.2.3&type=browser&stack=${stack}`)
    const cause = page.locator('.checklist li', { hasText: 'prefix-mismatch' })
    await cause.getByText(fix).waitFor()
    expect(await cause.locator('pre').textContent()).toContain('npm run build')
  })

  it('accepts a Chrome console log, which shows only names', async () => {
    const { at } = buildSample()
    await paste(`app.js:1 Uncaught RangeError: The cart is empty\n    at n (app.js:${at('throw')})`)
    await page.getByText('Detected: Web console export.').waitFor()
    await expect.poll(() => page.getByLabel('Service').inputValue()).toBe('store')
    await resolve()
    await page.getByText('1 of 1 frames resolve.').waitFor()
  })

  it('recognizes Android, and asks for missing values in plain words', async () => {
    await paste('')
    await resolve()
    await page.getByRole('alert').getByText('Paste a stack first.').waitFor()
    await paste('java.lang.RuntimeException: x\n\tat zz.zz.zz(SourceFile:1)')
    await page.getByText('Detected: Android stack.').waitFor()
    expect(await page.getByLabel('Platform').inputValue()).toBe('android')
    await resolve()
    await page.getByRole('alert').getByText('Enter the service that reported the stack.').waitFor()
    await paste('nothing that is a stack')
    await page.getByLabel('Service').fill('shop')
    await page.getByLabel('Version').fill('1.2.3')
    await resolve()
    await page.getByRole('alert').getByText('No stack frame was found in this text.').waitFor()
  })

  it('names the command for native libraries if they are missing', async () => {
    await paste('#00 pc 00000000000043b0 /data/app/x==/com.shop-1/lib/arm64/libshop.so (BuildId: 0123456789)')
    await page.getByText('Detected: Android stack.').waitFor()
    await page.getByLabel('Service').fill('shop')
    await page.getByLabel('Version').fill('1.2.3')
    await resolve()
    const command = page.locator('.checklist li pre').first()
    await expect.poll(() => command.textContent()).toMatch(/^SYMUP_API_KEY=dev-api-key npx symup android upload-ndk /)
  })

  it('accepts an event in JSON', async () => {
    const event = { service: 'shop', version: '1.2.3', error: { stack: 'at t (https://h/js/plain.js:1:10)' } }
    await paste(JSON.stringify(event))
    await resolve()
    await page.getByText('1 of 1 frames resolve.').waitFor()
  })

  it('shows calls that the compiler inlined, and the alternatives for a frame', async () => {
    const lines = [
      'com.example.Shop -> a.a:',
      '    1:1:void com.example.Cart.check():10:10 -> a',
      '    1:1:void open():20 -> a',
      '    void first() -> b',
      '    void second() -> b',
    ]
    const event = { type: 'jvm_mapping_file', service: 'app', version: '1', variant: 'release' }
    const sent = await uploadTo(intake.url, event, { jvm_mapping_file: `${lines.join('\n')}\n` })
    expect(sent.status).toBe(200)
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

  it('shows hostile names as text', async () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>'
    const map = {
      ...MAP,
      sources: [`src/${evil}.ts`, 'javascript:alert(3)'],
      sourcesContent: [`${evil}\n`.repeat(3), evil],
    }
    expect(
      await upload(
        intake,
        { service: evil, version: `"><svg onload=alert(4)>`, minified_url: `/js/${evil}.js` },
        { map },
      ),
    ).toBe(200)
    await open(`#/releases?query=${encodeURIComponent('onerror')}`)
    await page.locator('.row .title').first().click()
    await page.getByRole('region', { name: 'Files' }).getByRole('link').first().click()
    await page.getByText('Breakdown of').waitFor()
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

  it('shows characters that change the text direction as escapes, without moving a column in code', async () => {
    const name = 'a\u202egpj.ts'
    const map = { ...MAP, sources: [`src/${name}`], sourcesContent: ['f(/* \u202e */ x)\n'], mappings: 'AAAA,CAAU' }
    expect(await upload(intake, { service: 'turned\u202e', minified_url: '/turned.js' }, { map })).toBe(200)
    await open('#/releases?query=turned')
    await page.locator('.row .title').getByText('turned\\u202e').waitFor()
    await open('#/stack')
    const stack = 'Error\n    at a\u202e (https://h/turned.js:1:2)'
    await page.getByLabel('Stack trace or error event').fill(stack)
    await page.getByLabel('Service').fill('turned\u202e')
    await page.getByLabel('Version').fill('1.2.3')
    await resolve()
    await page.getByText('1 of 1 frames resolve.').waitFor()
    expect(await page.locator('.frame .place').textContent()).toBe('src/a\\u202egpj.ts:1:11')
    expect(await page.locator('.frame .raw').textContent()).toBe('at a\\u202e (https://h/turned.js:1:2)')
    expect(await page.locator('.code-line.at code').textContent()).toBe('f(/* \ufffd */ x)')
    await page.getByRole('button', { name: 'Change the stack' }).click()
    expect(await page.getByLabel('Stack trace or error event').inputValue()).toBe(stack)
  })
})
