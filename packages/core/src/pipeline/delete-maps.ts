import { lstat, readdir, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBelow, removeFile } from '../files/remove-file.ts'
import { IS_MAP, isOddlyNamedMap } from '../leaks/known-files.ts'
import type { Plan, SymbolUpload } from '../model/plan.ts'
import type { OutcomeStatus } from '../model/report.ts'
import type { Problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { BuildOutput } from './outputs.ts'
import { mapStays, STAGED_MARK, scriptOf } from './staging.ts'

/** What became of the source maps of an output. */
export interface Deleted {
  /** Absolute paths of what is gone. */
  arrived: string[]
  /** Those that nobody sends: of style sheets, without a script, left out. */
  unsent: string[]
  /** Those that are still to be sent. */
  waiting: SymbolUpload[]
  problems: Problem[]
}

/** The status of each upload of the plan, where something was sent. */
export type Statuses = readonly (OutcomeStatus | undefined)[]

/**
 * Deletes the maps of an output that may go: those that the intake has, and, where none is to stay, those that nobody sends. Every file that
 * this build did not write stays, and so does whatever a symbolic link leads to.
 * @param root paths below it are shown relative to it.
 */
export async function deleteMaps(output: BuildOutput, plan: Plan, statuses: Statuses, root: string): Promise<Deleted> {
  const { directory, deletable, clears = false } = output
  const result: Deleted = { arrived: [], unsent: [], waiting: [], problems: [] }
  const planned = mapsOf(plan, statuses, output)
  for (const file of deletable) {
    const path = join(directory, file)
    const known = planned.get(path)
    if (known && known.missing.length > 0) {
      if (clears) result.waiting.push(...known.missing)
      continue
    }
    if (known === undefined && !(clears && (await isMap(path)))) continue
    if (output.contents?.has(file)) continue
    const why = removeFile(directory, path)
    if (why === undefined) (known ? result.arrived : result.unsent).push(path)
    // A build of another process, or whoever cleans up, was first.
    else if (why === 'ENOENT') result.arrived.push(...(known ? [path] : []))
    else result.problems.push(mapStays(path, t`It could not be deleted (${why}).`, { directory, root }))
  }
  return result
}

/** By the path of a map: the artifacts with it that have not arrived. */
function mapsOf(
  { uploads }: Plan,
  statuses: Statuses,
  { contents }: BuildOutput,
): Map<string, { missing: SymbolUpload[] }> {
  const maps = new Map<string, { missing: SymbolUpload[] }>()
  for (const [index, upload] of uploads.entries()) {
    const status = statuses[index]
    // The bytes of an inline map are not a file of the build.
    const map = upload.parts.find(
      ({ name, content }) => name === 'source_map' && Boolean(content) === Boolean(contents),
    )
    if (!map) continue
    const entry = maps.get(map.path) ?? { missing: [] }
    maps.set(map.path, entry)
    if (status !== 'accepted' && status !== 'already-there') entry.missing.push(upload)
  }
  return maps
}

/** By its name, or by what it holds: `world.map` of a game is none. */
async function isMap(path: string): Promise<boolean> {
  if (IS_MAP.test(path)) return (await lstat(path).catch(() => undefined)) !== undefined
  try {
    return isOddlyNamedMap(path)
  } catch {
    return false
  }
}

/**
 * In a directory of staged maps the scripts are copies: those whose maps are gone go as well, and so do directories that are empty then.
 * @param deleted paths of the maps.
 */
export async function deleteStagedCopies(directory: string, plan: Plan, deleted: readonly string[]): Promise<void> {
  const mark = join(directory, STAGED_MARK)
  if (!(await lstat(mark).catch(() => undefined))?.isFile()) return
  const gone = new Set(deleted)
  for (const upload of plan.uploads) {
    const script = scriptOf(upload)
    if (!script || !upload.parts.some(({ name, path }) => name === 'source_map' && gone.has(path))) continue
    removeFile(directory, script.path)
    await removeEmpty(dirname(script.path), directory)
  }
  const left = await readdir(directory).catch(() => [])
  if (left.some((name) => name !== STAGED_MARK)) return
  removeFile(directory, mark)
  await rmdir(directory).catch(() => {})
  // `shop@1.2.3`, when no other output of the release is there.
  await rmdir(dirname(directory)).catch(() => {})
}

async function removeEmpty(at: string, top: string): Promise<void> {
  for (let directory = at; isBelow(directory, top); directory = dirname(directory)) {
    try {
      await rmdir(directory)
    } catch {
      return
    }
  }
}
