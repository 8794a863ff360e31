import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { once } from './once.ts'

/** As flat as npm lays them out, which is what most users of these frameworks have; peers are the fixture's business. */
const FLAGS = [
  ...['--config.node-linker=hoisted', '--config.auto-install-peers=false', '--config.confirm-modules-purge=false'],
  '--ignore-scripts',
]

/**
 * Installs what a framework's fixture needs into its own directory, from pnpm's one store and outside the workspace's lock file: frameworks are
 * large, and only their tests want them. Versions are pinned in the fixture's package.json, those of its dependencies' dependencies in a
 * pnpm-workspace.yaml of its own; what was installed from the same files is used again.
 * @throws what pnpm says, such as that there is no registry.
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
