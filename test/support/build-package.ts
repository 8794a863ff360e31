import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './build-fixture.ts'
import { hashOf, once } from './once.ts'

const run = promisify(execFile)

/** Each after the packages that it needs. */
const PACKAGES = [
  'core',
  'demangle',
  'symbolicate',
  'unplugin',
  'mini-program',
  'android',
  'hvigor',
  'intake',
  'inspector',
  'cli',
]

/** Builds all packages like published ones, once for all test files and as long as their sources stay the same. */
export async function buildPackages(): Promise<void> {
  const sources = PACKAGES.map((name) => join(ROOT, 'packages', name))
  const shared = ['pnpm-lock.yaml', 'tsconfig.base.json', 'scripts/bundle.js'].map((file) => join(ROOT, file))
  await once(join(ROOT, 'node_modules/.cache/symup-tests/packages'), hashOf([...sources, ...shared]), async () => {
    for (const name of PACKAGES) await run('npm', ['run', 'build'], { cwd: join(ROOT, 'packages', name) })
  })
}
