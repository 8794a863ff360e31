import { readFileSync, statSync } from 'node:fs'

/** The maps of an app's module have a few MB. */
export const LARGEST_ARKTS_MAP = 64 * 1024 * 1024

/**
 * Why a file is no `sourceMaps.map`, as the end of a sentence; undefined when it is one: an object of v3 maps by the name of their file.
 * @throws the file system's error when it cannot be read.
 */
export function arktsMapFlaw(path: string): string | undefined {
  const { size } = statSync(path)
  if (size > LARGEST_ARKTS_MAP) return `has ${size} bytes, more than ${LARGEST_ARKTS_MAP}`
  let maps: unknown
  try {
    maps = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error
    return 'is not JSON'
  }
  if (typeof maps !== 'object' || maps === null || Array.isArray(maps)) return 'is no JSON object'
  if ('mappings' in maps) return 'is the map of one file, not the maps of a module by name'
  const entries = Object.entries(maps)
  if (entries.length === 0) return 'holds no map'
  const odd = entries.find(([, map]) => Number(map?.version) !== 3 || typeof map.mappings !== 'string')
  return odd === undefined ? undefined : `holds no v3 map under "${odd[0].slice(0, 100)}"`
}
