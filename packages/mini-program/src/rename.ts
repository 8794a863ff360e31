import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { bytesOf, type MapSources } from './sources.ts'

interface NamedMap {
  sources: string[]
  sourcesContent?: readonly (string | null)[]
}

/**
 * In WeChat builds, Taro changes the name of `./src/a/b.ts` to `webpack://app/._src_a_b.ts`. Source: github.com/NervJS/taro/issues/9412.
 */
const FLATTENED = /^(webpack:\/\/[^/]*\/)(\.{1,2}_[^/]+)$/

/**
 * If several files have the same flattened name, their text decides.
 * @param project absolute path of the project.
 */
export function renameFlattened(sources: MapSources, project: string): MapSources {
  // Maps from other frameworks are packed without reading them completely.
  if (!sources.maps.some(({ file }) => /^taro\.js(?:\.map)?$/.test(file))) return sources
  const files = new FlattenedFiles(project)
  const maps = sources.maps.map((map) => ({
    ...map,
    ...(typeof map.content === 'string' && { path: map.content }),
    async *content() {
      const bytes = await bytesOf(map)
      yield renamed(bytes, files) ?? bytes
    },
  }))
  return { ...sources, maps }
}

/** @returns undefined if no name changes. The map then stays unchanged byte for byte. */
function renamed(bytes: Buffer, files: FlattenedFiles): Buffer | undefined {
  try {
    const map = JSON.parse(bytes.toString('utf8')) as NamedMap
    const named = (name: string, nth: number) => files.nameOf(name, map.sourcesContent?.[nth]) ?? name
    const sources = map.sources.map(named)
    if (sources.every((name, nth) => name === map.sources[nth])) return undefined
    return Buffer.from(JSON.stringify({ ...map, sources }))
  } catch {
    return undefined // The check of the archive reports the reason.
  }
}

/** Only directories with a matching name are listed. */
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

  /** A file name may itself contain `_`, so several files can match. */
  #below(directory: string, flattened: string): string[] {
    return this.#entriesOf(directory).flatMap((entry) => {
      const path = join(directory, entry)
      if (entry === flattened) return statSync(path).isFile() ? [path] : []
      return flattened.startsWith(`${entry}_`) ? this.#below(path, flattened.slice(entry.length + 1)) : []
    })
  }

  #entriesOf(directory: string): string[] {
    const known = this.#listed.get(directory) ?? namesIn(directory)
    this.#listed.set(directory, known)
    return known
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // The path is a file.
  }
}
