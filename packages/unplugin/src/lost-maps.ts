import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join, posix, win32 } from 'node:path'
import type { TransformFault, TransformFaults } from '@symup/core'
import { CALLS_OR_THROWS } from '@symup/core/internal'
import { withoutQuery } from '@symup/core/resolving'
import { t } from '@symup/core/text'

interface WrittenBundle {
  [file: string]: {
    type: string
    moduleIds?: readonly string[]
    /** Rolldown makes the code when it is asked for. */
    modules?: Readonly<Record<string, { code: string | null }>>
  }
}

/** What people write code in; data that a plugin makes a module of has no original. */
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/
const COMPONENT = /\.(?:vue|svelte|astro)$/
/** A part of a component, which its compiler gives others. */
const STYLE = /[?&]type=style\b/
/** A script, a call, an expression, Astro's frontmatter, or a directive of Vue: of markup alone a compiler has nothing to map. */
const HAS_CODE = /<script\b|[\w$]\(|\{|^---|\s(?:[@:#]|v-)[\w[]/m
const STYLES = /<style\b[\s\S]*?<\/style>/g

/**
 * Sources of a build that its source maps lack, because a plugin returned no map or an empty one. They are found by what the bundler tells: the
 * modules of each chunk, its map, and what it logs. What other plugins are given and return is not touched.
 */
export class LostMaps {
  readonly #found = new Map<string, Omit<TransformFault, 'plugin'> & { plugin?: string }>()
  readonly #plugins = new Set<string>()

  get faults(): TransformFaults | undefined {
    if (this.#found.size === 0) return undefined
    // Rolldown logs the names after it has written the files.
    const named = this.#plugins.size > 0 ? [...this.#plugins].join(', ') : t`a plugin`
    return new Map([...this.#found].map(([file, fault]) => [file, { plugin: named, ...fault }]))
  }

  /** Notes the plugin that Rollup or Rolldown names where one returned no map. */
  hear({ code, plugin }: { code?: string | undefined; plugin?: string | undefined }): void {
    if (code === 'SOURCEMAP_BROKEN' && plugin) this.#plugins.add(plugin)
  }

  /** Compares the modules of each chunk with the sources of its map. */
  wrote(directory: string, bundle: WrittenBundle): void {
    for (const [name, { type, moduleIds = [], modules = {} }] of Object.entries(bundle)) {
      if (type !== 'chunk') continue
      const own = moduleIds.filter(isOwnCode)
      const sources = own.length > 0 ? sourcesOf(join(directory, `${name}.map`)) : undefined
      if (sources === undefined) continue
      const named = new Set(sources.map(endOf))
      for (const id of own) {
        if (isNamed(fileOf(id), named) || !CALLS_OR_THROWS.test(modules[id]?.code ?? '')) continue
        if (!isMarkup(fileOf(id))) this.#found.set(fileOf(id), { returned: 'no map', isDropped: true })
      }
    }
  }

  /** Notes a source whose loaders returned an empty map. */
  add(id: string, loaders: string): void {
    this.#found.set(fileOf(id), { plugin: loaders, returned: 'an empty map', isDropped: true })
  }

  include(other: LostMaps): void {
    for (const [file, fault] of other.#found) this.#found.set(file, fault)
  }
}

/** Whether a module is code of the project: a file, and not a part of it under a query such as `?raw`. */
export function isOwnCode(id: string): boolean {
  const file = fileOf(id)
  if (!(posix.isAbsolute(id) || win32.isAbsolute(id)) || id.includes('node_modules')) return false
  return CODE.test(file) && !STYLE.test(id) && (!id.includes('?') || COMPONENT.test(file))
}

function fileOf(id: string): string {
  return withoutQuery(id).replaceAll('\\', '/')
}

/** The end of a path by which a map calls a source: without what leads out of the map's directory. */
function endOf(source: string): string {
  return withoutQuery(source).replace(/^(?:[a-z]+:\/\/)?\/?(?:\.{1,2}\/)*/i, '')
}

function isNamed(file: string, ends: ReadonlySet<string>): boolean {
  for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1))
    if (ends.has(file.slice(at + 1))) return true
  return false
}

/** Each character fits one alternative only, so that no text takes long. */
const LIST = /"sources":\s*(\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\])/
/** A map begins with the list of its sources, but for maps with very many. */
const HEAD_BYTES = 64 * 1024

/** The sources of a map, of which no more is read than its head: core reads the rest once, for its check. Undefined where there is no map. */
function sourcesOf(path: string): string[] | undefined {
  try {
    const head = headOf(path, HEAD_BYTES)
    const [, list = '[]'] = LIST.exec(head) ?? LIST.exec(readFileSync(path, 'utf8')) ?? []
    const sources: unknown[] = JSON.parse(list)
    return sources.filter((source) => typeof source === 'string')
  } catch {
    return undefined
  }
}

function headOf(path: string, bytes: number): string {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(bytes)
    return head.toString('utf8', 0, readSync(file, head, 0, bytes, 0))
  } finally {
    closeSync(file)
  }
}

function isMarkup(file: string): boolean {
  if (!COMPONENT.test(file)) return false
  try {
    return !HAS_CODE.test(readFileSync(file, 'utf8').replace(STYLES, ''))
  } catch {
    // It is made by a plugin, and nobody's source.
    return true
  }
}
