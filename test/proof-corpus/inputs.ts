import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../support/files-below.ts'

/**
 * A hash of everything that a build reads, so that earlier builds of the same input are reused: its recipe with the imported recipes, its
 * app's sources with their imports, and the versions of the packages that these name, including dependencies. Eight hexadecimal digits.
 * @param fixture the corpus's sources. @param app the directory where its packages are installed.
 * @throws if no recipe has the name, or the recipe contains no app.
 */
export function inputsOf(fixture: string, app: string, name: string): string {
  const recipes = textsIn(join(fixture, 'builds'))
  const [file, recipe] = recipeOf(recipes, name)
  const rooms = readdirSync(join(fixture, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const sources = new Map(rooms.map((room) => [room.name, Object.values(textsIn(join(fixture, 'src', room.name)))]))
  const named = [...recipe.matchAll(/'([\w-]+)'/g)].map(([, word]) => word as string)
  const own = [...named, name].filter((word) => sources.has(word))
  if (own.length === 0) throw new Error(`The recipe of "${name}" in ${file} names no app in src.`)
  const read = closure(own, (room) =>
    [...(sources.get(room) ?? []).join('\n').matchAll(/(?:\.\.|@)\/([\w-]+)/g)]
      .map(([, word]) => word as string)
      .filter((word) => sources.has(word)),
  )
  const used = closure([file], (item) =>
    Object.keys(recipes).filter((other) => new RegExp(`\\b${other.replace('.', '\\.')}\\b`).test(recipes[item] ?? '')),
  )
  const texts = [
    recipe,
    // The lists of builds, reduced to this build.
    readFileSync(join(fixture, 'build.mjs'), 'utf8').replace(/^(?:import .*| {2}\.\.\..*)$/gm, ''),
    ...used.map((item) => (recipes[item] ?? '').replace(OTHER_RECIPES, '')),
    ...read.flatMap((room) => [room, ...(sources.get(room) ?? [])]),
    readFileSync(join(fixture, 'src/probe.d.ts'), 'utf8'),
  ]
  return createHash('sha256')
    .update(JSON.stringify([texts, versionsOf(fixture, app, texts.join('\n'))]))
    .digest('hex')
    .slice(0, 8)
}

/** A module's list of builds: one line each, or several lines with more indentation. */
const OTHER_RECIPES = /^ {2}(?:'[^'\n]*, [^'\n]*'|stencil): .*\n(?: {3,}.*\n| {2}[)}\]].*\n)*/gm

/** @returns the module and the text of a build's recipe. */
function recipeOf(recipes: Record<string, string>, name: string): [string, string] {
  for (const [file, text] of Object.entries(recipes))
    for (const [recipe] of text.matchAll(OTHER_RECIPES))
      if (recipe.startsWith(`  '${name}':`) || recipe.startsWith(`  ${name}:`)) return [file, recipe]
  throw new Error(`No module in builds/ has a recipe of "${name}".`)
}

/** The packages of the fixture that a text names, with their dependencies and versions. */
function versionsOf(fixture: string, app: string, text: string): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(fixture, 'package.json'), 'utf8'))
  const wanted = dependencies as Record<string, string>
  const isNamed = (name: string) =>
    // `vite-4` is referenced as `vite-${version}`.
    new RegExp(`(?<![\\w-])${name.replace(/-\d+$/, '').replace(/[/.]/g, '\\$&')}(?!\\w)`).test(text)
  const names = closure(Object.keys(wanted).filter(isNamed), (name) => {
    const file = join(app, 'node_modules', name, 'package.json')
    if (!existsSync(file)) return []
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((other) => other in wanted)
  })
  return names.map((name) => `${name} ${wanted[name]}`)
}

/** Everything reachable, in order. */
function closure(from: readonly string[], next: (item: string) => readonly string[]): string[] {
  const found = new Set(from)
  for (const item of found) for (const other of next(item)) found.add(other)
  return [...found].sort()
}

/** The files in a directory and below, by name. */
function textsIn(directory: string): Record<string, string> {
  return Object.fromEntries(filesBelow(directory).map((file) => [file, readFileSync(join(directory, file), 'utf8')]))
}
