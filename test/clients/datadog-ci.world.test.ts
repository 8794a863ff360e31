import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startIntake } from '@symup/intake'
import { expect, it } from 'vitest'
import { buildViteApp, VITE_APP } from '../support/build-fixture.ts'
import { enrich } from '../support/resolve.ts'
import { throwInNode } from '../support/throw-in-node.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

it('resolves a stack identically if datadog-ci uploads the same build', async () => {
  const outDir = mkdtempSync(join(VITE_APP, 'dist-datadog-'))
  const [ours, theirs] = await Promise.all([startIntake(), startIntake()])
  try {
    await buildViteApp({ SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: ours.url }, [
      '--outDir',
      outDir,
      '--emptyOutDir',
      // The user requested the maps, so they stay on disk after symup's own upload.
      '--sourcemap',
      'hidden',
    ])
    const command = join(dirname(require.resolve('@datadog/datadog-ci/package.json')), 'dist/bundle.js')
    const flags = [
      '--service',
      'shop',
      '--release-version',
      '1.2.3',
      '--minified-path-prefix',
      'https://cdn.example.com/shop/',
      '--disable-git',
    ]
    const { stdout } = await run(process.execPath, [command, 'sourcemaps', 'upload', outDir, ...flags], {
      env: {
        ...process.env,
        DATADOG_API_KEY: 'dev-api-key',
        DATADOG_SOURCEMAP_INTAKE_URL: theirs.url,
        DATADOG_DSYM_INTAKE_URL: theirs.url,
        DD_BETA_COMMANDS_ENABLED: '1',
        DD_CI_SKIP_VERSION_BANNER: '1',
      },
    })
    expect(stdout).toContain('Uploaded 5 sourcemaps')
    const stored = await theirs.uploads()
    expect(stored.map(({ origin }) => origin)).toEqual(Array(5).fill('datadog-ci_sourcemaps'))

    const stack = throwInNode(outDir, 'https://cdn.example.com/shop/')
    const frames = await enrich(theirs, stack)
    expect(frames[0]).toMatchObject({ function: 'validateAddress', file: 'src/routes/checkout.ts' })
    expect(frames).toEqual(await enrich(ours, stack))
  } finally {
    await Promise.all([ours.close(), theirs.close()])
    rmSync(outDir, { recursive: true })
  }
}, 60_000)
