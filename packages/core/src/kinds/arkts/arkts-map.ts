import { statSync } from 'node:fs'
import { readRegular } from '../../files/open-regular.ts'
import { t } from '../../text.ts'

/** The maps of an app's module have a few MB. */
const MAX_BYTES = 64 * 1024 * 1024

/** What a `sourceMaps.map` holds: v3 maps by the name of their file. */
export interface ArkTsMap {
  /** How many files have a map. */
  files: number
  /** Entry packages of the names, in alphabetical order: what the module is called. */
  modules: string[]
  /** As they stand in it. */
  maps: Readonly<Record<string, unknown>>
}

/**
 * Looks at a `sourceMaps.map`, or says why the file is none, as the end of a sentence that begins with what it is.
 * @throws the file system's error when it cannot be read.
 */
export function readArkTsMap(path: string): ArkTsMap | { flaw: string } {
  const { size } = statSync(path)
  if (size > MAX_BYTES) return { flaw: t`has ${size} bytes, more than ${MAX_BYTES}` }
  let maps: unknown
  try {
    maps = JSON.parse(
      readRegular(path)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error
    return { flaw: t`is not JSON` }
  }
  if (typeof maps !== 'object' || maps === null || Array.isArray(maps)) return { flaw: t`is no JSON object` }
  if ('mappings' in maps) return { flaw: t`is the map of one file, not the maps of a module by name` }
  const entries = Object.entries(maps)
  if (entries.length === 0) return { flaw: t`holds no map` }
  const odd = entries.find(([, map]) => Number(map?.version) !== 3 || typeof map.mappings !== 'string')
  if (odd !== undefined) return { flaw: t`holds no v3 map under "${odd[0].slice(0, 100)}"` }
  // Older names are paths that begin with the module.
  const modules = new Set(entries.map(([key]) => key.split(/[|/]/, 1)[0] as string))
  return { files: entries.length, modules: [...modules].sort(), maps: maps as Record<string, unknown> }
}
