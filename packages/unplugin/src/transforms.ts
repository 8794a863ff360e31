import { readFileSync, statSync } from 'node:fs'
import { join, posix, win32 } from 'node:path'
import {
  CALLS_OR_THROWS,
  compareLines,
  type TransformFault,
  type TransformFaults,
  t,
  withoutQuery,
} from '@symup/core/internal'
import { pluginsIn } from './plugin-list.ts'

type Handler = (this: unknown, code: string, id: string, ...more: unknown[]) => unknown
interface Hook {
  handler: Handler
}
/** What is used of a plugin of Rollup, Rolldown or Vite. */
interface Transforming {
  name?: unknown
  transform?: Handler | Hook
}

/** They give maps back, and much of what they make has no original. */
const TRUSTED = /^(?:builtin:|rolldown:|symup\b|commonjs$)/
/** So do Vite's own, but plugins of others have such names, too. */
const LIKE_VITE = /^vite:/
/** What people write code in; data that a plugin makes a module of has no original. */
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/
/** A part of a component, which its compiler gives others. */
const STYLE = /[?&]type=style\b/
const CALL = /[\w$]\s*\(/
const COMPONENT = /\.(?:vue|svelte|astro)$/
/** A script, a call, an expression, Astro's frontmatter, or a directive of Vue. */
const HAS_CODE = /<script\b|[\w$]\(|\{|^---|\s(?:[@:#]|v-)[\w[]/m
const STYLES = /<style\b[\s\S]*?<\/style>/g
/** Characters that a mapping takes in a map. */
const MAPPING = 5
/** Characters of code for each mapping from which a map leads to other lines. */
const COARSE = 200

/** What a transform was given and what it made of it, as Rollup's plugins return it: code, or an object with `code` and `map`. */
interface Transformed {
  code: unknown
  id: unknown
  result: unknown
}

/** What is used of what Rollup, Rolldown or Vite wrote. */
interface WrittenBundle {
  [file: string]: { type: string; modules?: Readonly<Record<string, { code: string | null }>> }
}

/**
 * Watches the transforms of other plugins: who was the last to change a source's code without giving a map back, or with an empty or a coarse one. Nothing of what they return is changed.
 */
export class TransformWatch {
  readonly #found = new Map<string, TransformFault>()
  readonly #watched = new WeakSet<object>()
  /** Files of which any code that runs was written, where the bundler tells. */
  #written: Set<string> | undefined

  get faults(): TransformFaults {
    const written = this.#written
    return written ? new Map([...this.#found].filter(([file]) => written.has(file))) : this.#found
  }

  /** Of what a bundler left out nothing was lost; of what it wrote with a map that maps nothing, all. */
  wrote(directory: string, bundle: WrittenBundle): void {
    this.#seeBlankMaps(directory, bundle)
    if (this.#found.size === 0) return
    this.#written ??= new Set()
    for (const { modules = {} } of Object.values(bundle)) {
      for (const id of Object.keys(modules)) {
        const file = fileOf(id)
        // Rolldown hands over the code when it is asked for.
        if (this.#found.has(file) && CALLS_OR_THROWS.test(modules[id]?.code ?? '')) this.#written.add(file)
      }
    }
  }

  /** A map is blank, too, when those that plugins returned do not fit each other, of which each looks right. */
  #seeBlankMaps(directory: string, bundle: WrittenBundle): void {
    for (const [name, written] of Object.entries(bundle)) {
      if (written.type !== 'chunk' || !isBlankMap(join(directory, `${name}.map`))) continue
      // Rolldown makes them when they are asked for.
      const lost = Object.keys(written.modules ?? {}).filter(
        (id) => isSource(id) && CODE.test(fileOf(id)) && isModule(id),
      )
      const fault: TransformFault = { plugin: t`the bundler`, returned: 'an empty map', isDropped: true }
      for (const file of lost.map(fileOf)) if (!this.#found.has(file)) this.#found.set(file, fault)
    }
  }

  /**
   * @param plugins as the user gave them: nested, with gaps. A plugin that cannot be changed is left as it is.
   * @param options.takesServers whether what Vite transforms for a server is looked at, too; else nobody uploads the maps of that. Default: true.
   */
  watch(plugins: unknown, { takesServers = true }: { takesServers?: boolean } = {}): void {
    for (const plugin of pluginsIn(plugins)) this.#watchOne(plugin, takesServers)
  }

  /** Takes over what another one knows. */
  include(other: TransformWatch): void {
    for (const [id, fault] of other.#found) this.#found.set(id, fault)
  }

  #watchOne(plugin: Transforming, takesServers: boolean): void {
    const { name, transform } = plugin
    if (typeof name !== 'string' || TRUSTED.test(name) || transform === undefined) return
    const handler = typeof transform === 'function' ? transform : transform?.handler
    if (typeof handler !== 'function' || this.#watched.has(handler)) return
    const watched = this.#watching(handler, name, takesServers)
    this.#watched.add(watched)
    try {
      plugin.transform = typeof transform === 'function' ? watched : { ...transform, handler: watched }
    } catch {
      // Frozen.
    }
  }

  #watching(handler: Handler, plugin: string, takesServers: boolean): Handler {
    const see = (code: string, id: string, result: unknown) => this.see(plugin, { code, id, result }, true)
    return function (code, id, ...more) {
      const result = handler.call(this, code, id, ...more)
      // As Vite says it since its second version.
      const [options] = more as [{ ssr?: boolean } | undefined]
      if (options?.ssr && !takesServers) return result
      if (result instanceof Promise)
        return result.then((made) => {
          see(code, id, made)
          return made
        })
      see(code, id, result)
      return result
    }
  }

  /**
   * @param plugin its name, or that of a loader.
   * @param isRollups whether it is for Rollup, Rolldown or Vite: where a map is neither returned nor `null`, they drop what they know of the source, and nothing brings that back.
   */
  see(plugin: string, { code, id, result }: Transformed, isRollups = false): void {
    if (typeof id !== 'string' || !isSource(id) || !result) return
    const made = typeof result === 'string' ? { code: result } : (result as { code?: unknown; map?: unknown })
    if (typeof made.code !== 'string' || (made.code === code && !(isRollups && made.map === undefined))) return
    const file = fileOf(id)
    // Of markup alone a compiler has nothing to map.
    if (COMPONENT.test(file) && !HAS_CODE.test(String(code).replace(STYLES, ''))) return
    const returned = CODE.test(file) && CALL.test(made.code) ? flawOf(made.map, made.code) : undefined
    if (!returned || (returned !== 'no map' && LIKE_VITE.test(plugin))) return
    const isItself = isModule(id)
    const isDropped = isRollups && isItself && (returned === 'an empty map' || made.map === undefined)
    // Of what has no map, webpack, Rspack and esbuild take the text for the source's, and Rollup and its kin the lines, where they are told so.
    const keepsLines = isRollups ? isItself && made.map === null : returned === 'no map'
    const moved = keepsLines ? compareLines(String(code), made.code).moved : new Set<number>()
    const fault = { plugin, returned, ...(isDropped && { isDropped }), ...(moved.size > 0 && { movedLines: moved }) }
    const known = this.#found.get(file)
    if (!known || weightOf(fault) >= weightOf(known)) this.#found.set(file, fault)
  }
}

/** What a transform has lost, the next one that loses less does not bring back. */
function weightOf({ isDropped, movedLines }: TransformFault): number {
  return isDropped ? 2 : movedLines ? 1 : 0
}

/** The file of a module. */
function fileOf(id: string): string {
  return withoutQuery(id).replaceAll('\\', '/')
}

/** What has no file, such as an icon that a plugin makes a module of, is nobody's source. */
function isSource(id: string): boolean {
  return isAbsolutePath(id) && !id.includes('node_modules') && !STYLE.test(id)
}

/** Another query than a component's is of something else than the file's code, such as its text. */
function isModule(id: string): boolean {
  return !id.includes('?') || COMPONENT.test(fileOf(id))
}

/** Bytes of a map that maps nothing: it names no source, and its script. */
const MAX_BLANK = 1024

function isBlankMap(path: string): boolean {
  try {
    return statSync(path).size <= MAX_BLANK && sizeOf(readFileSync(path, 'utf8')) === 0
  } catch {
    // There is none.
    return false
  }
}

/** Of any system: bundlers write `C:/` too. */
function isAbsolutePath(id: string): boolean {
  return posix.isAbsolute(id) || win32.isAbsolute(id)
}

function flawOf(map: unknown, code: string): TransformFault['returned'] | undefined {
  if (map === undefined || map === null) return 'no map'
  const size = sizeOf(map)
  if (size === undefined) return undefined
  if (size === 0) return 'an empty map'
  return code.length * MAPPING > COARSE * size ? 'a coarse map' : undefined
}

/** Characters of a map's mappings, without those that only end lines; undefined where that is not known. */
function sizeOf(map: unknown): number | undefined {
  const mappings =
    typeof map === 'string'
      ? (/"mappings"\s*:\s*"([^"]*)"/.exec(map)?.[1] ?? (map === '' ? '' : undefined))
      : (map as { mappings?: unknown }).mappings
  if (typeof mappings === 'string') return mappings.replaceAll(';', '').length
  return Array.isArray(mappings) ? MAPPING * mappings.flat().length : undefined
}
