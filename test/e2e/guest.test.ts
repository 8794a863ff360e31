import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT, sourceArguments } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { runToEnd } from '../support/run-to-end.ts'

const directory = useDirectory('each')

// A plugin is a guest in the user's build. The process and the output stay as they are without it.

const intake = useIntake()

/** Builds in a separate process. */
async function buildIn(directory: string, bundler: string, plugin: 'symup' | 'none') {
  const [outDir, report] = [join(directory, plugin), join(directory, `${plugin}.json`)]
  const { VITEST: _, NODE_ENV: __, ...clean } = process.env
  const settings = {
    SYMUP_API_KEY: 'dev-api-key',
    SYMUP_ENDPOINT: intake.url,
    SYMUP_SERVICE: `guest-${bundler}`,
    SYMUP_VERSION: '1.2.3',
    SYMUP_CACHE_DIR: join(directory, 'cache'),
  }
  const script = join(ROOT, 'test/e2e/guest/build.ts')
  const args = [...sourceArguments(), script, bundler, plugin, outDir, report]
  const { exitCode, output } = await runToEnd(process.execPath, args, { cwd: ROOT, env: { ...clean, ...settings } })
  expect(exitCode, output).toBe(0)
  const files = filesBelow(outDir).sort()
  const contents = Object.fromEntries(files.map((file) => [file, readFileSync(join(outDir, file), 'latin1')]))
  return { left: JSON.parse(readFileSync(report, 'utf8')), contents }
}

it.each(['vite', 'webpack'])(
  'leaves the process and the output of %s as they are without the plugin',
  async (bundler) => {
    const without = await buildIn(directory, bundler, 'none')
    const withPlugin = await buildIn(directory, bundler, 'symup')
    const uploads = (await intake.uploads()).filter(({ service }) => service === `guest-${bundler}`)
    expect(uploads.length).toBeGreaterThan(0)
    expect(withPlugin.left).toEqual(without.left)
    expect(withPlugin.left).toMatchObject({ keepsFlags: true, exitCode: 0 })
    // The maps that the plugin requested are deleted after the upload, so nothing differs.
    expect(withPlugin.contents).toEqual(without.contents)
  },
)
