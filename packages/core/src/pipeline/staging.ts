import { constants, copyFileSync, lstatSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readEnds } from '../files/file-ends.ts'
import { makeDirectory } from '../files/make-directory.ts'
import { nameBelow } from '../files/name-below.ts'
import { isBelow, removeFile } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import { mapOf, scriptOf } from '../kinds/index.ts'
import type { ReactNativeSourceMapEvent } from '../kinds/react-native/event.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { minifiedUrl } from '../settings/prefix.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import type { BuildOutput } from './outputs.ts'

/**
 * Marks a directory of staged maps. Its scripts are copies, and are deleted together with their maps. The file contains
 * the data for {@link readStaged}.
 */
export const STAGED_MARK = '.symup-staged'
const ABOUT = 'Source maps that are still to be uploaded, with copies of their scripts. Made by symup; safe to delete.'
/** Far more than a mark needs. */
const MAX_MARK = 64 * 1024

/** The data in a directory's mark. */
export interface StagedRelease {
  service: string
  version: string
  /** Prefix of its files' addresses. */
  minifiedPathPrefix: string
  /** Path of the project inside its repository. */
  projectPath: string
  /** For a React Native bundle: its name in stacks. It is the only script in its directory. */
  bundle?: StagedBundle
}

type Release = Pick<Settings, 'service' | 'version'>
type StagedBundle = Pick<ReactNativeSourceMapEvent, 'platform' | 'build_version' | 'bundle_name'>

/** Artifacts that were moved out of a build's output. */
export interface Staged {
  /** Absolute. */
  directory: string
  /** Prefix of its files' addresses. */
  prefix: string
  uploads: SymbolUpload[]
}

/**
 * Copies source maps with their scripts to the cache directory for a later upload. Keeps copies of an earlier build,
 * because that build may have been deployed. Synchronous, so that it also works while the process exits.
 * @param uploads of scripts below the output's directory.
 * @param context.later the upload was postponed on purpose: the copies are stored in the project.
 * @returns `failed`: why an artifact could not be copied, as the end of a sentence.
 */
export function stage(
  { directory }: BuildOutput,
  uploads: readonly SymbolUpload[],
  settings: Partial<Settings>,
  { root, later }: { root: string; later: boolean },
): { staged: Staged[]; failed: Map<SymbolUpload, string> } {
  const staged = new Map<string, Staged>()
  const failed = new Map<SymbolUpload, string>()
  const { cacheDirectory, service, version, minifiedPathPrefix } = settings
  if (!cacheDirectory || !service || !version) return { staged: [], failed }
  const cache = later ? projectCache({ cacheDirectory }, root) : cacheDirectory.value
  const release = stagingDirectory(cache, { service, version })
  const base = join(release, nameOf(directory, root))
  for (const upload of uploads) {
    const map = mapOf(upload)
    const script = scriptOf(upload)
    if (!map || !script) continue
    const bundle = bundleOf(upload)
    const file = bundle ? basename(script.filename) : nameBelow(directory, script.path)
    const usual = minifiedPathPrefix?.value ?? ''
    const prefix = 'minified_url' in upload.event ? prefixOf(upload.event.minified_url, file, usual) : ''
    const name = bundle && encodeURIComponent(Object.values(bundle).join('-'))
    const key = `${upload.event.service} ${name ?? prefix}`
    const place = staged.get(key) ?? {
      directory: name !== undefined ? join(release, name) : staged.size === 0 ? base : `${base}-${staged.size + 1}`,
      prefix,
      uploads: [],
    }
    const why = copied(map, script, join(place.directory, file))
    if (why !== undefined) {
      failed.set(upload, why)
      continue
    }
    staged.set(key, place)
    place.uploads.push(upload)
  }
  for (const place of staged.values()) {
    const mark = `${JSON.stringify({ about: ABOUT, ...releaseOf(place, { service, version }) }, null, 2)}\n`
    try {
      writeFileSync(join(place.directory, STAGED_MARK), mark)
    } catch (error) {
      for (const upload of place.uploads.splice(0)) failed.set(upload, codeOf(error))
    }
  }
  return { staged: [...staged.values()].filter(({ uploads }) => uploads.length > 0), failed }
}

/**
 * The problem for a map that could not be removed from the output. If the build writes a map to another directory on
 * purpose, the map stays there.
 */
export function mapStays(path: string, message: string, where: { directory: string; root: string }): Problem {
  const details = { file: shownPath(path, where.root) }
  if (isBelow(path, where.directory)) return problem('map-not-deleted', message, details)
  return problem('map-not-deleted', t`It is outside the output, and symup deletes files only in the output.`, {
    ...details,
    severity: 'info',
    fix: t`Ignore this unless that directory is deployed, too. If it is, delete it before the deployment.`,
  })
}

