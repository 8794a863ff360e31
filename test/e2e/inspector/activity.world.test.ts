import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Intake } from '@symup/intake'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { buildInspector } from '../../support/build-inspector.ts'
import { symup } from '../../support/command.ts'
import { APP_KEY, describeInspector, type Inspected, KEY, troublesEverywhere, upload } from './support.ts'

// Types for code that runs in the browser. This project has no DOM types.
declare const navigator: { clipboard: { readText(): Promise<string>; writeText(text: string): void } }

describeInspector('activity', {}, (inspected) => {
  let intake: Intake
  let dataDir: string
  let page: Page
  let failures: string[]
  let open: Inspected['open']
  beforeAll(async () => {
    ;({ intake, dataDir, page, failures, open } = inspected)
    expect(await upload(intake, { minified_url: '/js/plain.js' })).toBe(200)
  })

  it('shows refused uploads with reason, fix and parts, but without the key', async () => {
    await open('#/rejections')
    expect(await upload(intake, { minified_url: '' })).toBe(400)
    expect(await upload(intake, { minified_url: '/x.js' }, { key: 'a-secret-but-wrong-key' })).toBe(401)
    await page.getByText('Unauthorized').first().waitFor()
    await page.getByText('event.minified_url').waitFor()
    const refused = page.locator('.records > li', { hasText: 'event.minified_url' }).first()
    expect(await refused.locator('.head').textContent()).toContain('shop 1.2.3 a.js.map')
    expect(await refused.textContent()).not.toContain('`')
    expect(await page.getByText('No service (found by id)').count()).toBe(0)
    await refused.locator('summary').click()
    await refused.getByText('part source_map').waitFor()
    expect(await page.content()).not.toContain('a-secret-but-wrong-key')
  })

  it('shows called operations as curl commands, and can show only those that failed', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: intake.url })
    await open('#/requests')
    // The tab for operations appears when a client calls an operation.
    const operations = page.getByRole('link', { name: 'Operations' })
    expect(await operations.count()).toBe(0)
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${intake.url}/channel/list?app_key=dev-app-key`, { method: 'POST', headers, body: '{"p":1}' })
    await page.getByText('/channel/list').first().waitFor()
    await operations.waitFor()
    await page.getByRole('button', { name: 'curl /channel/list' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'POST /channel/list' }).click()
    await page.getByRole('row', { name: 'Production Alerts' }).waitFor()
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toContain(`curl -X POST ${intake.url}/channel/list"?app_key=dev-app-key"`)
    expect(curl).toContain(`-d '{"p":1}'`)
    await fetch(`${intake.url}/audit/search?app_key=dev-app-key`, { method: 'POST', headers, body: '{}' })
    await page.getByLabel('Failed only').check()
    await page.getByText('/audit/search').first().waitFor()
    expect(await page.getByText('/channel/list').count()).toBe(0)
    await page.getByLabel('Failed only').uncheck()
  })

  it('does not count a check by symup doctor as a refusal', async () => {
    const before = await fetch(`${intake.url}/inspector/api/rejections`).then((response) => response.text())
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
    const { stdout } = await symup(['doctor', '--service', 's', '--release-version', '1'], { cwd: dataDir, env })
    expect(stdout).toContain('accepted')
    const after = await fetch(`${intake.url}/inspector/api/rejections`).then((response) => response.text())
    expect(JSON.parse(after).data).toEqual(JSON.parse(before).data)
    await open('#/requests')
    await page.getByText('key check').first().waitFor()
  })

  it('shows which client sent a request', async () => {
    expect(await upload(intake, { minified_url: '/js/sent.js' }, { origin: 'symup-vite' })).toBe(200)
    await open('#/requests')
    await page.getByRole('cell', { name: 'symup-vite' }).first().waitFor()
  })

  it('switches faults on and off with a key', async () => {
    await open('#/requests')
    await page.getByLabel('Fault', { exact: true }).fill('429;retry-after=7')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('alert').getByText('You are unauthorized.').waitFor()
    await page.getByLabel('App key').fill('dev-app-key')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Fault injection is active: 429;retry-after=7').waitFor()
    expect(await upload(intake, { minified_url: '/js/fault.js' })).toBe(429)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('No faults are active.').waitFor()
    expect(await upload(intake, { minified_url: '/js/fault.js' })).toBe(200)
  })

  it('shows the objects that operations use, and changes them with a key', async () => {
    await open('#/operations')
    await page.getByLabel('App key').fill('')
    await page.getByRole('button', { name: 'Run due schedules' }).click()
    await page.getByRole('alert').getByText('Enter an app key first.').waitFor()
    await page.getByLabel('App key').fill(APP_KEY)
    const table = (name: string) => page.getByRole('region', { name, exact: true })
    await table('Schedules').getByText('Platform, week by week').waitFor()
    await page.getByLabel('Title').fill('Checkout is down')
    await page.getByRole('button', { name: 'Report an incident' }).click()
    await table('Incidents').getByText('Checkout is down').waitFor()
    await page.getByRole('button', { name: "Run Bob's morning" }).click()
    await page.getByRole('alert').getByText('Access Denied').waitFor()
    await page.getByRole('button', { name: 'Run Weekly on-call review' }).click()
    await table('Runs').getByText('Manual').waitFor()
    // The rule runs on Mondays, so it runs once in a week.
    for (let day = 0; day < 7; day++) {
      const clock = await page.getByLabel('Clock').getByRole('status').textContent()
      await page.getByRole('button', { name: '+1 day' }).click()
      await expect.poll(() => page.getByLabel('Clock').getByRole('status').textContent()).not.toBe(clock)
    }
    await table('Runs').getByText('Schedule').waitFor()
    await page.getByText('The clock is stopped.').waitFor()
    expect(await troublesEverywhere(page, 'operations')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Reset…' }).click()
    await page.getByRole('button', { name: 'Delete all uploads, runs and incidents' }).click()
    await page.getByText('No runs yet.').waitFor()
    await page.getByText('real time', { exact: true }).waitFor()
    expect(await intake.uploads()).toEqual([])
    expect(await page.content()).not.toContain(APP_KEY)
  })

  it('resolves errors in the inspector page itself', async () => {
    // Builds the inspector page and uploads its maps, because the intake has none for the page that it serves.
    const built = mkdtempSync(join(tmpdir(), 'symup-inspector-own-'))
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
    expect(await buildInspector(env, built)).toContain('Uploaded 3 artifacts')
    await page.route(`${intake.url}/inspector/assets/*`, (route) => {
      const file = new URL(route.request().url()).pathname.slice('/inspector/'.length)
      const contentType = extname(file) === '.css' ? 'text/css' : 'text/javascript'
      return route.fulfill({ body: readFileSync(join(built, file)), contentType })
    })
    await page.route(`${intake.url}/`, (route) =>
      route.fulfill({ body: readFileSync(join(built, 'index.html')), contentType: 'text/html' }),
    )
    await page.goto('about:blank')
    // If the clipboard fails, the error comes from the page's own code.
    await open('#/requests')
    await page.getByRole('button', { name: 'curl /channel/list' }).waitFor()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => {
        throw new Error('the clipboard is gone')
      }
    })
    await page.getByRole('button', { name: /^curl/ }).first().click()
    await page.getByText('An error occurred on this page: the clipboard is gone').waitFor()
    expect(failures.splice(0)).toEqual(['the clipboard is gone'])
    await page.getByRole('link', { name: 'Show the location' }).click()
    await page.getByText('src/copy-button.tsx').first().waitFor()
    rmSync(built, { recursive: true })
  })
})
