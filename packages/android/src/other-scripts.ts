import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { listFiles } from '@symup/core'
import { t } from '@symup/core/text'
import { FIELDS } from './gradle-build.ts'

/** Additions of other build scripts to a module's script. */
export interface OtherScripts {
  /** The place that may declare flavors, for messages; undefined if there is none. */
  flavors?: string
  /** Fields that another script may set, with its name for messages. */
  fields: ReadonlyMap<string, string>
}

const SETTINGS = ['settings.gradle', 'settings.gradle.kts']
const SOURCES = /\.(?:gradle|kts|kt|groovy|java)$/
const FLAVORS = /\b(?:productFlavors|flavorDimensions)\b/
/** It only reads values of variants. */
const OWN = 'symup.gradle'
const MAX_SCRIPT = 1024 * 1024
const LEVELS = 4

/** Looks at the scripts beside a module's and beside the root project's, and at build logic in `buildSrc` and included builds. */
export async function readOtherScripts(script: string, cwd: string): Promise<OtherScripts> {
  const root = rootOf(dirname(script))
  const shown = (path: string) => relative(cwd, path) || path
  const texts = new Map<string, string>()
  for (const path of await scriptsOf(dirname(script), root)) if (path !== script) texts.set(path, readScript(path))
  const fields = new Map<string, string>()
  let flavors: string | undefined
  for (const [path, text] of texts) {
    if (FLAVORS.test(text)) flavors ??= shown(path)
    // A project's own script sets the values of its own application.
    if (/^build\.gradle/.test(basename(path)) || !/\bdefaultConfig\b/.test(text)) continue
    for (const name of FIELDS) if (new RegExp(`\\b${name}\\b`).test(text)) fields.set(name, shown(path))
  }
  const seen = new Set([...texts.keys()].map((path) => basename(path)))
  for (const text of [readScript(script), ...texts.values()]) {
    const unseen = appliedIn(text).find((name) => name !== OWN && !seen.has(name))
    if (unseen !== undefined) flavors ??= t`${unseen}, which cannot be read`
  }
  return { ...(flavors !== undefined && { flavors }), fields }
}

function rootOf(module: string): string {
  for (let level = 0, at = module; level < LEVELS; level++, at = dirname(at))
    if (SETTINGS.some((name) => existsSync(join(at, name)))) return at
  return module
}

/** Absolute paths, each once. */
async function scriptsOf(module: string, root: string): Promise<Set<string>> {
  const beside = [module, root, join(root, 'gradle')].flatMap((directory) => {
    const names = existsSync(directory) ? readdirSync(directory) : []
    return names.filter((name) => SOURCES.test(name) && name !== OWN).map((name) => join(directory, name))
  })
  const settings = SETTINGS.map((name) => join(root, name)).filter((path) => existsSync(path))
  const included = settings.flatMap((path) =>
    [...readScript(path).matchAll(/\bincludeBuild\s*\(?\s*["']([^"'$]+)["']/g)].map(([, build = '']) => build),
  )
  const logic = await Promise.all(['buildSrc', ...included].map((build) => sourcesBelow(resolve(root, build))))
  return new Set([...beside, ...logic.flat()])
}

async function sourcesBelow(directory: string): Promise<string[]> {
  const enters = async (path: string) => !/^(?:\..*|build|node_modules)$/.test(basename(path))
  const files = existsSync(directory) ? await listFiles(directory, { enters }) : []
  return files.filter((file) => SOURCES.test(file)).map((file) => join(directory, file))
}

function readScript(path: string): string {
  return statSync(path).size > MAX_SCRIPT ? '' : readFileSync(path, 'utf8')
}

/** File names in `apply from: "$rootDir/flavors.gradle"`, in either language. */
function appliedIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"\w/])\/\/.*$/gm, '')
  return [...code.matchAll(/\bapply\s*\(?\s*from\s*[:=]\s*(.+)/g)].map(([, value = '']) =>
    basename(/["']([^"']+)["']/.exec(value)?.[1] ?? value.trim()),
  )
}
