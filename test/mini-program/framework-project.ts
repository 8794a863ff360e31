import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
// Not below a node_modules: frameworks treat what lies there as somebody else's code.
const CACHE = join(ROOT, '.cache/frameworks')

/**
 * A fixture with its dependencies installed. They are hundreds of MB, so they are kept between runs and stay out of the workspace's lock
 * file; `@symup/mini-program` in it is the workspace's.
 * @throws when the dependencies cannot be installed.
 */
export function frameworkProject(fixture: string, manifest: string): string {
  const source = join(ROOT, 'fixtures', fixture)
  const text = readFileSync(join(source, manifest))
  const directory = join(CACHE, `${fixture}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`)
  if (!existsSync(directory)) {
    const draft = `${directory}.draft`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    cpSync(join(source, manifest), join(draft, 'package.json'))
    // Their install scripts download binaries that nothing here needs.
    const args = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', args, { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'], timeout: 600_000 })
    mkdirSync(join(draft, 'node_modules/@symup'))
    symlinkSync(join(ROOT, 'packages/mini-program'), join(draft, 'node_modules/@symup/mini-program'))
    renameSync(draft, directory)
  }
  for (const made of ['src', 'dist', 'config', 'node_modules/.cache']) {
    rmSync(join(directory, made), { recursive: true, force: true })
  }
  cpSync(source, directory, { recursive: true, filter: (path) => !/dependencies[\w.]*\.json$/.test(path) })
  return directory
}
