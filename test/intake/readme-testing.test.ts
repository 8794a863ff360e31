import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type IntakeMatchers, intakeFixture, intakeMatchers, type TestIntake } from '@symup/intake/testing'
import symup from '@symup/unplugin/vite'
import { build } from 'vite'
import { test as base, expect } from 'vitest'

declare module 'vitest' {
  interface Matchers<T> extends IntakeMatchers<T> {}
}
expect.extend(intakeMatchers)
const test = base.extend<{ intake: TestIntake }>({ intake: intakeFixture() })

test("my build's upload", async ({ intake }) => {
  const release = { service: 'shop', version: '1.2.3' }
  const upload = { ...release, endpoint: intake.url, apiKey: 'dev-api-key', minifiedPathPrefix: '/' }
  const app = { root: 'fixtures/vite-app', configFile: false as const, logLevel: 'silent' as const }
  await build({ ...app, build: { outDir: await mkdtemp(join(tmpdir(), 'shop-')) }, plugins: [symup(upload)] })

  await expect(intake).toHaveUploaded({ type: 'js_sourcemap', ...release })
  const { parts } = await intake.waitForUpload(release, { timeout: 10_000 })
  expect(parts.map(({ name }) => name)).toContain('source_map')
})

test('my automation client', async ({ intake }) => {
  const rule = { name: 'Nightly', prompt: 'What broke tonight?', cron_expr: '0 9 * * 1-5', enabled: true }
  const { data } = await intake.call('/safari/automation/rule/create', { ...rule, http_post_trigger_enabled: true })
  const headers = { authorization: `Bearer ${data.http_post_token}` }
  const fired = await intake.call(data.http_post_trigger_url, { text: 'deployed' }, { key: '', headers })

  expect(fired.data).toMatchObject({ type: 'routine_fire' })
  intake.setTime(new Date('2030-01-04T12:00:00Z'))
  await intake.advance(4 * 24 * 3_600_000)
  expect((await intake.runs()).map((run) => run.trigger_kind)).toContain('schedule')
  expect((await intake.audit()).at(-1)).toMatchObject({ operation: 'automation-rule:write:create' })
})

test('failures', async ({ intake }) => {
  intake.fault('429;route=/channel/list;retry-after=1;times=1')
  const url = `${intake.url}/channel/list?app_key=dev-app-key`
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }

  expect((await fetch(url, request)).headers.get('retry-after')).toBe('1')
  expect((await fetch(url, request)).status).toBe(200)
})
