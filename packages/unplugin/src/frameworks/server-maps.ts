import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SourceMapInput } from '@jridgewell/remapping'
import { listFiles, nameBelow } from '@symup/core'

interface RollupMap {
  sources: (string | null)[]
}

/**
 * What `adapter-node` of SvelteKit 2 and Nitro 3 run is bundled once more, and the maps of that lead to what Vite wrote for a server. Leads them on
 * to the sources, in the files themselves, so that `--enable-source-maps` finds these too.
 * @param directory absolute; of what runs on the server. A map that cannot be read stays as it is.
 */
export async function composeServerMaps(directory: string): Promise<void> {
  const { default: remapping } = await import('@jridgewell/remapping')
  const further = new Map<string, SourceMapInput>()
  for (const file of await listFiles(directory).catch(() => [])) {
    if (!/\.[mc]?js\.map$/.test(file)) continue
    const path = join(directory, file)
    const map = await readMap(path)
    if (map === undefined) continue
    const sources = map.sources.map((source) => source && pathToFileURL(resolve(dirname(path), source)).href)
    for (const source of sources) {
      if (!source || further.has(source)) continue
      const inner = await readMap(`${fileURLToPath(source)}.map`)
      if (inner) further.set(source, inner as unknown as SourceMapInput)
    }
    if (!sources.some((source) => source && further.has(source))) continue
    try {
      const composed = remapping({ ...map, sources } as never, (source, { depth }) =>
        depth === 1 ? further.get(source) : null,
      )
      composed.sources = composed.sources.map((source) => source && nameFrom(dirname(path), source))
      await writeFile(path, JSON.stringify(composed))
    } catch {
      // One of them cannot be decoded: what it is shows when it is uploaded.
    }
  }
}

async function readMap(path: string): Promise<RollupMap | undefined> {
  try {
    const map = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(map.sources) ? map : undefined
  } catch {
    return undefined
  }
}

/** As Rollup names sources: relative to the map. */
function nameFrom(directory: string, source: string): string {
  return source.startsWith('file:') ? nameBelow(directory, fileURLToPath(source)) : source
}
