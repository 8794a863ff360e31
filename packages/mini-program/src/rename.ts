import { bytesOf, type MapSources, type SourceNames } from './sources.ts'

/** Restores the project's names of sources that a framework renamed in its maps. */
export function rename(sources: MapSources, names: SourceNames): MapSources {
  const maps = sources.maps.map((map) => ({
    ...map,
    ...(typeof map.content === 'string' && { path: map.content }),
    async *content() {
      const bytes = await bytesOf(map)
      yield renamed(bytes, names) ?? bytes
    },
  }))
  return { ...sources, maps }
}

function renamed(bytes: Buffer, names: SourceNames): Buffer | undefined {
  try {
    const map = JSON.parse(bytes.toString('utf8')) as { sources: string[] }
    return Buffer.from(JSON.stringify({ ...map, sources: map.sources.map((name) => names.get(name) ?? name) }))
  } catch {
    return undefined // What it is shows when the archive is checked.
  }
}
