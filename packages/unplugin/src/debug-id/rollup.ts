import { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from '@symup/core'

/** A chunk or an asset as Rollup, Rolldown and Vite hand it to `generateBundle`. */
interface BundleFile {
  type: 'asset' | 'chunk'
  fileName: string
  code?: string
  map?: object | null
  sourcemapFileName?: string | null
  source?: string | Uint8Array
}

interface DebugIdHooks {
  augmentChunkHash?(): string
  generateBundle: { order: 'pre' | 'post'; handler(options: unknown, bundle: Record<string, BundleFile>): void }
}

/** Part of every file name's hash, so that a build with debug ids never has the name of one without. */
const HASHED = 'symup debug id 1'

/**
 * Two sets of hooks, each for a plugin of its own, that write a debug id into every chunk that has a map, and into the map. The chunk gets it
 * before any plugin computes integrity hashes of it; earlier, in `renderChunk`, minifiers that come after that (Rolldown's own) would drop
 * the comment. The map gets it last, because Vite makes some maps anew. File names were hashed before: the id depends on nothing but
 * the code, so equal names still mean equal bytes.
 */
export function rollupDebugIds(): [DebugIdHooks, DebugIdHooks] {
  return [
    { augmentChunkHash: () => HASHED, generateBundle: { order: 'pre', handler: (_, bundle) => markChunks(bundle) } },
    { generateBundle: { order: 'post', handler: (_, bundle) => markMaps(bundle) } },
  ]
}

function markChunks(bundle: Record<string, BundleFile>): void {
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk' || chunk.code === undefined || !chunk.map) continue
    if (readDebugId(chunk.code) === undefined) chunk.code = withDebugId(chunk.code, debugIdOf(chunk.code))
  }
}

function markMaps(bundle: Record<string, BundleFile>): void {
  for (const { type, fileName, code, source, sourcemapFileName } of Object.values(bundle)) {
    // Vite's workers are assets, made by a build of their own.
    const map = bundle[sourcemapFileName ?? `${fileName}.map`]
    if (map?.source === undefined || (type === 'asset' && !fileName.endsWith('.js'))) continue
    const id = readDebugId(code ?? textOf(source ?? ''))
    if (id !== undefined) map.source = mapWithDebugId(textOf(map.source), id)
  }
}

function textOf(source: string | Uint8Array): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source)
}
