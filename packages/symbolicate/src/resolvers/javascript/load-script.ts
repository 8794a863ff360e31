import { type ByteSource, isHermesBytecode, isWasm, MemoryBytes } from '@symup/core/resolving'
import type { ScriptArtifact } from '../../artifacts.ts'
import { WeightedCache } from '../../cache.ts'
import { type StoredContent, withContent } from '../../content.ts'
import { PagedFile } from '../../paged-file.ts'
import { buildIndex, type IndexOptions } from './map-index/build-index.ts'
import { checkedMap } from './map-index/checked-map.ts'
import { IndexReader } from './map-index/format.ts'
import { SourceMap } from './source-map.ts'

/** A script's map, or why it has none. */
export type Script = { map: SourceMap } | { flaw: string }

/** Size limit in bytes for maps that are kept in memory. A larger map is read repeatedly. */
const MAX_KEPT = 16 * 1024 * 1024
/** Approximate memory of an open map itself. */
const MAP_BYTES = 2000

/**
 * Opens a script's map with its stored index, in parts if the map is remote. Without a stored index, creates one in memory.
 * @param isAgain whether this is a second attempt, without the stored index.
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
  kept.onWeight = (change) => cache.reweigh(contentKey, change)
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

/** Undefined if there is no usable index. */
async function storedIndex(artifact: ScriptArtifact, kept: WeightedCache<unknown>): Promise<IndexReader | undefined> {
  const path = await artifact.locate?.('index')
  if (path === undefined) return undefined
  try {
    return new IndexReader(new PagedFile(path, kept, 'index'))
  } catch {
    return undefined
  }
}

/** Undefined if a local copy exists, or if parts cannot be verified. */
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
async function makeIndex(map: StoredContent, artifact: ScriptArtifact): Promise<Buffer> {
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
 * @param map the map's path or bytes. The same applies to the script.
 * @throws the file system's error.
 */
export function indexOf(map: StoredContent, script: StoredContent | undefined, options: IndexOptions = {}): Buffer {
  return withContent(map, (bytes) => {
    if (script === undefined) return buildIndex(bytes, undefined, options)
    return withContent(script, (text) => buildIndex(bytes, isBytecode(text) ? undefined : text, options))
  })
}

/** For bytecode and WebAssembly, the map is the only source of information. */
function isBytecode(script: ByteSource): boolean {
  const head = Buffer.from(script.read(0, 8))
  return isHermesBytecode(head) || isWasm(head)
}

/** A map in memory. Its index is created immediately, without functions. @returns the reason if the map is unusable. */
export function mapInMemory(bytes: Uint8Array): Script {
  const map = new MemoryBytes(bytes)
  return scriptOf(new IndexReader(new MemoryBytes(buildIndex(map))), map, new WeightedCache(MAX_KEPT))
}
