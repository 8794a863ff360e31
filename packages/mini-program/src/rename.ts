import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, parse, posix, relative } from 'node:path'
import { withoutQuery } from '@symup/core/resolving'

/**
 * Matches a name that Taro flattened. In WeChat builds, Taro changes `./src/a/b.ts` to `webpack://app/._src_a_b.ts`. Source:
 * github.com/NervJS/taro/issues/9412.
 */
const FLATTENED = /^(webpack:\/\/[^/]*\/)(\.{1,2}_[^/]+)$/
/** The directories that can contain a uni-app project's pages. */
const INPUTS = ['src', '.']

/** Finds project files by source names that frameworks shortened. */
export class ProjectFiles {
  readonly #project: string
  readonly #flattened: FlattenedFiles

  /** @param project the absolute path of the project. */
  constructor(project: string) {
    this.#project = project
    this.#flattened = new FlattenedFiles(project)
  }

  /**
   * @param content the source's content in the map.
   * @param map the path of the map in the mini program.
   * @returns undefined if the name is already complete or no file matches.
   */
  nameOf(source: string, content: string | null | undefined, map: string): string | undefined {
    return this.#flattened.nameOf(source, content) ?? this.#besideScript(source, map)
  }

  /**
   * In builds for Alipay, uni-app's maps contain only the file name of a source. The source's directory in the project is the same as the
   * script's directory in the output.
   */
  #besideScript(source: string, map: string): string | undefined {
    const name = withoutQuery(source)
    if (/[\\/:]/.test(source) || parse(name).name !== posix.basename(map, '.js.map')) return undefined
    const directory = posix.dirname(map)
    const isThere = INPUTS.some((input) => isFile(join(this.#project, input, directory, name)))
    return isThere ? posix.join(directory, source) : undefined
  }
}

/**
 * Finds files by their flattened names. If several files have the same flattened name, their contents are compared. Only directories with
 * matching names are read.
 */
class FlattenedFiles {
  readonly #project: string
  readonly #listed = new Map<string, string[]>()

  constructor(project: string) {
    this.#project = project
  }

  nameOf(source: string, content: string | null | undefined): string | undefined {
    const [, root = '', flattened] = FLATTENED.exec(source) ?? []
    if (flattened === undefined) return undefined
    let [directory, rest] = [this.#project, flattened.replace(/^\._/, '')]
    for (; rest.startsWith('.._'); rest = rest.slice('.._'.length)) directory = dirname(directory)
    const found = this.#below(directory, rest)
    const own = found.length > 1 ? found.find((file) => readFileSync(file, 'utf8') === content) : found[0]
    if (own === undefined) return undefined
    const name = relative(this.#project, own).replaceAll('\\', '/')
    return `${root}${name.startsWith('../') ? '' : './'}${name}`
  }

  /** Returns the matching files. Several files can match, because file names may themselves contain `_`. */
  #below(directory: string, flattened: string): string[] {
    return this.#entriesOf(directory).flatMap((entry) => {
      const path = join(directory, entry)
      if (entry === flattened) return isFile(path) ? [path] : []
      return flattened.startsWith(`${entry}_`) ? this.#below(path, flattened.slice(entry.length + 1)) : []
    })
  }

  #entriesOf(directory: string): string[] {
    const known = this.#listed.get(directory) ?? namesIn(directory)
    this.#listed.set(directory, known)
    return known
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // The path is a file.
  }
}
