import { posix } from 'node:path'
import { type Node, parse, search } from './config-ast.ts'
import { beginningIn } from './edit-config.ts'
import type { Project } from './project.ts'
import { isInstalled, usualPlace } from './tool.ts'

/** Where a tool's output is deployed may be said here. */
interface Said {
  /** Of the config file or build script, where there is one. */
  path?: string | undefined
  /** Text of the builds. */
  builds: string
  /** The property that says it, from the top of the config; empty where there is none. */
  at: readonly string[]
  /** Whether the plugin always knows it where the config does not say it. Default false. */
  knowsPlace?: boolean
}

/** The prefix that init writes; undefined where the plugin learns it from the build, over which a guess would take precedence. */
export function placeToWrite(project: Project, { path, builds, at, knowsPlace = false }: Said): string | undefined {
  const guess = usualPlace(project, builds)
  if (isInstalled(project)) return guess
  const place = at.length > 0 ? beginningIn(builds, at) : undefined
  if (place !== undefined) return /^(?:\/|http)/.test(place) ? undefined : guess
  return knowsPlace || (guess === '/' && saysPlace(project, path, at.at(-1))) ? undefined : guess
}

/** What a config file takes in of the project's own. */
const TAKEN_IN = /(?:\brequire\(|\bimport\(|\bfrom\s)\s*["'](\.{1,2}\/[^"']+)["']/g

/**
 * Whether something says where the output is deployed, where a literal in the config does not: a flag in the scripts of package.json, or the config file or one that
 * it takes in, by a variable, say.
 * @param path of the config file or build script, where there is one.
 * @param name of the property that says it.
 */
function saysPlace({ read, manifest }: Project, path: string | undefined, name: string | undefined): boolean {
  if (name === undefined) return false
  const flag = `-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (Object.values(manifest.scripts ?? {}).some((line) => line.includes(flag))) return true
  if (path === undefined) return false
  const code = read(path) ?? ''
  const others = [...code.matchAll(TAKEN_IN)].flatMap(([, other = '']) => {
    const at = posix.join(posix.dirname(path), other)
    const ends = ['.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.ts']
    // TypeScript's modules are taken in under the names that they are compiled to, too.
    return [at, at.replace(/\.([cm]?)js$/, '.$1ts'), ...ends.map((end) => `${at}${end}`)]
  })
  return [code, ...others.map(read)].some((text) => text !== undefined && names(text, name))
}

/** Options of loaders and of the development server, and other plugins: what they name so is their own. */
const isOthers = ({ type, key }: Node) =>
  type === 'NewExpression' || /^(?:options|generator|dev\w*)$/.test(String(key?.name ?? key?.value))

/** Whether a program uses a name, also as the end of another: `setPublicPath`. */
function names(code: string, name: string): boolean {
  const ending = new RegExp(`${name}$`, 'i')
  try {
    return search(parse(code), (node) => ending.test(String(node.name ?? node.value)), isOthers) !== undefined
  } catch {
    return code.includes(name) // It does not parse.
  }
}
