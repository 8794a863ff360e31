import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SourceMapInput } from '@jridgewell/remapping'
import { listFiles, nameBelow } from '@symup/core'

interface RollupMap {
  sources: (string | null)[]
}

/**
 * `adapter-node` of SvelteKit 2 and Nitro 3 bundle the server again, so their maps point to Vite's server output. Composes the maps in
 * place so that they point to the sources, also for `--enable-source-maps`.
 * @param directory absolute path of the server. Unreadable maps stay unchanged.
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
      // A map cannot be decoded. The upload reports why.
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
