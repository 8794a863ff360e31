import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/build-fixture.ts'

const run = promisify(execFile)

export const frameworkDirectory = (name: string) => join(ROOT, 'fixtures/frameworks', name)

/**
 * Installs what a framework's fixture needs, in its own directory and outside the workspace's lock file: frameworks are large, and only this suite
 * wants them. Versions are pinned in the fixture's package.json; what an earlier run installed from the same file is used again.
 * @throws what npm says, such as that there is no registry.
 */
export async function install(name: string): Promise<void> {
  const directory = frameworkDirectory(name)
  const manifest = readFileSync(join(directory, 'package.json'), 'utf8')
  const done = join(directory, 'node_modules/.installed-from')
  if (existsSync(done) && readFileSync(done, 'utf8') === manifest) return
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-package-lock', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, '--loglevel=error', '--prefer-offline'], { cwd: directory })
  writeFileSync(done, manifest)
}
