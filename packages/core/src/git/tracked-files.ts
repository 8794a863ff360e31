import { dirname, isAbsolute, posix, relative } from 'node:path'
import type { Repository } from './repository.ts'

/** The maximum number of files to send. A typical chunk has fewer than 1000 source files. */
const MAX_FILES = 1000

export class TrackedFiles {
  readonly #root: string
  readonly #project: string
  readonly #tracked: ReadonlySet<string>
  readonly #byName = new Map<string, string[]>()
  readonly #endings = new Map<readonly string[], ReadonlyMap<string, string | undefined>>()

  /** @param projectDirectory the directory to which source names from bundlers are relative. */
  constructor({ root = '', trackedFiles }: Repository, projectDirectory: string) {
    this.#root = root
    this.#project = toPosix(relative(root, projectDirectory))
    this.#tracked = new Set(trackedFiles)
    for (const file of trackedFiles) {
      const name = posix.basename(file)
      const same = this.#byName.get(name)
      if (same) same.push(file)
      else this.#byName.set(name, [file])
    }
  }

  /** Returns the tracked files among the sources of a map, sorted and without duplicates. */
  among(sources: readonly string[], mapPath: string): string[] {
    if (this.#tracked.size === 0) return []
    const found = new Set<string>()
    const mapDirectory = toPosix(relative(this.#root, dirname(mapPath)))
    for (const source of sources) {
      const file = this.#find(source, mapDirectory)
      if (file !== undefined) found.add(file)
      if (found.size === MAX_FILES) break
    }
    return [...found].sort()
  }

  #find(source: string, mapDirectory: string): string | undefined {
    const plain = toPosix(source.replace(/[?#].*$/s, ''))
    // Dependencies are not part of the user's repository, even if a tracked file has the same name.
    if (plain === '' || plain.includes('node_modules/')) return undefined
    const sameName = this.#byName.get(plain.slice(plain.lastIndexOf('/') + 1))
    if (!sameName) return undefined
    const scheme = /^([a-z][a-z0-9+.-]+):\/\/[^/]*\//i.exec(plain)
    // Source names without a scheme are relative to the map. Source names with a scheme are relative to the project.
    const ofProject = posix.join(this.#project, plain.slice(scheme?.[0].length ?? 0))
    const besideMap = isAbsolute(plain) ? toPosix(relative(this.#root, plain)) : posix.join(mapDirectory, plain)
    if (!scheme && this.#tracked.has(besideMap)) return besideMap
    if (this.#tracked.has(ofProject)) return ofProject
    const ending = posix.normalize(plain.slice(scheme?.[0].length ?? 0)).replace(/^(?:\.{0,2}\/)+/, '')
    // A file name alone is not enough for a match, because names such as `index.ts` are too common.
    if (!ending.includes('/')) return undefined
    return this.#endingsOf(sameName).get(ending)
  }

  /** Maps each path suffix to the file that it identifies, or to undefined if several files share the suffix. */
  #endingsOf(sameName: readonly string[]): ReadonlyMap<string, string | undefined> {
    const known = this.#endings.get(sameName)
    if (known) return known
    const endings = new Map<string, string | undefined>()
    for (const file of sameName) {
      for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) {
        const ending = file.slice(at + 1)
        endings.set(ending, endings.has(ending) ? undefined : file)
      }
    }
    this.#endings.set(sameName, endings)
    return endings
  }
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/')
}
