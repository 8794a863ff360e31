import { posix } from 'node:path'
import { type Node, parse, search } from './config-ast.ts'
import { beginningIn } from './edit-config.ts'
import type { Project } from './project.ts'
import { isInstalled, usualPlace } from './tool.ts'

interface PrefixHints {
  path?: string | undefined
  builds: string
  /** Path of the property in the config. Empty if no property contains the address. */
  at: readonly string[]
  /** Whether the plugin can always determine the deployment address itself. Default: false. */
  knowsPlace?: boolean
}

/**
 * Returns the prefix to write to `symup.json`. Returns undefined if the plugin determines the prefix during the build, because a guess
 * would override the correct value.
 */
export function placeToWrite(
  project: Project,
  { path, builds, at, knowsPlace = false }: PrefixHints,
): string | undefined {
  const guess = usualPlace(project, builds)
  if (isInstalled(project)) return guess
  const place = at.length > 0 ? beginningIn(builds, at) : undefined
  if (place !== undefined) return /^(?:\/|http)/.test(place) ? undefined : guess
  return knowsPlace || (guess === '/' && setsPlace(project, path, at.at(-1))) ? undefined : guess
}

const IMPORTS = /(?:\brequire\(|\bimport\(|\bfrom\s)\s*["'](\.{1,2}\/[^"']+)["']/g

/**
 * Returns whether a flag in package.json or a variable in the config may set the deployment address. Such values cannot be read as
 * literals.
 * @param path the config file or build script, if one exists.
 * @param name the name of the property.
 */
function setsPlace({ read, manifest }: Project, path: string | undefined, name: string | undefined): boolean {
  if (name === undefined) return false
  const flag = `-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (Object.values(manifest.scripts ?? {}).some((line) => line.includes(flag))) return true
  if (path === undefined) return false
  const code = read(path) ?? ''
  const others = [...code.matchAll(IMPORTS)].flatMap(([, other = '']) => {
    const at = posix.join(posix.dirname(path), other)
    const ends = ['.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.ts']
    // TypeScript modules may be imported under the names of their compiled files.
    return [at, at.replace(/\.([cm]?)js$/, '.$1ts'), ...ends.map((end) => `${at}${end}`)]
  })
  return [code, ...others.map(read)].some((text) => text !== undefined && names(text, name))
}

/** Matches the options of loaders, dev servers and other plugins, whose properties may have the same name but a different meaning. */
const isUnrelated = ({ type, key }: Node) =>
  type === 'NewExpression' || /^(?:options|generator|dev\w*)$/.test(String(key?.name ?? key?.value))

/** Returns whether the code contains the property, or a longer name with the same ending, such as `setPublicPath`. */
function names(code: string, name: string): boolean {
  const ending = new RegExp(`${name}$`, 'i')
  try {
    return search(parse(code), (node) => ending.test(String(node.name ?? node.value)), isUnrelated) !== undefined
  } catch {
    return code.includes(name) // The file cannot be parsed.
  }
}
