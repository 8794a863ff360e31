import { constants } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { readEnds } from '../files/file-ends.ts'
import { removeFile } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { minifiedUrl } from '../settings/prefix.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import type { BuildOutput } from './outputs.ts'

/** In a directory with this file the scripts are copies, so that they go with their maps. It holds what {@link readStaged} reads. */
export const STAGED_MARK = '.symup-staged'
const ABOUT = 'Source maps that are still to be uploaded, with copies of their scripts. Made by symup; safe to delete.'
/** Far more than a mark needs. */
const MAX_MARK = 64 * 1024

/** What the mark of a directory says of the files in it. */
export interface StagedRelease {
  service: string
  version: string
  /** What the addresses of its files begin with. */
  minifiedPathPrefix: string
  /** Path of the project inside its repository. */
  projectPath: string
}

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
 * @param uploads of scripts below the output's directory.
 * @param context.later the build was asked to send nothing: maps that may stay in the output stay there, and the copies are kept in the project.
 */
export async function stage(
  { directory, deletable, contents }: BuildOutput,
  uploads: readonly SymbolUpload[],
  settings: Settings,
  { root, later }: { root: string; later: boolean },
): Promise<{ staged: Staged[]; problems: Problem[] }> {
  const staged = new Map<string, Staged>()
  const problems: Problem[] = []
  const stays = (map: string, why: string) => {
    const message = t`It could not be moved out of the output (${why}).`
    problems.push(problem('map-not-deleted', message, { file: shownPath(map, root) }))
  }
  const cache = later ? projectCache(settings, root) : settings.cacheDirectory.value
  const base = join(stagingDirectory(cache, settings), nameOf(directory, root))
  for (const upload of uploads) {
    const [map, script] = ['source_map', 'minified_file'].map((name) => upload.parts.find((part) => part.name === name))
    if (!map || !script || !('minified_url' in upload.event)) continue
    const file = relative(directory, script.path).split(sep).join('/')
    const prefix = prefixOf(upload.event.minified_url, file, settings.minifiedPathPrefix?.value ?? '')
    const key = `${upload.event.service} ${prefix}`
    const place = staged.get(key) ?? {
      directory: staged.size === 0 ? base : `${base}-${staged.size + 1}`,
      prefix,
      uploads: [],
      maps: [],
    }
    const why = await copied(map, script, join(place.directory, file))
    if (why === undefined) {
      staged.set(key, place)
      place.uploads.push(upload)
      const isFile = map.content === undefined
      const name = relative(directory, map.path).split(sep).join('/')
      if (isFile && !contents?.has(name) && (!later || deletable.has(name))) place.maps.push(map.path)
    } else stays(map.path, why)
  }
  // Two scripts may share a map.
  const maps = new Set([...staged.values()].flatMap(({ maps }) => maps))
  for (const map of maps) {
    const why = await removeFile(directory, map)
    if (why !== undefined) stays(map, why)
  }
  for (const place of staged.values()) {
    const mark = `${JSON.stringify({ about: ABOUT, ...releaseOf(place, settings) }, null, 2)}\n`
    await writeFile(join(place.directory, STAGED_MARK), mark).catch(() => {})
  }
  return { staged: [...staged.values()], problems }
}

function releaseOf({ uploads, prefix }: Staged, { service, version }: Settings): StagedRelease {
  const [event] = uploads.map((upload) => upload.event)
  return {
    service: event?.service ?? service.value,
    version: version.value,
    minifiedPathPrefix: prefix,
    projectPath: (event && 'project_path' in event && event.project_path) || '',
  }
}

/** @returns what the mark of a directory says; undefined where it is none, or none of this version. */
export async function readStaged(directory: string): Promise<StagedRelease | undefined> {
  try {
    const { bytes, head } = await readEnds(join(directory, STAGED_MARK), MAX_MARK, 0)
    const { service, version, minifiedPathPrefix, projectPath } = JSON.parse(bytes > MAX_MARK ? '' : `${head}`)
    const release = { service, version, minifiedPathPrefix, projectPath }
    return Object.values(release).every((it) => typeof it === 'string') && service && version ? release : undefined
  } catch {
    return undefined
  }
}

/** A build's cache takes along what lies in the project, not what is in the user's cache. */
function projectCache({ cacheDirectory: { value, from } }: Settings, root: string): string {
  return from.kind === 'default' ? join(root, 'node_modules/.cache/symup') : value
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
function stagingDirectory(cache: string, { service, version }: Settings): string {
  const [name, release] = [service, version].map(({ value }) => encodeURIComponent(value).slice(0, 100))
  return join(stagedBelow(cache), `${name}@${release}`)
}

/** Where all releases are that are still to be sent. */
export function stagedBelow(cache: string): string {
  return join(cache, 'staged')
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
