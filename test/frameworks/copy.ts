import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../support/build-fixture.ts'
import { type Packages, wanted } from './majors.ts'

/** The version of a framework's own package. */
export const versionOf = (packages: Packages = {}) => Object.values(packages)[0] ?? ''

/**
 * A copy of a framework's fixture with other packages, in a directory next to it that later runs reuse. Excludes build
 * output, because another test may be building there.
 * @returns the directory; nothing is installed yet.
 */
export function copyWith(name: string, packages: Packages): string {
  const fixture = join(ROOT, 'fixtures/frameworks', name)
  const directory = join(ROOT, 'fixtures/frameworks', `.${name}-${versionOf(packages)}`)
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: fixture, encoding: 'utf8' })
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    copyFileSync(join(fixture, file), join(directory, file))
  }
  const { dependencies, ...manifest } = JSON.parse(readFileSync(join(fixture, 'package.json'), 'utf8'))
  manifest.dependencies = { ...dependencies, ...manifest.devDependencies, ...wanted(packages) }
  delete manifest.devDependencies
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest, undefined, 2))
  return directory
}
