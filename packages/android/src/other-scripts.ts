import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { t } from '@symup/core/internal'
import { type FieldName, parseGradleBuild } from './gradle-build.ts'

/** What other scripts of the build may add to a module's. */
export interface OtherScripts {
  /** The place, for people, that may declare flavors; undefined when none does. */
  flavors?: string
  /** Values that another script sets: name to that script, for people. */
  fields: ReadonlyMap<FieldName, string>
}

const SETTINGS = ['settings.gradle', 'settings.gradle.kts']
const SOURCES = /\.(?:gradle|kts|kt|groovy|java)$/
const FLAVORS = /\b(?:productFlavors|flavorDimensions)\b/
/** It reads the values of variants, and sets none. */
const OWN = 'symup.gradle'
const MAX_SCRIPT = 1024 * 1024
const MAX_APPLIED = 50
const MAX_FILES = 5000
const LEVELS = 4

/** Looks at what a module's script applies, at the root project's script, and at build logic in `buildSrc` and included builds. */
export async function readOtherScripts(script: string, cwd: string): Promise<OtherScripts> {
  const root = rootOf(dirname(script))
  const fields = new Map<FieldName, string>()
  const shown = (path: string) => relative(cwd, path) || path
  let flavors: string | undefined
  const queue = [script, ...scriptsIn(root).filter((path) => path !== script)]
  const seen = new Set(queue)
  for (const path of queue) {
    const text = readScript(path)
    if (path !== script) {
      if (FLAVORS.test(text)) flavors ??= shown(path)
      // The root project's own values are of another module.
      if (dirname(path) !== root) for (const name of await fieldsSetIn(text)) fields.set(name, shown(path))
    }
    for (const applied of appliedIn(text, path, root)) {
      if (basename(applied) === OWN || seen.has(applied) || seen.size > MAX_APPLIED) continue
      seen.add(applied)
      if (existsSync(applied) && statSync(applied).isFile()) queue.push(applied)
      else flavors ??= t`${shown(applied)}, which cannot be read`
    }
  }
  flavors ??= logicWithFlavors(root, shown)
  return { ...(flavors !== undefined && { flavors }), fields }
}

function rootOf(module: string): string {
  for (let level = 0, at = module; level < LEVELS; level++, at = dirname(at))
    if (SETTINGS.some((name) => existsSync(join(at, name)))) return at
  return module
}

function scriptsIn(directory: string): string[] {
  return ['build.gradle', 'build.gradle.kts'].map((name) => join(directory, name)).filter((path) => existsSync(path))
}

function readScript(path: string): string {
  return statSync(path).size > MAX_SCRIPT ? '' : readFileSync(path, 'utf8')
}

async function fieldsSetIn(text: string): Promise<FieldName[]> {
  try {
    return Object.keys((await parseGradleBuild(text)).defaultConfig) as FieldName[]
  } catch {
    return []
  }
}

/** `apply from: "$rootDir/flavors.gradle"` in either language; what is not a literal path is left as it is written. */
function appliedIn(text: string, script: string, root: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"\w/])\/\/.*$/gm, '')
  return [...code.matchAll(/\bapply\s*\(?\s*from\s*[:=]\s*(.+)/g)].map(([, value = '']) => {
    const [, path = value.trim()] = /["']([^"']+)["']/.exec(value) ?? []
    const absolute = path
      .replace(
        /\$\{?(?:rootProject\.|project\.)?(?:rootDir|rootProject\.projectDir)\}?|\$\{?rootProject\.projectDir\}?/g,
        root,
      )
      .replace(/\$\{?(?:project\.)?projectDir\}?/g, dirname(script))
    const isOfRoot = /\brootProject\.file\b|\brootDir\b(?!.*\$)/.test(value.slice(0, value.search(/["']/) + 1))
    return resolve(isOfRoot ? root : dirname(script), absolute.replace(/^\/+(?=[^/]*$)/, isOfRoot ? '' : '/'))
  })
}

/** A file of the build's own plugins that declares flavors. */
function logicWithFlavors(root: string, shown: (path: string) => string): string | undefined {
  const settings = SETTINGS.map((name) => join(root, name)).filter((path) => existsSync(path))
  const included = settings.flatMap((path) =>
    [...readScript(path).matchAll(/\bincludeBuild\s*\(?\s*["']([^"'$]+)["']/g)].map(([, build = '']) => build),
  )
  const budget = { left: MAX_FILES }
  for (const build of new Set(['buildSrc', ...included]))
    for (const file of sourcesBelow(resolve(root, build), budget))
      if (FLAVORS.test(readScript(file))) return shown(file)
  return undefined
}

function* sourcesBelow(directory: string, budget: { left: number }): Generator<string> {
  let entries: ReturnType<typeof list>
  try {
    entries = list(directory)
  } catch {
    return
  }
  for (const entry of entries) {
    if (budget.left-- <= 0) return
    const path = join(directory, entry.name)
    if (entry.isFile() && SOURCES.test(entry.name)) yield path
    else if (entry.isDirectory() && !/^(?:\..*|build|node_modules)$/.test(basename(path)))
      yield* sourcesBelow(path, budget)
  }
}

function list(directory: string) {
  return readdirSync(directory, { withFileTypes: true })
}
