import { existsSync, lstatSync } from 'node:fs'
import { isBelow, removeFile } from '../files/remove-file.ts'
import { mapOf } from '../kinds/index.ts'
import type { KnownFiles } from '../leaks/known-files.ts'
import { IS_MAP, isOddlyNamedMap } from '../leaks/known-files.ts'
import type { Line } from '../model/line.ts'
import { hasArrived } from '../model/report.ts'
import type { Problem } from '../problems/problems.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { findLeftovers } from './leftovers.ts'
import { type Artifact, decideFates, type Fate } from './map-fates.ts'
import type { BuildOutput } from './outputs.ts'
import { inPlace, type ResumeContext, resumeLines, type ToSend } from './resume-command.ts'
import { deleteStagedCopies, mapStays, type Staged, stage } from './staging.ts'
import { unlinkMaps } from './unlink-maps.ts'

/** The state of a run at its end. */
export interface CleanUpInput extends Omit<ResumeContext, 'settings'> {
  outputs: readonly BuildOutput[]
  artifacts: readonly Artifact[]
  /** Incomplete if the configuration is unusable. */
  settings: Partial<Settings>
  /** False if the configuration is unusable or the key is missing. Default true. */
  sends?: boolean
  /** Search the outputs only for the API key. Default false. */
  keyOnly?: boolean
  dryRun?: boolean
  /** Source maps left in the outputs are an error. Otherwise one line lists them. */
  mapsMustGo?: boolean
  /** Every leak is an error. */
  strictFindings?: boolean
  /** Files that were searched during the upload. */
  known?: KnownFiles | undefined
}

export interface CleanedUp {
  /** Problems of the clean-up. */
  problems: Problem[]
  lines: Line[]
  leaks: { lines: Line[]; problems: Problem[] }
}

/** The clean-up of every run: deletes or stages the maps, removes references to them, and searches the outputs for leaks. */
export async function cleanUp(input: CleanUpInput): Promise<CleanedUp> {
  const { outputs, artifacts, root, dryRun = false } = input
  const cleared = clearMaps(input)
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
  const lines = [...remainingLines(input, cleared), ...deletedLines(cleared, input.sends ?? true), ...unlinked]
  const leaks = await findLeftovers(outputs, {
    ...{ root, hashed, known: input.known, keyOnly: input.keyOnly ?? false, isCommand: input.isCommand ?? false },
    mapsMustGo: input.mapsMustGo || input.strictFindings || false,
    strict: input.strictFindings ?? false,
    allow: listOf(input.settings.allow?.value),
    undeleted: problems.flatMap(({ code, file }) => (code === 'map-not-deleted' && file !== undefined ? [file] : [])),
    apiKey: input.settings.apiKey,
  })
  return { problems, lines, leaks }
}

/** What happened to the maps of all outputs. */
export interface ClearedMaps {
  /** Absolute paths of maps that were deleted from the outputs, for any reason. */
  gone: string[]
  arrived: number
  unneeded: number
  staged: Staged[]
  /** Absolute paths of maps that should have been removed but are still there. */
  kept: string[]
  problems: Problem[]
}

/** Deletes and stages maps as {@link decideFates} decides. Synchronous, so that it also works while the process exits. */
export function clearMaps({
  outputs,
  artifacts,
  settings,
  root,
  later = false,
  dryRun = false,
}: CleanUpInput): ClearedMaps {
  const all: ClearedMaps = { gone: [], arrived: 0, unneeded: 0, staged: [], kept: [], problems: [] }
  for (const output of outputs) {
    const { directory } = output
    const fates = decideFates(output, artifacts, { later, dryRun, isMap, exists: existsSync })
    const moved = stage(output, fates.stage, settings, { root, later })
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
  // Another process deleted the map.
  if (flaw === 'ENOENT' && why === 'unneeded') return
  if (flaw !== undefined && flaw !== 'ENOENT') {
    const message = why === 'staged' ? notMovedBecause(flaw) : t`It could not be deleted (${flaw}).`
    all.problems.push(mapStays(path, message, where))
    if (isBelow(path, where.directory)) all.kept.push(path)
    return
  }
  all.gone.push(path)
  if (why !== 'staged') all[why]++
}

/** Decides by name, or by content: a game's `world.map` is not a source map. */
function isMap(path: string): boolean {
  try {
    return IS_MAP.test(path) ? lstatSync(path, { throwIfNoEntry: false }) !== undefined : isOddlyNamedMap(path)
  } catch {
    return false
  }
}

const notMovedBecause = (why: string) => t`It could not be moved out of the output (${why}).`

function scriptGone(path: string, where: { directory: string; root: string }): Problem {
  return {
    ...mapStays(
      path,
      t`It was not uploaded, because its script was replaced by a compressed copy after the build.`,
      where,
    ),
    fix: t`Let the compression plugin keep the original files (deleteOriginFile: false, deleteOriginalAssets: false).`,
  }
}

/** The commands that send the rest, and the number of maps left in the outputs. */
export function remainingLines(input: CleanUpInput, { staged, kept }: ClearedMaps): Line[] {
  return [...commandLines(input, staged), ...(input.keyOnly ? [] : keptLines(kept))]
}

function commandLines(input: CleanUpInput, staged: readonly Staged[]): Line[] {
  const { artifacts, outputs, settings, isCommand, later } = input
  if (isCommand || later || !settings.service || !settings.version) return []
  const isStaged = new Set(staged.flatMap(({ uploads }) => uploads))
  const left = artifacts.filter(({ upload, status }) => !hasArrived(status) && !isStaged.has(upload))
  const uploads = left.map(({ upload }) => upload)
  const toSend: ToSend[] = [
    ...staged.map((place) => ({ ...place, isStaged: true })),
    ...inPlace(outputs, uploads, settings.minifiedPathPrefix?.value ?? ''),
  ]
  return toSend.length === 0 ? [] : resumeLines(toSend, { ...input, settings: settings as Settings })
}

function dryRunLine(): Line {
  return { severity: 'warning', text: t`Do not deploy the output of a dry run: its source maps are still there.` }
}

function keptLines({ length: count }: readonly string[]): Line[] {
  if (count === 0) return []
  const one = count === 1
  const text = t`Do not deploy this directory: ${count} source map${one ? '' : 's'} ${one ? 'is' : 'are'} still in it.`
  return [{ severity: 'warning', text }]
}

function deletedLines({ arrived, unneeded }: ClearedMaps, sends: boolean): Line[] {
  const lines: Line[] = []
  if (arrived > 0)
    lines.push({ severity: 'info', text: t`Deleted ${arrived} uploaded source map${arrived === 1 ? '' : 's'}.` })
  if (unneeded > 0) {
    const maps = t`${unneeded} source map${unneeded === 1 ? '' : 's'}`
    const text = sends
      ? t`Deleted ${maps} that the intake does not need.`
      : t`Deleted ${maps}, because nothing is uploaded.`
    lines.push({ severity: 'info', text })
  }
  return lines
}

/** A list setting as parsed. */
export function listOf(value: string | boolean | readonly string[] | undefined): readonly string[] {
  return value === undefined || typeof value === 'boolean' ? [] : [value].flat()
}
