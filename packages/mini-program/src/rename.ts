import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listFiles } from '@symup/core'
import { bytesOf, type MapSources, type SourceNames } from './sources.ts'

interface NamedMap {
  sources: string[]
  sourcesContent?: readonly (string | null)[]
}

type Rename = (name: string, content: string | null | undefined) => string | undefined

/** Restores the project's names of sources that a framework renamed in its maps. */
export function rename(sources: MapSources, names: SourceNames): MapSources {
  return renamedBy(sources, async () => (name) => names.get(name))
}

/** Taro's name for `./src/a/b.ts` in WeChat builds: `webpack://app/._src_a_b.ts`. */
const FLATTENED = /^(webpack:\/\/[^/]*\/)(\._[^/]+)$/

/**
 * Does the same after the build, with names from the project's files. If several files have the same flattened name, the one with the
 * source's text wins.
 * @param project absolute.
 */
export function renameFlattened(sources: MapSources, project: string): MapSources {
  // Maps of others are packed without being read as a whole.
  if (!sources.maps.some(({ file }) => file === 'taro.js.map')) return sources
  let listed: Promise<ReadonlyMap<string, string[]>> | undefined
  return renamedBy(sources, async (names) => {
    if (!names.some((name) => FLATTENED.test(name))) return undefined
    listed ??= byFlattenedName(project)
    const files = await listed
    return (name, content) => {
      const [, root = '', flattened = ''] = FLATTENED.exec(name) ?? []
      const found = files.get(flattened) ?? []
      const own =
        found.length > 1 ? found.find((file) => readFileSync(join(project, file), 'utf8') === content) : found[0]
      return own === undefined ? undefined : `${root}./${own}`
    }
  })
}

async function byFlattenedName(project: string): Promise<ReadonlyMap<string, string[]>> {
  const enters = async (path: string) => !/^(?:\..*|node_modules)$/.test(basename(path))
  const names = new Map<string, string[]>()
  for (const file of await listFiles(project, { enters }).catch(() => [])) {
    const flattened = `._${file.replaceAll('/', '_')}`
    names.set(flattened, [...(names.get(flattened) ?? []), file])
  }
  return names
}

/** @param renaming returns new names for the sources of a map; undefined if none changes, which keeps the map byte for byte. */
function renamedBy(sources: MapSources, renaming: (names: string[]) => Promise<Rename | undefined>): MapSources {
  const maps = sources.maps.map((map) => ({
    ...map,
    ...(typeof map.content === 'string' && { path: map.content }),
    async *content() {
      const bytes = await bytesOf(map)
      yield (await renamed(bytes, renaming)) ?? bytes
    },
  }))
  return { ...sources, maps }
}

async function renamed(bytes: Buffer, renaming: (names: string[]) => Promise<Rename | undefined>) {
  try {
    const map = JSON.parse(bytes.toString('utf8')) as NamedMap
    const rename = await renaming(map.sources)
    const named = (name: string, nth: number) => rename?.(name, map.sourcesContent?.[nth]) ?? name
    return rename && Buffer.from(JSON.stringify({ ...map, sources: map.sources.map(named) }))
  } catch {
    return undefined // The check of the archive reports the reason.
  }
}
