import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ROOT } from '../support/build-fixture.ts'
import { importsOf } from '../support/imports.ts'

/** Which files import which, in all packages and tests. */
export interface Imports {
  /** Source files of the packages, without tests. */
  sources: string[]
  /** Importers of each file. */
  importers: Map<string, string[]>
}

export function readImports(): Imports {
  const under = (directory: string) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !/node_modules|artifacts|dist\//.test(file))
      .map((file) => join(ROOT, directory, file))
  const packages = readdirSync(join(ROOT, 'packages')).filter((name) => existsSync(join(ROOT, 'packages', name, 'src')))
  const entries = new Map(packages.flatMap((name) => entriesOf(name)))
  const files = [...packages.flatMap((name) => under(`packages/${name}/src`)), ...under('test'), ...under('scripts')]
  const importers = new Map<string, string[]>()
  for (const file of files) {
    for (const name of [...importsOf(file), ...threadsOf(file)]) {
      const target = name.startsWith('.') ? resolve(dirname(file), name) : entries.get(name)
      if (target) importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  const sources = files.filter((file) => !/\.(?:test|fixture)\.ts$|test-support/.test(file) && !file.includes('/test/'))
  return { sources, importers }
}

/** Files that a file starts as threads. */
function threadsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)].map(
    (it) => it[1] as string,
  )
}

/** `@symup/core/internal` and its file. */
function entriesOf(name: string): [string, string][] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
  const exports = Object.entries<{ 'symup-source'?: string }>(manifest.exports ?? {})
  return exports.flatMap(([path, { 'symup-source': source }]) =>
    source ? [[join(manifest.name, path), join(ROOT, 'packages', name, source)]] : [],
  )
}

const TEST = /(?<!\.(?:world|nightly))\.test\.ts$/

/**
 * The tests of `npm test` that import a file, directly or not: first those in its folder, then those in its package by
 * number of imports in between, then all others.
 */
export function testsOf(file: string, { importers }: Imports): string[] {
  const distances = new Map([[file, 0]])
  for (const [known, distance] of distances)
    for (const importer of importers.get(known) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return [...distances.keys()]
    .filter((test) => TEST.test(test) && existsSync(test))
    .sort((a, b) => apart(a, file) - apart(b, file) || (distances.get(a) ?? 0) - (distances.get(b) ?? 0))
}

/** The distance of a test from a file: tests in the same folder come first, then those in the same package. */
export function apart(test: string, file: string): number {
  const packageOf = (path: string) => relative(ROOT, path).split('/', 2).join('/')
  if (dirname(test) === dirname(file)) return 0
  if (packageOf(test) === packageOf(file)) return 1
  return test.includes('.faults.') ? 3 : 2
}
