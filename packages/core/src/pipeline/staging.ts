import { constants } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { removeFile } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { minifiedUrl } from '../settings/prefix.ts'
import type { Settings } from '../settings/settings.ts'

/** In a directory with this file the scripts are copies, so that they go with their maps. */
export const STAGED_MARK = '.symup-staged'
const MARK_TEXT =
  'Source maps that are still to be uploaded, with copies of their scripts. Made by symup; safe to delete.\n'

/** Artifacts that were moved out of a build's output. */
export interface Staged {
  /** Absolute. */
  directory: string
  /** What the addresses of its files begin with. */
  prefix: string
  uploads: SymbolUpload[]
  /** Where the maps were; those from memory were nowhere. */
  maps: string[]
}

/**
 * Moves source maps out of an output, with copies of their scripts, so that they can be sent later and do not ship. What an earlier build left
 * there stays: it may have been deployed.
 * @param uploads of scripts below `directory`.
 */
export async function stage(
  directory: string,
  uploads: readonly SymbolUpload[],
  settings: Settings,
  root: string,
): Promise<{ staged: Staged[]; problems: Problem[] }> {
  const staged = new Map<string, Staged>()
  const problems: Problem[] = []
  const stays = (map: string, why: string) => {
    const message = `It could not be moved out of the output (${why}).`
    problems.push(problem('map-not-deleted', message, { file: shownPath(map, root) }))
  }
  const base = join(stagingDirectory(settings), nameOf(directory, root))
  for (const upload of uploads) {
    const [map, script] = ['source_map', 'minified_file'].map((name) => upload.parts.find((part) => part.name === name))
    if (!map || !script || !('minified_url' in upload.event)) continue
    const file = relative(directory, script.path).split(sep).join('/')
    const prefix = prefixOf(upload.event.minified_url, file, settings.minifiedPathPrefix?.value ?? '')
    const place = staged.get(prefix) ?? {
      directory: staged.size === 0 ? base : `${base}-${staged.size + 1}`,
      prefix,
      uploads: [],
      maps: [],
    }
    const why = await copied(map, script, join(place.directory, file))
    if (why === undefined) {
      staged.set(prefix, place)
      place.uploads.push(upload)
      if (!map.content) place.maps.push(map.path)
    } else stays(map.path, why)
  }
  // Two scripts may share a map.
  const maps = new Set([...staged.values()].flatMap(({ maps }) => maps))
  for (const map of maps) {
    const why = await removeFile(directory, map)
    if (why !== undefined) stays(map, why)
  }
  for (const place of staged.values()) await writeFile(join(place.directory, STAGED_MARK), MARK_TEXT).catch(() => {})
  return { staged: [...staged.values()], problems }
}

/** @returns why it could not be copied; undefined when both files were. */
async function copied(map: FilePart, script: FilePart, to: string): Promise<string | undefined> {
  try {
    await mkdir(dirname(to), { recursive: true })
    await copyPart(script, to)
    await copyPart(map, `${to}.map`)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message
  }
}

function copyPart({ path, content }: FilePart, to: string): Promise<void> {
  return content ? writeFile(to, content) : copyFile(path, to, constants.COPYFILE_FICLONE)
}

/** `<cache directory>/staged/shop@1.2.3` */
function stagingDirectory({ cacheDirectory, service, version }: Settings): string {
  const [name, release] = [service, version].map(({ value }) => encodeURIComponent(value).slice(0, 100))
  return join(cacheDirectory.value, 'staged', `${name}@${release}`)
}

/** `apps/web/dist` → `apps-web-dist` */
function nameOf(directory: string, root: string): string {
  return (
    shownPath(directory, root)
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+/, '') || 'output'
  )
}

/** What stands before the file in its address; a framework may have its own. */
export function prefixOf(url: string, file: string, usual: string): string {
  if (minifiedUrl(usual, file) === url) return usual
  const end = minifiedUrl('', file)
  return url.endsWith(end) ? url.slice(0, -end.length) || '/' : usual
}
