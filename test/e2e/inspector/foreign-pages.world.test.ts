import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Intake, startIntake } from '@symup/intake'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postRoutesOf } from '../../../packages/intake/src/test-support/post-routes.fixture.ts'
import { useChromium } from '../../support/chromium.ts'
import { serve } from '../../support/serve.ts'
import type { Site } from '../../support/server.ts'
import { needsChromium } from '../../support/tool.ts'

const withPage = useChromium()
const directory = mkdtempSync(join(tmpdir(), 'symup-foreign-page-'))
let intake: Intake
let site: Site
beforeAll(async () => {
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Another site</title><form method="post"></form>')
  intake = await startIntake()
  site = await serve(directory, '/')
})
afterAll(async () => {
  await site.close()
  await intake.close()
  rmSync(directory, { recursive: true })
})

const chromium = needsChromium()
it.runIf(chromium.isThere)(`refuses requests from another site's page on every route${chromium.reason}`, async () => {
  const routes = postRoutesOf(intake)
  const statuses = await withPage(site.url, async (page) => {
    const seen = new Map<string, number>()
    page.on('response', (response) => {
      if (response.url().startsWith(intake.url)) seen.set(new URL(response.url()).pathname, response.status())
    })
    for (const body of [undefined, '{}']) {
      const urls = routes.map((path) => `${intake.url}${path}?app_key=dev-app-key`)
      await page.evaluate(
        async ({ urls, body }) => {
          for (const url of urls) await fetch(url, { method: 'POST', mode: 'no-cors', ...(body && { body }) })
        },
        { urls, body },
      )
    }
    // A form navigates, so the response replaces the page.
    const action = `${intake.url}/__test/reset?app_key=dev-app-key`
    await page.evaluate(`Object.assign(document.forms[0], { action: ${JSON.stringify(action)} }).submit()`)
    await page.waitForURL('**/__test/reset**')
    return seen
  })
  expect(statuses.size).toBe(routes.length)
  expect([...new Set(statuses.values())]).toEqual([403])
})
