import { readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { useDirectory } from '../support/directory.ts'
import { install } from '../support/install.ts'
import { useIntake } from '../support/intake.ts'
import { needsChromium } from '../support/tool.ts'
import { runIn } from './terminals.ts'

const directory = useDirectory('each')

const STORYBOOK = join(ROOT, 'fixtures/commands/storybook')
const OTHERS = join(ROOT, 'fixtures/commands/inheritors')

const intake = useIntake()
beforeAll(() => Promise.all([buildPackages(), install(STORYBOOK), install(OTHERS)]), 300_000)

/** Runs a tool's command in its fixture. The fixture's config lacks the settings that the app's own build would need. */
async function run(
  fixture: string,
  [script = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const command = [process.execPath, join(fixture, 'node_modules', script), ...args]
  const { exitCode, output } = await runIn('GitHub Actions', command, fixture, {
    SYMUP_ENDPOINT: intake.url,
    SYMUP_API_KEY: 'dev-api-key',
    STORYBOOK_DISABLE_TELEMETRY: '1',
    NO_COLOR: '1',
    ...env,
  })
  expect(exitCode, output).toBe(0)
  expect(await intake.uploads()).toEqual([])
  return output
}

it.each([
  ['Storybook', STORYBOOK, ['storybook/dist/bin/dispatcher.js', 'build', '--output-dir'], 'iframe.html'],
  ['Ladle', OTHERS, ['@ladle/react/lib/cli/cli.js', 'build', '--outDir'], 'index.html'],
])(
  'passes the build of %s, uploads nothing and reports it once, whatever the config lacks',
  async (name, fixture, command, page) => {
    const output = await run(fixture, [...command, relative(fixture, directory)])
    expect(output.split(`${name} uses this config for its own builds, so nothing is uploaded.`), output).toHaveLength(2)
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    expect(files).toContain(page)
    expect(files.filter((file) => /^assets.*\.map$/.test(file))).toEqual([])
  },
  240_000,
)

const chromium = needsChromium()

it.skipIf(!chromium.isThere)(
  `passes Playwright's component tests, uploads nothing and reports it once${chromium.reason}`,
  async () => {
    // Playwright would reuse its earlier build.
    rmSync(join(OTHERS, 'playwright/.cache'), { recursive: true, force: true })
    const command = ['@playwright/experimental-ct-react/cli.js', 'test', '--config', 'playwright-ct.config.js']
    const output = await run(OTHERS, command, { CHROMIUM_PATH: findChromium() })
    expect(output).toContain('1 passed')
    expect(
      output.split('Playwright uses this config for its own builds, so nothing is uploaded.'),
      output,
    ).toHaveLength(2)
  },
  240_000,
)

it.each([
  ['vitest run', ['vitest/vitest.mjs', 'run'], '1 passed'],
  ['vitest run --mode staging', ['vitest/vitest.mjs', 'run', '--mode', 'staging'], '1 passed'],
  ['vite-node', ['vite-node/vite-node.mjs', 'src/script.js'], 'total 3'],
])(
  'passes `%s` and reports nothing',
  async (_, command, shown) => {
    const output = await run(OTHERS, command)
    expect(output).toContain(shown)
    expect(output).not.toContain('[symup]')
  },
  120_000,
)
