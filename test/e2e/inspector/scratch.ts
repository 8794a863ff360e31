import { openInspector, KEY, upload, troublesEverywhere, addressOfUpload } from './support.ts'
import { buildApp, ROOT } from '../../support/build-fixture.ts'
import { buildInspector } from '../../support/build-inspector.ts'
import { serve } from '../../support/serve.ts'
import { join } from 'node:path'
const APP = join(ROOT, 'fixtures/rum-app')
await buildInspector()
const i = await openInspector({ rum: true })
try {
  const out = '/tmp/inspector/rum-dist'
  const { output } = await buildApp(APP, { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: i.intake.url }, ['--outDir', out, '--emptyOutDir'])
  console.log(output)
  const site = await serve(out, '/tickets/')
  const app = await i.browser.newPage()
  app.on('request', (r) => console.log(r.method(), r.url().slice(0, 200), r.postData()?.length))
  app.on('console', (m) => console.log('console', m.text()))
  app.on('response', (r) => console.log(r.status(), r.url().slice(0, 80)))
  await i.open('#/errors')
  for (const flags of ['', '&compress']) {
    await app.goto(`${site.url}?intake=${encodeURIComponent(i.intake.url)}${flags}`)
    await app.waitForTimeout(1000)
    await app.click('#book'); console.log('clicked')
    await app.waitForTimeout(2500)
    console.log(await i.page.locator('main').innerText())
  }
  await app.click('#refund')
  await app.goto('about:blank')
  await i.page.waitForTimeout(1500)
  console.log(await i.page.locator('main').innerText())
  console.log(await troublesEverywhere(i.page, 'errors'))
  await site.close()
} finally { await i.close() }
