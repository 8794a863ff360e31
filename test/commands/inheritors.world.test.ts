import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Intake, startIntake } from '@symup/intake'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { runIn } from './terminals.ts'

const FIXTURE = join(ROOT, 'fixtures/commands/storybook')

let intake: Intake
beforeAll(async () => {
  await Promise.all([buildPackages(), install(FIXTURE)])
  intake = await startIntake()
}, 300_000)
afterAll(() => intake.close())

it('`storybook build` passes, uploads nothing and says so once, whatever the config lacks', async () => {
  const output = mkdtempSync(join(tmpdir(), 'symup-storybook-'))
  try {
    const { bin } = createRequire(join(FIXTURE, 'package.json'))('storybook/package.json') as { bin: string }
    const command = [process.execPath, join('node_modules/storybook', bin), 'build', '--output-dir', output]
    const env = {
      SYMUP_ENDPOINT: intake.url,
      SYMUP_API_KEY: 'dev-api-key',
      STORYBOOK_DISABLE_TELEMETRY: '1',
      NO_COLOR: '1',
    }
    const ended = await runIn('GitHub Actions', command, FIXTURE, env)
    expect(ended.exitCode, ended.output).toBe(0)
    expect(ended.output.match(/Storybook builds with this config: nothing is uploaded\./g)).toHaveLength(1)
    expect(await intake.uploads()).toEqual([])
    const files = readdirSync(output, { recursive: true, encoding: 'utf8' })
    expect(files).toContain('iframe.html')
    expect(files.filter((file) => /^assets.*\.map$/.test(file))).toEqual([])
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}, 240_000)
