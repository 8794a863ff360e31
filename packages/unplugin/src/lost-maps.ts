import { readFileSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { TransformFault, TransformFaults } from '@symup/core'
import { CALLS_OR_THROWS, OTHER_END } from '@symup/core/internal'
import { endingIn, withoutQuery } from '@symup/core/resolving'
import { t } from '@symup/core/text'

interface WrittenBundle {
  [file: string]: {
    type: string
    moduleIds?: readonly string[]
    /** In Rolldown, `map` and `modules` are getters that generate the map and the code on access. */
    map?: { sources?: readonly (string | null)[] } | null
    modules?: Readonly<Record<string, { code: string | null }>>
  }
}

/** File extensions of source code. Modules generated from other files, such as JSON, have no original code to map. */
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/
const COMPONENT = /\.(?:vue|svelte|astro)$/
/** Matches the style block of a component, which the component's compiler passes to other tools. */
const STYLE = /[?&]type=style\b/
/**
 * Matches signs of code: a script, a call, an expression, Astro's frontmatter, or a Vue directive. Plain markup contains no code to map.
 */
const HAS_CODE = /<script\b|[\w$]\(|\{|^---|\s(?:[@:#]|v-)[\w[]/m
const STYLES = /<style\b[\s\S]*?<\/style>/g

/**
 * Finds sources that are missing from a build's source maps because a plugin returned no map or an empty map. The class uses the bundler's
 * own data: the modules of each chunk, its map, and its log. It does not intercept other plugins.
 */
export class LostMaps {
  readonly #found = new Map<string, Omit<TransformFault, 'plugin'> & { plugin?: string }>()
  readonly #plugins = new Set<string>()

  get faults(): TransformFaults | undefined {
    if (this.#found.size === 0) return undefined
    // Rolldown logs the plugin names after it has written the files.
    const named = this.#plugins.size > 0 ? [...this.#plugins].join(', ') : t`a plugin`
    return new Map([...this.#found].map(([file, fault]) => [file, { plugin: named, ...fault }]))
  }

  /** Records plugins that the bundler's log reports for missing source maps. */
  hear({ code, plugin }: { code?: string | undefined; plugin?: string | undefined }): void {
    if (code === 'SOURCEMAP_BROKEN' && plugin) this.#plugins.add(plugin)
  }

  /** Compares the modules of each chunk with the sources of its map. */
  wrote(bundle: WrittenBundle): void {
    for (const chunk of Object.values(bundle)) {
      const own = (chunk.moduleIds ?? []).filter(isOwnCode)
      const sources = own.length > 0 ? chunk.map?.sources : undefined
      if (sources === undefined) continue
      const { modules = {} } = chunk
      const named = new Set(sources.map((source) => endOf(source ?? '')))
      const lost = own.filter(
        (id) => endingIn(named, fileOf(id)) === undefined && CALLS_OR_THROWS.test(modules[id]?.code ?? ''),
      )
      // Sources are also missing if a minifier and the bundler recognize different line terminators. Another check reports that case.
      if (lost.length > 0 && Object.values(modules).some(({ code }) => OTHER_END.test(code ?? ''))) continue
      for (const id of lost)
        if (!isMarkup(fileOf(id))) this.#found.set(fileOf(id), { returned: 'no map', isDropped: true })
    }
  }

  /**
   * Records a source whose loaders returned an empty map. Code that cannot throw, such as a module that contains only types, is ignored.
   */
  add(id: string, loaders: string, code: string): void {
    if (CALLS_OR_THROWS.test(code))
      this.#found.set(fileOf(id), { plugin: loaders, returned: 'an empty map', isDropped: true })
  }

  include(other: LostMaps): void {
    for (const [file, fault] of other.#found) this.#found.set(file, fault)
  }
}

/** Tests whether a module is the project's own code: a source file outside `node_modules` that is loaded without a query such as `?raw`. */
export function isOwnCode(id: string): boolean {
  const file = fileOf(id)
  if (!(posix.isAbsolute(id) || win32.isAbsolute(id)) || id.includes('node_modules')) return false
  return CODE.test(file) && !STYLE.test(id) && (!id.includes('?') || COMPONENT.test(file))
}

function fileOf(id: string): string {
  return withoutQuery(id).replaceAll('\\', '/')
}

/** Returns a source's path as it appears in a map, but without leading `..` segments. */
function endOf(source: string): string {
  return withoutQuery(source).replace(/^(?:[a-z]+:\/\/)?\/?(?:\.{1,2}\/)*/i, '')
}

function isMarkup(file: string): boolean {
  if (!COMPONENT.test(file)) return false
  try {
    return !HAS_CODE.test(readFileSync(file, 'utf8').replace(STYLES, ''))
  } catch {
    // If the source file does not exist, a plugin generated the module.
    return true
  }
}
