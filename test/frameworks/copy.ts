import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/build-fixture.ts'
import { type Packages, wanted } from './majors.ts'

/** The version of a framework's own package. */
export const versionOf = (packages: Packages = {}) => Object.values(packages)[0] ?? ''

/**
 * A framework's fixture with other packages, in a directory beside it that later runs use again.
 * @param left what is not copied, besides `node_modules`: what a build wrote.
 * @returns the directory; nothing is installed yet.
 */
export function copyWith(name: string, packages: Packages, left: readonly string[]): string {
  const fixture = join(ROOT, 'fixtures/frameworks', name)
  const directory = join(ROOT, 'fixtures/frameworks', `.${name}-${versionOf(packages)}`)
  const isCopied = (path: string) => !['node_modules', ...left].includes(path.slice(fixture.length + 1))
  cpSync(fixture, directory, { recursive: true, filter: isCopied })
  const { dependencies, ...manifest } = JSON.parse(readFileSync(join(fixture, 'package.json'), 'utf8'))
  manifest.dependencies = { ...dependencies, ...manifest.devDependencies, ...wanted(packages) }
  delete manifest.devDependencies
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest, undefined, 2))
  return directory
}
