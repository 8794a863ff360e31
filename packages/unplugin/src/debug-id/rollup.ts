import { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from '@symup/core'
import type { Plugin } from 'vite'

/** A chunk or asset that Rollup, Rolldown or Vite passes to `generateBundle`. */
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

/** The hash in every file name includes this string, so that files with and without a debug id never have the same name. */
const HASHED = 'symup debug id 1'

/**
 * Returns hooks for two plugins that write a debug id into every chunk with a map, and into the map. The first plugin marks chunks before
 * integrity hashes are computed, but after `renderChunk`, because later minifiers would remove the comment. The second plugin runs last,
 * because Vite regenerates some maps. File names are hashed earlier, but the id depends only on the code, so files with the same name still
 * have the same content.
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
    // Vite builds workers separately, so they are assets in the main build.
    const map = bundle[sourcemapFileName ?? `${fileName}.map`]
    if (map?.source === undefined || (type === 'asset' && !fileName.endsWith('.js'))) continue
    const id = readDebugId(code ?? textOf(source ?? ''))
    if (id !== undefined) map.source = mapWithDebugId(textOf(map.source), id)
  }
}

function textOf(source: string | Uint8Array): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source)
}

/** Returns Rollup's hooks for the main build, and for workers, which Vite builds separately with their own plugins. */
export function viteDebugIds(): Partial<Plugin>[] {
  const ofWorkers = () => named(rollupDebugIds())
  const workers: Partial<Plugin> = { apply: 'build', config: () => ({ worker: { plugins: ofWorkers } }) }
  return [workers, ...rollupDebugIds().map((hooks): Partial<Plugin> => ({ ...hooks, apply: 'build', enforce: 'post' }))]
}

function named(hooks: Partial<Plugin>[]): Plugin[] {
  return hooks.map((own) => ({ name: 'symup:debug-id', ...own }))
}
