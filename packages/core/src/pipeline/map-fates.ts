import { join } from 'node:path'
import { isBelow } from '../files/remove-file.ts'
import { COMPRESSED } from '../files/walk.ts'
import { isScriptPath, mapOf } from '../kinds/index.ts'
import type { SymbolUpload } from '../model/plan.ts'
import { hasArrived } from '../model/report.ts'
import type { Artifact, BuildOutput } from './outputs.ts'

/**
 * What happens to a source map, and why.
 * - `arrived`: The intake has every artifact that contains the map.
 * - `staged`: Artifacts that the intake does not have are first copied to the cache directory.
 * - `unneeded`: No artifact contains the map, as with maps of style sheets.
 * - `waiting`: The map will be sent from its current path.
 * - `script-gone`: Another tool replaced the script with a compressed copy, so the map is not part of an artifact.
 */
export type Fate =
  | { does: 'delete'; why: 'arrived' | 'unneeded' }
  | { does: 'delete'; why: 'staged'; after: readonly SymbolUpload[] }
  | { does: 'keep'; why: 'waiting' | 'script-gone' | 'dry-run' }

export interface Fates {
  stage: SymbolUpload[]
  /** The fate of each map, keyed by its absolute path. Files without an entry stay unchanged. */
  maps: Map<string, Fate>
}

export interface Circumstances {
  /** Whether the upload is postponed, in which case every artifact is staged. */
  later: boolean
  dryRun: boolean
  isMap(path: string): boolean
  exists(path: string): boolean
}

/**
 * Decides what happens to the source maps in an output, without changing any file. An artifact's map is deleted only if the intake has the
 * artifact, or after the artifact was staged.
 */
export function decideFates(output: BuildOutput, artifacts: readonly Artifact[], circumstances: Circumstances): Fates {
  const { directory, deletable, contents } = output
  const { later, dryRun } = circumstances
  const byMap = artifactsByMap(artifacts)
  const stage = new Set<SymbolUpload>()
  if (later && !dryRun) for (const { upload } of artifacts) if (isOf(output, upload)) stage.add(upload)
  const maps = new Map<string, Fate>()
  for (const file of deletable) {
    const path = join(directory, file)
    const known = byMap.get(join(directory, plainName(file)))
    const fate = known ? fateOf(known, output, circumstances) : fateWithoutArtifact(file, output, circumstances)
    if (fate?.does === 'delete' && fate.why === 'staged') for (const upload of fate.after) stage.add(upload)
    // Files that exist only in memory are managed by the caller.
    if (fate && !contents?.has(file)) maps.set(path, fate)
  }
  return { stage: [...stage], maps }
}

function fateOf(known: readonly Artifact[], { clears = false }: BuildOutput, run: Circumstances): Fate | undefined {
  if (run.dryRun) return clears ? { does: 'keep', why: 'dry-run' } : undefined
  const missing = known.filter(({ status }) => !hasArrived(status)).map(({ upload }) => upload)
  if (missing.length === 0) return { does: 'delete', why: 'arrived' }
  return clears || run.later ? { does: 'delete', why: 'staged', after: missing } : { does: 'keep', why: 'waiting' }
}

function fateWithoutArtifact(file: string, output: BuildOutput, run: Circumstances): Fate | undefined {
  const path = join(output.directory, file)
  if (!run.isMap(path)) return undefined
  if (run.dryRun) return output.clears ? { does: 'keep', why: 'dry-run' } : undefined
  if (!output.clears) return { does: 'keep', why: 'waiting' }
  return isScriptGone(file, output, run) ? { does: 'keep', why: 'script-gone' } : { does: 'delete', why: 'unneeded' }
}

function isScriptGone(map: string, { directory, contents }: BuildOutput, { exists }: Circumstances): boolean {
  const script = plainName(map).slice(0, -'.map'.length)
  if (!isScriptPath(script) || contents?.has(script)) return false
  const path = join(directory, script)
  return !exists(path) && COMPRESSED.some((ending) => exists(path + ending))
}

function plainName(file: string): string {
  const ending = COMPRESSED.find((it) => file.endsWith(it))
  return ending === undefined ? file : file.slice(0, -ending.length)
}

function artifactsByMap(artifacts: readonly Artifact[]): Map<string, Artifact[]> {
  const byMap = new Map<string, Artifact[]>()
  for (const artifact of artifacts) {
    const map = mapOf(artifact.upload)
    if (!map) continue
    const others = byMap.get(map.path)
    if (others) others.push(artifact)
    else byMap.set(map.path, [artifact])
  }
  return byMap
}

export function isOf({ directory }: BuildOutput, { parts }: SymbolUpload): boolean {
  return parts.some(({ path }) => isBelow(path, directory))
}
