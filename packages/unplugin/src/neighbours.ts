import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isInside, isScript } from '@symup/core/internal'
import type { BundleOutput } from './output.ts'

/**
 * What the builds of this process know of each other, at once or one after another: several may write into one directory, and each sends and deletes
 * its own files only. Of other processes nothing is known but when their files were written. Where two of them write into one directory at once,
 * each may take maps of the other for its own late ones; of two, one then finds a map gone that it has sent or wanted to delete.
 */
interface Presence {
  directory: string
}

/** Builds that have written or will write there files that nobody knows yet. */
const writing = new Set<Presence>()
/** Builds whose files are known, and whose maps may still lie there. */
const finishing = new Set<Presence>()
/** Scripts and maps of builds that are done with writing, by path, as they were then. */
const known = new Map<string, string>()

const MAP = /\.map(?:\.gz|\.br|\.zst)?$/

/**
 * A build is about to write below a directory. What it writes is nobody else's.
 * @returns to be called when its files are known, right before `finish` gets them, and when it failed.
 */
export function startWriting(directory: string): () => void {
  const presence = { directory }
  writing.add(presence)
  return () => void writing.delete(presence)
}

/** The files of builds are known, and their maps are about to go. */
export function startFinishing(outputs: readonly BundleOutput[]): { end(): void; hasNeighbour(at: string): boolean } {
  const own = new Set(outputs.map(({ directory }): Presence => ({ directory })))
  for (const presence of own) finishing.add(presence)
  return {
    end() {
      for (const presence of own) finishing.delete(presence)
    },
    hasNeighbour: (at) => isBeingWritten(at) || [...finishing].some((it) => !own.has(it) && overlap(it.directory, at)),
  }
}

/** Whether there may be files of a build below a directory that are not known yet. */
export function isBeingWritten(directory: string): boolean {
  return [...writing].some((it) => overlap(it.directory, directory))
}

/**
 * Keeps the scripts and maps of an output from being taken for another build's late files.
 * @returns when the last map of its own was written, in milliseconds since 1970; undefined where there is none.
 */
export function claim({ directory, files, deletable, copied = new Set(), contents }: BundleOutput): number | undefined {
  let newest: number | undefined
  if (contents) return newest
  for (const file of new Set([...files, ...deletable, ...copied])) {
    const isMap = MAP.test(file)
    if (!isMap && !isScript(file)) continue
    const path = join(directory, file)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) continue
    known.set(path, stampOf(stats))
    if (isMap && !copied.has(file)) newest = Math.max(newest ?? 0, stats.mtimeMs)
  }
  return newest
}

interface FileStats {
  mtimeMs: number
  size: number
}

/**
 * Takes a file that no build has, unless it may be of one that is still writing. One that was written again since it was taken is free.
 * @param place.isOwn it goes with a file of the build that takes it, so it is nobody else's.
 */
export function take(path: string, stats: FileStats, place: { directory: string; isOwn: boolean }): boolean {
  if (!place.isOwn && (isBeingWritten(place.directory) || known.get(path) === stampOf(stats))) return false
  known.set(path, stampOf(stats))
  return true
}

function stampOf({ mtimeMs, size }: FileStats): string {
  return `${mtimeMs} ${size}`
}

function overlap(one: string, other: string): boolean {
  return isInside(one, other) || isInside(other, one)
}
