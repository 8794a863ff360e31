import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { install } from '../support/install.ts'

const ROOT = resolve(import.meta.dirname, '../..')
// Outside node_modules, because frameworks treat code in there as third-party code.
const CACHE = join(ROOT, '.cache/frameworks')

/**
 * A fixture with its dependencies installed. They take hundreds of MB, so they are kept between runs, outside the
 * workspace's lock file. Its `@symup/mini-program` is the workspace's.
 * @throws if the dependencies cannot be installed.
 */
export async function frameworkProject(fixture: string, manifest: string): Promise<string> {
  const source = join(ROOT, 'fixtures', fixture)
  const text = readFileSync(join(source, manifest))
  const directory = join(CACHE, `${fixture}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`)
  mkdirSync(directory, { recursive: true })
  cpSync(join(source, manifest), join(directory, 'package.json'))
  await install(directory)
  const ours = join(directory, 'node_modules/@symup/mini-program')
  mkdirSync(join(ours, '..'), { recursive: true })
  if (!existsSync(ours)) symlinkSync(join(ROOT, 'packages/mini-program'), ours)
  for (const made of ['src', 'dist', 'config', 'node_modules/.cache']) {
    rmSync(join(directory, made), { recursive: true, force: true })
  }
  cpSync(source, directory, { recursive: true, filter: (path) => !/dependencies[\w.]*\.json$/.test(path) })
  return directory
}
