import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside, isScript, listFiles } from '@symup/core/internal'
import { claim, take } from './neighbours.ts'
import { type BundleOutput, PACKAGE } from './output.ts'

const MAP = /\.(?:[mc]?js|css)\.map(\.gz|\.br|\.zst)?$/i

/** Milliseconds that the clock of a file may be behind: systems advance it with their ticks only. */
const TICK_MS = 20
/** Milliseconds that the clock of a file system (a network's, a virtual machine's) may be behind. */
const MAX_LAG_MS = 5_000
const SECOND_MS = 1000

/** Whether a file was written since the build began; some file systems know whole seconds only. Both in milliseconds since 1970. */
export function isWrittenSince(mtimeMs: number, since: number): boolean {
  const first = since - TICK_MS
  return mtimeMs >= (mtimeMs % SECOND_MS === 0 ? Math.floor(first / SECOND_MS) * SECOND_MS : first)
}

/**
 * When a build began by the clock of the file system, which may be behind: then the build's own files seem older than the build.
 * Those that are much older were not written anew, as webpack does with what did not change, and tell nothing.
 * @param newest when the last of its own files was written.
 */
export function beginningOf(since: number, newest = since): number {
  return newest < since - MAX_LAG_MS ? since : Math.min(since, newest)
}

export interface LateFilesInput {
  /** Project directory. */
  root: string
  /** When the build began, in milliseconds since 1970. */
  since: number
  /** Directories that are copied into the output as they are. Default: `public` and `static` of the project. */
  publicDirectories?: readonly string[]
}

/**
 * An output with what other plugins wrote into it after the bundler: service workers with their maps, compressed copies of maps. Their maps are
 * there because maps are on, so they go as the others go. Scripts without a map are taken in to be told of. What lay there before, what other builds wrote, and what is copied from a public
 * directory, is not this build's. While another build writes there too, only what goes with this build's own files is taken, and the last one takes the rest.
 */
export async function withLateFiles(output: BundleOutput, input: LateFilesInput): Promise<BundleOutput> {
  const { directory, files, deletable, copied, leftToOthers, deployed = '' } = output
  // Before anything is awaited: another build may look meanwhile.
  const newest = claim(output)
  // Not written yet, or into the project itself: what else lies there is not of this build.
  if (output.contents || output.shared || isInside(input.root, directory)) return output
  const since = beginningOf(input.since, newest)
  const below = await listFiles(join(directory, deployed)).catch(() => [])
  const found = deployed === '' ? below : below.map((file) => `${deployed}/${file}`)
  const present = new Set(found)
  const late: BundleOutput = { ...output, files: new Set(files), deletable: new Set(deletable) }
  const deletes = deletable.size > 0
  for (const map of found) {
    const compression = MAP.exec(map)?.[1]
    if (!MAP.test(map) || deletable.has(map) || copied?.has(map) || leftToOthers?.has(map)) continue
    const plain = map.slice(0, map.length - (compression?.length ?? 0))
    const script = plain.slice(0, -'.map'.length)
    // Of the output already, and to be kept: nothing about it can change.
    if (!deletes && files.has(map) && files.has(script)) continue
    const path = join(directory, map)
    const stats = await stat(path).catch(() => undefined)
    if (!stats || !isWrittenSince(stats.mtimeMs, since) || (await isCopy(map, path, stats.size, input))) continue
    const isOwn = files.has(script) || files.has(plain) || deletable.has(plain)
    if (!take(path, stats, { directory, isOwn })) continue
    if (compression === undefined && present.has(script) && !/\.css$/i.test(script)) {
      late.files.add(map)
      late.files.add(script)
    }
    if (deletes) late.deletable.add(map)
  }
  if (output.isListed && !output.isServer) await addScripts(late, found, { ...input, since })
  return late
}

/** Those that others than the bundler wrote, and gave no map. */
async function addScripts(late: BundleOutput, found: readonly string[], input: LateFilesInput): Promise<void> {
  const { directory, files, copied = new Set() } = late
  late.copied = new Set(copied)
  for (const script of found) {
    if (!isScript(script) || PACKAGE.test(script) || files.has(script) || copied.has(script)) continue
    const path = join(directory, script)
    const stats = await stat(path).catch(() => undefined)
    if (!stats || !isWrittenSince(stats.mtimeMs, input.since)) continue
    if ((await isCopy(script, path, stats.size, input)) || !take(path, stats, { directory, isOwn: false })) continue
    files.add(script)
    late.copied.add(script)
  }
}

/** Whether a file is what lies in a public directory. */
async function isCopy(file: string, path: string, size: number, { root, publicDirectories }: LateFilesInput) {
  for (const place of publicDirectories ?? [join(root, 'public'), join(root, 'static')]) {
    const original = await stat(join(place, file)).catch(() => undefined)
    if (original?.size !== size) continue
    const [ours, theirs] = await Promise.all([path, join(place, file)].map((it) => readFile(it)))
    if (ours?.equals(theirs as Buffer)) return true
  }
  return false
}
