import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { once } from './once.ts'

/** A flat layout like npm's, which most users of these frameworks have. The fixture lists the peers itself. */
const FLAGS = [
  ...['--config.node-linker=hoisted', '--config.auto-install-peers=false', '--config.confirm-modules-purge=false'],
  '--ignore-scripts',
]

/**
 * Installs a framework fixture's packages into its own directory, from pnpm's store and outside the workspace's lock
 * file: frameworks are large, and only their tests need them. The fixture's package.json pins versions, its
 * pnpm-workspace.yaml those of indirect dependencies. An earlier installation from the same files is reused.
 * @throws pnpm's error, for example without a registry.
 */
export async function install(directory: string): Promise<void> {
  const settings = join(directory, 'pnpm-workspace.yaml')
  const wanted = [join(directory, 'package.json'), settings].filter((file) => existsSync(file))
  const texts = wanted.map((file) => readFileSync(file, 'utf8')).join('\n')
  await once(join(directory, 'node_modules/.installed-from'), texts, () => {
    const ours = existsSync(settings) ? [] : ['--ignore-workspace']
    const args = ['-y', 'pnpm@12', 'install', ...ours, '--no-lockfile', '--prefer-offline', ...FLAGS]
    return promisify(execFile)('npx', [...args, '--reporter=append-only'], { cwd: directory, maxBuffer: 2 ** 26 })
  })
}
