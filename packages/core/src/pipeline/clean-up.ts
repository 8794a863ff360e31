import { existsSync, lstatSync } from 'node:fs'
import { isBelow, removeFile } from '../files/remove-file.ts'
import { mapOf } from '../kinds/index.ts'
import { IS_MAP, isOddlyNamedMap } from '../leaks/map-files.ts'
import type { Line } from '../model/line.ts'
import { hasArrived } from '../model/report.ts'
import type { Problem } from '../problems/problems.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { findLeftovers } from './leftovers.ts'
import { decideFates, type Fate } from './map-fates.ts'
import type { RunState } from './outputs.ts'
import { inPlace, resumeLines, type ToSend } from './resume-command.ts'
import { deleteStagedCopies, mapStays, type Staged, stage } from './staging.ts'
import { unlinkMaps } from './unlink-maps.ts'

export interface CleanedUp {
  problems: Problem[]
  lines: Line[]
  leaks: { lines: Line[]; problems: Problem[] }
}

/** Cleans up after every run: deletes or stages the maps, removes references to them, and searches the outputs for leaks. */
export async function cleanUp(run: RunState): Promise<CleanedUp> {
  const { outputs, artifacts, root, dryRun = false } = run
  const cleared = clearMaps(run)
  const { problems } = cleared
  if (dryRun)
    return { problems, lines: cleared.kept.length > 0 ? [dryRunLine()] : [], leaks: { lines: [], problems: [] } }
  const unlinked: Line[] = []
  const hashed: string[] = []
  for (const { directory, hashedIn } of outputs) {
    const gone = cleared.gone.filter((path) => isBelow(path, directory))
    deleteStagedCopies(
      directory,
      artifacts.map(({ upload }) => upload),
      gone,
    )
    const names = await unlinkMaps(directory, gone, root, hashedIn)
    unlinked.push(...names.lines)
    hashed.push(...names.hashed)
  }
  const undeleted = problems.flatMap(({ code, file = '' }) => (code === 'map-not-deleted' ? [file] : []))
  const leaks = await findLeftovers(run, { hashed, undeleted })
  return { problems, lines: [...remainingLines(run, cleared), ...deletedLines(cleared, run), ...unlinked], leaks }
}

export interface ClearedMaps {
  /** The absolute paths of maps that were deleted from the outputs, for any reason. */
  gone: string[]
  arrived: number
  unneeded: number
  staged: Staged[]
  /** The absolute paths of maps that should have been removed but still exist. */
  kept: string[]
  problems: Problem[]
}

/** Deletes and stages maps according to {@link decideFates}. All calls are synchronous, so that they also work while the process exits. */
export function clearMaps(run: RunState): ClearedMaps {
  const { outputs, artifacts, root, later = false, dryRun = false } = run
  const all: ClearedMaps = { gone: [], arrived: 0, unneeded: 0, staged: [], kept: [], problems: [] }
  for (const output of outputs) {
    const { directory } = output
    const fates = decideFates(output, artifacts, { later, dryRun, isMap, exists: existsSync })
    const moved = stage(output, fates.stage, run)
    all.staged.push(...moved.staged)
    const isStaged = new Set(moved.staged.flatMap(({ uploads }) => uploads))
    for (const [upload, why] of moved.failed)
      all.problems.push(mapStays(mapOf(upload)?.path ?? '', notMovedBecause(why), { directory, root }))
    for (const [path, fate] of fates.maps) {
      if (fate.does === 'keep') {
        all.kept.push(path)
        if (fate.why === 'script-gone') all.problems.push(scriptGone(path, { directory, root }))
      } else if (fate.why === 'staged' && !fate.after.every((upload) => isStaged.has(upload))) all.kept.push(path)
      else remove(path, fate, all, { directory, root })
    }
  }
  return all
}

function remove(
  path: string,
  { why }: Fate & { does: 'delete' },
  all: ClearedMaps,
  where: { directory: string; root: string },
): void {
  const flaw = removeFile(where.directory, path)
  // Another process has already deleted the map.
  if (flaw === 'ENOENT' && why === 'unneeded') return
  if (flaw !== undefined && flaw !== 'ENOENT') {
    const message = why === 'staged' ? notMovedBecause(flaw) : t`The source map could not be deleted (${flaw}).`
    all.problems.push(mapStays(path, message, where))
    if (isBelow(path, where.directory)) all.kept.push(path)
    return
  }
  all.gone.push(path)
  if (why !== 'staged') all[why]++
}

function isMap(path: string): boolean {
  try {
    return IS_MAP.test(path) ? lstatSync(path, { throwIfNoEntry: false }) !== undefined : isOddlyNamedMap(path)
  } catch {
    return false
  }
}

const notMovedBecause = (why: string) => t`The source map could not be moved out of the output (${why}).`

function scriptGone(path: string, where: { directory: string; root: string }): Problem {
  return {
    ...mapStays(
      path,
      t`The source map was not uploaded because its script was replaced by a compressed copy after the build.`,
      where,
    ),
    fix: t`Configure the compression plugin to keep the original files (deleteOriginFile: false, deleteOriginalAssets: false).`,
  }
}

export function remainingLines(run: RunState, { staged, kept }: ClearedMaps): Line[] {
  return [...commandLines(run, staged), ...(run.keyOnly ? [] : keptLines(kept))]
}

function commandLines(run: RunState, staged: readonly Staged[]): Line[] {
  const { artifacts, outputs, settings, isCommand, later } = run
  if (isCommand || later || !settings.service || !settings.version) return []
  const isStaged = new Set(staged.flatMap(({ uploads }) => uploads))
  const left = artifacts.filter(({ upload, status }) => !hasArrived(status) && !isStaged.has(upload))
  const uploads = left.map(({ upload }) => upload)
  const toSend: ToSend[] = [
    ...staged.map((place) => ({ ...place, isStaged: true })),
    ...inPlace(outputs, uploads, settings.minifiedPathPrefix?.value ?? ''),
  ]
  return toSend.length === 0 ? [] : resumeLines(toSend, { ...run, settings: settings as Settings })
}

function dryRunLine(): Line {
  return { severity: 'warning', text: t`Do not deploy the output of a dry run, because it still contains source maps.` }
}

function keptLines({ length: count }: readonly string[]): Line[] {
  if (count === 0) return []
  const text = t`Do not deploy this directory, because it still contains ${count} source map${count === 1 ? '' : 's'}.`
  return [{ severity: 'warning', text }]
}

function deletedLines({ arrived, unneeded }: ClearedMaps, { sendsNothing }: RunState): Line[] {
  const lines: Line[] = []
  if (arrived > 0)
    lines.push({ severity: 'info', text: t`Deleted ${arrived} uploaded source map${arrived === 1 ? '' : 's'}.` })
  if (unneeded > 0) {
    const text = sendsNothing
      ? t`Deleted ${unneeded} source map${unneeded === 1 ? '' : 's'} because nothing was uploaded.`
      : t`Deleted ${unneeded} source map${unneeded === 1 ? '' : 's'} that the intake does not need.`
    lines.push({ severity: 'info', text })
  }
  return lines
}
