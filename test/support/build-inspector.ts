import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, sourceArguments } from './build-fixture.ts'

const require = createRequire(import.meta.url)

/**
 * Builds the inspector page from source, like its package does. With an intake in `env`, its source maps are uploaded there.
 * @param outDir default: where the intake serves it from.
 */
export async function buildInspector(
  env: NodeJS.ProcessEnv = {},
  outDir = join(ROOT, 'packages/intake/inspector'),
): Promise<string> {
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
  const args = [...sourceArguments(), vite, 'build', '--configLoader', 'native', '--outDir', outDir, '--emptyOutDir']
  const { VITEST: _, NODE_ENV: __, ...clean } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: join(ROOT, 'packages/inspector'),
    env: { ...clean, ...env },
  })
  return stdout
}
