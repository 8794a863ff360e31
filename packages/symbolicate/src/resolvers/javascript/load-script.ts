import { type ByteSource, isHermesBytecode, isWasm, MemoryBytes } from '@symup/core/resolving'
import type { ScriptArtifact } from '../../artifacts.ts'
import { WeightedCache } from '../../cache.ts'
import { type StoredContent, withContent } from '../../content.ts'
import { PagedFile } from '../../paged-file.ts'
import { buildIndex, type IndexOptions } from './map-index/build-index.ts'
import { checkedMap } from './map-index/checked-map.ts'
import { IndexReader } from './map-index/format.ts'
import { SourceMap } from './source-map.ts'

export type Script = { map: SourceMap } | { flaw: string }

/** The maximum number of bytes of a map to keep in memory. Other parts of larger maps are read again when they are needed. */
const MAX_KEPT = 16 * 1024 * 1024
/** The approximate memory usage of an open map in bytes, excluding its content. */
const MAP_BYTES = 2000

/**
 * Opens the source map of a script with its stored index. Without a stored index, an index is created in memory. Only the necessary parts
 * of a remote map are read.
 * @param isAgain whether this is the second attempt, which does not use the stored index.
 */
export async function loadScript(
  artifact: ScriptArtifact,
  cache: WeightedCache<Script>,
  isAgain: boolean,
): Promise<Script> {
  const { contentKey } = artifact
  const cached = isAgain ? undefined : cache.get(contentKey)
  if (cached) return cached
  cache.delete(contentKey)
  const kept = new WeightedCache<unknown>(MAX_KEPT)
  const { script, weight } = await openScript(artifact, kept, isAgain)
  cache.set(contentKey, script, weight + kept.weight)
  kept.onWeight = () => cache.reweigh(contentKey, weight + kept.weight)
  return script
}

async function openScript(
  artifact: ScriptArtifact,
  kept: WeightedCache<unknown>,
  isAgain: boolean,
): Promise<{ script: Script; weight: number }> {
  const index = isAgain ? undefined : await storedIndex(artifact, kept)
  const distant = index && (await distantMap(artifact, index, kept))
  if (index && distant) return { script: scriptOf(index, distant, kept), weight: MAP_BYTES }
  const path = await artifact.locate?.('map')
  if (index && path !== undefined)
    return { script: scriptOf(index, new PagedFile(path, kept, 'map'), kept), weight: MAP_BYTES }
  const bytes = path === undefined ? await artifact.readMap() : undefined
  const map = bytes ? new MemoryBytes(bytes) : new PagedFile(path as string, kept, 'map')
  if (index) return { script: scriptOf(index, map, kept), weight: MAP_BYTES + map.size }
  const made = await makeIndex(path ?? bytes ?? Buffer.alloc(0), artifact)
  const script = scriptOf(new IndexReader(new MemoryBytes(made)), map, kept)
  return { script, weight: MAP_BYTES + made.length + (bytes?.length ?? 0) }
}

function scriptOf(index: IndexReader, map: ByteSource, kept: WeightedCache<unknown>): Script {
  const { flaw } = index.facts
  return flaw === undefined ? { map: new SourceMap(index, map, kept) } : { flaw }
}

async function storedIndex(artifact: ScriptArtifact, kept: WeightedCache<unknown>): Promise<IndexReader | undefined> {
  const path = await artifact.locate?.('index')
  if (path === undefined) return undefined
  try {
    return new IndexReader(new PagedFile(path, kept, 'index'))
  } catch {
    return undefined
  }
}

/** Returns undefined if a local copy of the map exists, or if the index cannot be used to verify parts of the map. */
async function distantMap(
  artifact: ScriptArtifact,
  index: IndexReader,
  kept: WeightedCache<unknown>,
): Promise<ByteSource | undefined> {
  if (index.count('pages') === 0) return undefined
  const { size, readNow } = (await artifact.distantMap?.()) ?? {}
  return size === undefined || !readNow ? undefined : checkedMap(size, readNow, index, kept)
}

async function makeIndex(map: StoredContent, artifact: ScriptArtifact): Promise<Buffer> {
  return indexOf(map, (await artifact.locate?.('script')) ?? (await artifact.readScript()))
}

/**
 * Creates the index for a source map and its script. Each file can be specified as a path or as bytes.
 * @throws the file system error if a file cannot be read.
 */
export function indexOf(map: StoredContent, script: StoredContent | undefined, options: IndexOptions = {}): Buffer {
  return withContent(map, (bytes) => {
    if (script === undefined) return buildIndex(bytes, undefined, options)
    return withContent(script, (text) => buildIndex(bytes, isBytecode(text) ? undefined : text, options))
  })
}

/** Bytecode and WebAssembly are not parsed, so only the map contains information about functions. */
function isBytecode(script: ByteSource): boolean {
  const head = Buffer.from(script.read(0, 8))
  return isHermesBytecode(head) || isWasm(head)
}

/**
 * Opens a source map in memory. The index is created immediately and contains no functions.
 * @returns the reason if the map is unusable.
 */
export function mapInMemory(bytes: Uint8Array): Script {
  const map = new MemoryBytes(bytes)
  return scriptOf(new IndexReader(new MemoryBytes(buildIndex(map))), map, new WeightedCache(MAX_KEPT))
}
