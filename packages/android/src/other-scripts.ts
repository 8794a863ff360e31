import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { listFiles } from '@symup/core'
import { t } from '@symup/core/text'
import { FIELDS } from './gradle-build.ts'

export const SCRIPTS = ['build.gradle', 'build.gradle.kts']
const SETTINGS = ['settings.gradle', 'settings.gradle.kts']
const SOURCES = /\.(?:gradle|kts|kt|groovy|java)$/
export const FLAVORS = /\b(?:productFlavors|flavorDimensions)\b/
/** symup's own script, which sets no variant values. */
const OWN = 'symup.gradle'
/** Maximum size of a script in bytes. Real build scripts are a few kilobytes in size. */
export const MAX_SCRIPT = 1024 * 1024
const LEVELS = 4

/**
 * Reads other scripts that may affect the module: scripts that the module or the root project applies, and build logic in `buildSrc` or
 * included builds.
 * @returns the code that may declare flavors, and the names of the scripts that may set each field.
 */
export async function readOtherScripts(script: string, cwd: string) {
  const root = rootOf(dirname(script))
  const shown = (path: string) => relative(cwd, path) || path
  const { own, applicable } = await scriptsOf(dirname(script), root)
  const texts = new Map([script, ...own].map((path) => [path, readScript(path)]))
  let flavors: string | undefined
  // The list may grow during the loop, because applied scripts may apply other scripts.
  for (const text of texts.values())
    for (const name of appliedIn(text).filter((name) => name !== OWN)) {
      const found = applicable.filter((path) => basename(path) === name)
      if (found.length === 0) flavors ??= t`symup cannot read ${name}`
      for (const path of found) if (!texts.has(path)) texts.set(path, readScript(path))
    }
  texts.delete(script)
  const fields = new Map<string, string>()
  for (const [path, text] of texts) {
    if (FLAVORS.test(text)) flavors = shown(path)
    // A project's `build.gradle` sets values only for its own app, but may declare flavors for all apps.
    const isOfAll = !/^build\.gradle/.test(basename(path)) && /\b(?:defaultConfig|buildTypes)\b/.test(text)
    if (!isOfAll && !FLAVORS.test(text)) continue
    for (const name of FIELDS) if (new RegExp(`\\b${name}(?:Suffix)?\\b`).test(text)) fields.set(name, shown(path))
  }
  return { flavors, fields }
}

function rootOf(module: string): string {
  for (let level = 0, at = module; level < LEVELS; level++, at = dirname(at))
    if (SETTINGS.some((name) => existsSync(join(at, name)))) return at
  return module
}

/** @returns absolute paths. `own` scripts are part of every build. `applicable` scripts take effect only if another script applies them. */
async function scriptsOf(module: string, root: string): Promise<{ own: string[]; applicable: string[] }> {
  const beside = [module, root, join(root, 'gradle')].flatMap((directory) => {
    const names = existsSync(directory) ? readdirSync(directory) : []
    return names.filter((name) => SOURCES.test(name)).map((name) => join(directory, name))
  })
  const settings = SETTINGS.map((name) => join(root, name)).filter((path) => existsSync(path))
  const included = settings.flatMap((path) =>
    [...readScript(path).matchAll(/\bincludeBuild\s*\(?\s*["']([^"'$]+)["']/g)].map(([, build = '']) => build),
  )
  const logic = await Promise.all(['buildSrc', ...included].map((build) => sourcesBelow(resolve(root, build))))
  const build = SCRIPTS.map((name) => join(root, name)).filter((path) => existsSync(path))
  return { own: [...settings, ...build, ...logic.flat()], applicable: beside }
}

async function sourcesBelow(directory: string): Promise<string[]> {
  const enters = async (path: string) => !/^(?:\..*|build|node_modules)$/.test(basename(path))
  const files = existsSync(directory) ? await listFiles(directory, { enters }) : []
  return files.filter((file) => SOURCES.test(file)).map((file) => join(directory, file))
}

function readScript(path: string): string {
  return statSync(path).size > MAX_SCRIPT ? '' : readFileSync(path, 'utf8')
}

/** Finds scripts that are applied with statements such as `apply from: "$rootDir/flavors.gradle"`, in Groovy or Kotlin. */
function appliedIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"\w/])\/\/.*$/gm, '')
  return [...code.matchAll(/\bapply\s*\(?\s*from\s*[:=]\s*(.+)/g)].map(([, value = '']) =>
    basename(/["']([^"']+)["']/.exec(value)?.[1] ?? value.trim()),
  )
}
