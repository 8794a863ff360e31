import { type ByteSource, isHermesBytecode, isWasm, MemoryBytes, withFileBytes } from '@symup/core/resolving'
import type { ScriptArtifact } from '../../artifacts.ts'
import { WeightedCache } from '../../cache.ts'
import { PagedFile } from '../../paged-file.ts'
import { buildIndex, type IndexOptions } from './map-index/build-index.ts'
import { checkedMap } from './map-index/checked-map.ts'
import { IndexReader } from './map-index/format.ts'
import { SourceMap } from './source-map.ts'

/** A script's map, or why there is none. */
export type Script = { map: SourceMap } | { flaw: string }

/** Memory limit per map in bytes. A larger one is read repeatedly. */
const MAX_KEPT = 16 * 1024 * 1024
/** Approximate memory of an open map itself. */
const MAP_BYTES = 2000

/**
 * Opens a script's map with its stored index, in parts if the map is remote, or creates an index in memory.
 * @param isAnew whether to use neither what is cached nor a stored index.
 */
export async function loadScript(
  artifact: ScriptArtifact,
  cache: WeightedCache<Script>,
  isAnew: boolean,
): Promise<Script> {
  const { contentKey } = artifact
  const cached = isAnew ? undefined : cache.get(contentKey)
  if (cached) return cached
  cache.delete(contentKey)
  const kept = new WeightedCache<unknown>(MAX_KEPT)
  const { script, weight } = await openScript(artifact, kept, isAnew)
  cache.set(contentKey, script, weight + kept.weight)
  kept.onWeight = (change) => cache.reweigh(contentKey, change)
  return script
}

async function openScript(
  artifact: ScriptArtifact,
  kept: WeightedCache<unknown>,
  isAnew: boolean,
): Promise<{ script: Script; weight: number }> {
  const index = isAnew ? undefined : await storedIndex(artifact, kept)
  const distant = index && (await distantMap(artifact, index, kept))
  if (index && distant) return { script: scriptOf(index, distant, kept), weight: MAP_BYTES }
  const content = (await artifact.locate?.('map')) ?? (await artifact.readMap())
  const isFile = typeof content === 'string'
  const map = isFile ? new PagedFile(content, kept, 'map') : new MemoryBytes(content)
  const weight = MAP_BYTES + (isFile ? 0 : content.length)
  if (index) return { script: scriptOf(index, map, kept), weight }
  const made = await makeIndex(content, artifact)
  return { script: scriptOf(new IndexReader(new MemoryBytes(made)), map, kept), weight: weight + made.length }
}

function scriptOf(index: IndexReader, map: ByteSource, kept: WeightedCache<unknown>): Script {
  const { flaw } = index.facts
  return flaw === undefined ? { map: new SourceMap(index, map, kept) } : { flaw }
}

/** undefined if there is no usable index. */
async function storedIndex(artifact: ScriptArtifact, kept: WeightedCache<unknown>): Promise<IndexReader | undefined> {
  const path = await artifact.locate?.('index')
  if (path === undefined) return undefined
  try {
    return new IndexReader(new PagedFile(path, kept, 'index'))
  } catch {
    return undefined
  }
}

/** undefined if a local copy exists, or parts cannot be verified. */
async function distantMap(
  artifact: ScriptArtifact,
  index: IndexReader,
  kept: WeightedCache<unknown>,
): Promise<ByteSource | undefined> {
  if (index.count('pages') === 0) return undefined
  const { size, readNow } = (await artifact.distantMap?.()) ?? {}
  return size === undefined || !readNow ? undefined : checkedMap(size, readNow, index, kept)
}

/** A cached copy of the script may be deleted before it is opened. */
async function makeIndex(map: string | Uint8Array, artifact: ScriptArtifact): Promise<Buffer> {
  const script = await artifact.locate?.('script')
  try {
    if (script !== undefined) return indexOf(map, script)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return indexOf(map, await artifact.readScript())
}

/**
 * Creates the index of a map and its script.
 * @param map its path or its bytes, like the script's.
 * @throws the file system's error.
 */
export function indexOf(
  map: string | Uint8Array,
  script: string | Uint8Array | undefined,
  options: IndexOptions = {},
): Buffer {
  return withBytes(map, (bytes) => {
    if (script === undefined) return buildIndex(bytes, undefined, options)
    return withBytes(script, (text) => buildIndex(bytes, isBytecode(text) ? undefined : text, options))
  })
}

/** Of bytecode and WebAssembly nothing is known but the map. */
function isBytecode(script: ByteSource): boolean {
  const head = Buffer.from(script.read(0, 8))
  return isHermesBytecode(head) || isWasm(head)
}

function withBytes<T>(content: string | Uint8Array, run: (bytes: ByteSource) => T): T {
  return typeof content === 'string' ? withFileBytes(content, undefined, run) : run(new MemoryBytes(content))
}

/** A map in memory. Its index is created immediately, without functions. @returns the reason if it is unusable. */
export function mapInMemory(bytes: Uint8Array): Script {
  const map = new MemoryBytes(bytes)
  return scriptOf(new IndexReader(new MemoryBytes(buildIndex(map))), map, new WeightedCache(MAX_KEPT))
}