function bundleOf({ event }: SymbolUpload): StagedBundle | undefined {
  if (!('bundle_name' in event)) return undefined
  const { platform, build_version, bundle_name } = event
  return { platform, build_version, bundle_name }
}

function releaseOf({ uploads, prefix }: Staged, { service, version }: Release): StagedRelease {
  const [event] = uploads.map((upload) => upload.event)
  const bundle = uploads[0] && bundleOf(uploads[0])
  return {
    ...(bundle && { bundle }),
    service: event?.service ?? service.value,
    version: version.value,
    minifiedPathPrefix: prefix,
    projectPath: (event && 'project_path' in event && event.project_path) || '',
  }
}

/** @returns the data of a directory's mark; undefined if the mark is missing or has another version. */
export async function readStaged(directory: string): Promise<StagedRelease | undefined> {
  try {
    const { bytes, head } = readEnds(join(directory, STAGED_MARK), MAX_MARK, 0)
    const { service, version, minifiedPathPrefix, projectPath, bundle } = JSON.parse(bytes > MAX_MARK ? '' : `${head}`)
    const release = { service, version, minifiedPathPrefix, projectPath }
    if (!Object.values(release).every((it) => typeof it === 'string') || !service || !version) return undefined
    if (bundle === undefined) return release
    return isBundle(bundle) ? { ...release, bundle } : undefined
  } catch {
    return undefined
  }
}

/** A mark is untrusted: it may only refer to files in its own directory. */
function isBundle(it: Partial<StagedBundle>): it is StagedBundle {
  const { platform, build_version, bundle_name = '' } = it
  const isName = typeof bundle_name === 'string' && bundle_name !== '' && basename(bundle_name) === bundle_name
  return (platform === 'android' || platform === 'ios') && typeof build_version === 'string' && isName
}

/** Whether a path is a directory of staged maps. The path may also be a file, or not exist. */
function isStaged(directory: string): boolean {
  try {
    return lstatSync(join(directory, STAGED_MARK)).isFile()
  } catch {
    return false
  }
}

/**
 * Deletes copied scripts whose maps are gone from directories of staged maps, then empty directories.
 * @param uploads of the run.
 * @param gone absolute paths of maps.
 */
export function deleteStagedCopies(directory: string, uploads: readonly SymbolUpload[], gone: readonly string[]): void {
  if (!isStaged(directory)) return
  const deleted = new Set(gone)
  for (const upload of uploads) {
    const script = scriptOf(upload)
    if (!script || !deleted.has(mapOf(upload)?.path ?? '')) continue
    removeFile(directory, script.path)
    for (let at = dirname(script.path); isBelow(at, directory) && removeEmpty(at); ) at = dirname(at)
  }
  if (readdirSync(directory).some((name) => name !== STAGED_MARK)) return
  removeFile(directory, join(directory, STAGED_MARK))
  // Also removes the entry `shop@1.2.3` if it has no other output.
  if (removeEmpty(directory)) removeEmpty(dirname(directory))
}

function removeEmpty(directory: string): boolean {
  try {
    rmdirSync(directory)
    return true
  } catch {
    return false
  }
}

/**
 * The cache directory in the project, which build caches preserve. The user's own cache also contains other projects.
 */
export function projectCache(
  { cacheDirectory: { value, from } }: Pick<Settings, 'cacheDirectory'>,
  root: string,
): string {
  return from.kind === 'default' ? join(root, 'node_modules/.cache/symup') : value
}

/** @returns why an artifact could not be copied; undefined if both files were copied. */
function copied(map: FilePart, script: FilePart, to: string): string | undefined {
  try {
    makeDirectory(dirname(to))
    copyPart(script, to)
    copyPart(map, `${to}.map`)
    return undefined
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message
}

function copyPart({ path, content }: FilePart, to: string): void {
  if (content) writeFileSync(to, content)
  else copyFileSync(path, to, constants.COPYFILE_FICLONE)
}

/** `<cache directory>/staged/shop@1.2.3` */
function stagingDirectory(cache: string, { service, version }: Release): string {
  const [name, release] = [service, version].map(({ value }) => encodeURIComponent(value).slice(0, 100))
  return join(stagedBelow(cache), `${name}@${release}`)
}

/** The directory with all staged releases. */
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

/** The address without the file's path. A framework may have its own prefix. */
export function prefixOf(url: string, file: string, usual: string): string {
  if (minifiedUrl(usual, file) === url) return usual
  const end = minifiedUrl('', file)
  return url.endsWith(end) ? url.slice(0, -end.length) || '/' : usual
}
