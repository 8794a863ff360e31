import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { listFiles } from '@symup/core'
import { isScript, readRegular } from '@symup/core/internal'
import type { BundleOutput } from './output.ts'

const MAP = /\.[mc]?js\.map$/i
const COMPRESSED = ['.gz', '.br', '.zst']

export async function mapsBelow(directory: string): Promise<string[]> {
  const files = await listFiles(directory).catch(() => [])
  return files.filter((file) => MAP.test(file))
}

/** Every service worker that Workbox generates, or that includes Workbox, contains the string `workbox`. */
const WORKBOX = 'workbox'

/**
 * Returns an output together with files that were added after the bundler wrote it: compressed copies of its maps, and Workbox's service
 * workers with their maps. Other files are omitted, because they may belong to other builds or scripts.
 */
export async function withLateFiles(output: BundleOutput): Promise<BundleOutput> {
  if (output.contents) return output
  const { directory, mapsBefore, copied } = output
  const late: BundleOutput = { ...output, files: new Set(output.files), deletable: new Set(output.deletable) }
  for (const map of mapsBefore ? await mapsBelow(directory) : []) {
    const script = map.slice(0, -'.map'.length)
    if (mapsBefore?.has(map) || copied.has(map) || output.files.has(map)) continue
    const path = join(directory, script)
    if (!existsSync(path) || !readFileSync(path).includes(WORKBOX)) continue
    late.files.add(map).add(script)
    if (output.deletable.size > 0) late.deletable.add(map)
  }
  for (const map of [...late.deletable].filter((file) => file.endsWith('.map')))
    for (const ending of COMPRESSED) if (existsSync(join(directory, map + ending))) late.deletable.add(map + ending)
  const recovered = recoveredFiles(late)
  for (const file of recovered.keys()) late.files.add(file)
  return { ...late, recovered }
}

const UNPACK = { '.gz': gunzipSync, '.br': brotliDecompressSync }
const MAX_RECOVERED = 512 * 1024 * 1024

/** Returns the original content of scripts and maps that a compression plugin replaced with compressed copies. */
function recoveredFiles({ directory, files, recovered }: BundleOutput): Map<string, Uint8Array> {
  const found = new Map(recovered)
  for (const name of files) {
    const file = name.replace(/\.(?:gz|br|zst)$/, '')
    if ((!isScript(file) && !MAP.test(file)) || found.has(file) || existsSync(join(directory, file))) continue
    for (const [ending, unpack] of Object.entries(UNPACK)) {
      const copy = join(directory, file + ending)
      if (!existsSync(copy)) continue
      try {
        found.set(file, unpack(readRegular(copy), { maxOutputLength: MAX_RECOVERED }))
        break
      } catch {
        // The clean-up keeps maps that cannot be unpacked and reports the reason.
      }
    }
  }
  return found
}
