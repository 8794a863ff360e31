import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside, listFiles } from '@symup/core/internal'
import type { BundleOutput } from './output.ts'

const MAP = /\.(?:[mc]?js|css)\.map(\.gz|\.br|\.zst)?$/

/** Milliseconds that the clock of a file may be behind: systems advance it with their ticks only. */
const TICK_MS = 20

/** Whether a file was written since the build began; some file systems know whole seconds only. Both in milliseconds since 1970. */
export function isWrittenSince(mtimeMs: number, since: number): boolean {
  return mtimeMs >= Math.floor((since - TICK_MS) / 1000) * 1000
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
 * there because maps are on, so they go as the others go. What lay there before, and what is copied from a public directory, is the user's.
 */
export async function withLateFiles(output: BundleOutput, input: LateFilesInput): Promise<BundleOutput> {
  const { directory, files, deletable, copied = new Set<string>(), deployed = '' } = output
  // Not written yet, or into the project itself: what else lies there is not of this build.
  if (output.contents || output.shared || isInside(input.root, directory)) return output
  const below = await listFiles(join(directory, deployed)).catch(() => [])
  const found = deployed === '' ? below : below.map((file) => `${deployed}/${file}`)
  const present = new Set(found)
  const late: BundleOutput = { ...output, files: new Set(files), deletable: new Set(deletable) }
  const deletes = deletable.size > 0
  for (const map of found) {
    const isCompressed = MAP.exec(map)?.[1]
    if (!MAP.test(map) || deletable.has(map) || copied.has(map)) continue
    if (!(await isOfThisBuild(directory, map, input))) continue
    const script = map.slice(0, -'.map'.length)
    if (isCompressed === undefined && present.has(script) && !script.endsWith('.css')) {
      late.files.add(map)
      late.files.add(script)
    }
    if (deletes) late.deletable.add(map)
  }
  return late
}

async function isOfThisBuild(directory: string, file: string, { root, since, publicDirectories }: LateFilesInput) {
  const path = join(directory, file)
  const { mtimeMs, size } = await stat(path)
  if (!isWrittenSince(mtimeMs, since)) return false
  for (const place of publicDirectories ?? [join(root, 'public'), join(root, 'static')]) {
    const original = await stat(join(place, file)).catch(() => undefined)
    if (original?.size !== size) continue
    const [ours, theirs] = await Promise.all([path, join(place, file)].map((it) => readFile(it)))
    if (ours?.equals(theirs as Buffer)) return false
  }
  return true
}
