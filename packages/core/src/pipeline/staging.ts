import { constants, copyFileSync, lstatSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readEnds } from '../files/file-ends.ts'
import { makeDirectory } from '../files/make-directory.ts'
import { nameBelow } from '../files/name-below.ts'
import { isBelow, isInside, removeFile } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import { addressOf, kindOf, mapOf, scriptOf } from '../kinds/index.ts'
import type { UploadEvent } from '../model/event.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { minifiedUrl } from '../settings/prefix.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import type { BuildOutput, RunState } from './outputs.ts'

/**
 * The file that marks a directory of staged maps and contains the data for {@link readStaged}. The scripts in a marked directory are
 * copies, which symup deletes together with their maps.
 */
export const STAGED_MARK = '.symup-staged'
const ABOUT = 'Source maps that are still to be uploaded, with copies of their scripts. Made by symup; safe to delete.'
/** The maximum size of a mark file. Valid mark files are much smaller. */
const MAX_MARK = 64 * 1024

/** The content of a mark file. The command for the artifact type uses these values to upload the directory. */
export interface StagedRelease {
  type: string
  service: string
  version: string
  /** The URL prefix of the artifacts, or '' if artifacts of this type have no URL. */
  minifiedPathPrefix: string
  /** The path argument of the upload command, relative to the directory. */
  path: string
  flags: Readonly<Record<string, string>>
}

type Release = Pick<Settings, 'service' | 'version'>

export interface Staged {
  /** The absolute path of the directory that contains the copies. */
  directory: string
  prefix: string
  /** The path of the only script, or `.` for all scripts in the directory. */
  path: string
  uploads: SymbolUpload[]
}

/**
 * Copies source maps and their scripts to the cache directory for a later upload. Copies from an earlier build are kept, because that build
 * may have been deployed. All calls are synchronous, so that they also work while the process exits.
 * @param uploads uploads of scripts in the output's directory.
 * @param run the state of the run. If the upload was postponed, the copies are stored in the project.
 * @returns `failed`, the reason why an artifact could not be copied, phrased as the end of a sentence.
 */
export function stage(
  { directory }: BuildOutput,
  uploads: readonly SymbolUpload[],
  { root, later, settings }: Pick<RunState, 'root' | 'later' | 'settings'>,
): { staged: Staged[]; failed: Map<SymbolUpload, string> } {
  const staged = new Map<string, Staged>()
  const failed = new Map<SymbolUpload, string>()
  const { cacheDirectory, service, version, minifiedPathPrefix } = settings
  if (!cacheDirectory || !service || !version) return { staged: [], failed }
  const cache = later ? projectCache({ cacheDirectory }, root) : cacheDirectory.value
  const release = stagingDirectory(cache, { service, version })
  const base = join(release, nameOf(directory, root))
  for (const upload of uploads) {
    const { event } = upload
    const map = mapOf(upload)
    const script = scriptOf(upload)
    const flags = kindOf(event)?.flagsOf?.(event)
    if (!map || !script || !flags) continue
    const address = addressOf(event)
    const file = address === undefined ? basename(script.filename) : nameBelow(directory, script.path)
    const prefix = address === undefined ? '' : prefixOf(address, file, minifiedPathPrefix?.value ?? '')
    // Several scripts without an address may have the same file name, so the key also contains the flags.
    const own = address === undefined ? encodeURIComponent([...Object.values(flags), file].join('-')) : undefined
    const key = `${event.service} ${own ?? prefix}`
    const place = staged.get(key) ?? {
      directory: own !== undefined ? join(release, own) : staged.size === 0 ? base : `${base}-${staged.size + 1}`,
      prefix,
      path: own === undefined ? '.' : file,
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
 * Returns the problem for a map that could not be removed from the output. Maps outside the output directory stay there, because the build
 * wrote them there intentionally.
 */
export function mapStays(path: string, message: string, where: { directory: string; root: string }): Problem {
  const details = { file: shownPath(path, where.root) }
  if (isBelow(path, where.directory)) return problem('map-not-deleted', message, details)
  return problem('map-not-deleted', t`The source map is outside the output directory, so symup does not delete it.`, {
    ...details,
    severity: 'info',
    fix: t`If you do not deploy that directory, ignore this message. Otherwise, delete the source map before you deploy the directory.`,
  })
}

function releaseOf({ uploads: [upload], prefix, path }: Staged, { service, version }: Release): StagedRelease {
  const { event } = upload as SymbolUpload
  return {
    type: event.type,
    service: event.service ?? service.value,
    version: version.value,
    minifiedPathPrefix: prefix,
    path,
    flags: kindOf(event)?.flagsOf?.(event) ?? {},
  }
}

/** @returns the data in a directory's mark, or undefined if the mark is missing or invalid. */
export function readStaged(directory: string): StagedRelease | undefined {
  try {
    const { bytes, head } = readEnds(join(directory, STAGED_MARK), MAX_MARK, 0)
    const { about: _, ...mark } = JSON.parse(bytes > MAX_MARK ? '' : `${head}`)
    return isRelease(mark, directory) ? mark : undefined
  } catch {
    return undefined
  }
}

/** Marks are untrusted. A mark may refer only to files in its own directory, and may contain only the flags that {@link stage} writes. */
function isRelease({ path, flags, ...staged }: StagedRelease, directory: string): boolean {
  const { service, version, minifiedPathPrefix } = staged
  const texts = [service, version, minifiedPathPrefix, path, ...Object.values(flags)]
  if (texts.some((it) => typeof it !== 'string') || !service || !version) return false
  const kind = kindOf(staged)
  const written = kind?.flagsOf?.(staged as unknown as UploadEvent)
  if (!written) return false
  const isFlag = ([name, value]: [string, string]) =>
    Object.hasOwn(written, name) && (kind?.command?.flags?.[name]?.choices?.includes(value) ?? true)
  return isInside(resolve(directory, path), directory) && Object.entries(flags).every(isFlag)
}

function isStaged(directory: string): boolean {
  try {
    return lstatSync(join(directory, STAGED_MARK)).isFile()
  } catch {
    return false
  }
}

/**
 * Deletes copied scripts whose maps have been deleted, and then deletes empty directories.
 * @param uploads the uploads of the run.
 * @param gone the absolute paths of deleted maps.
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
  // The parent directory, such as `shop@1.2.3`, is also removed if it contains no other output.
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
 * Returns the project's own cache directory, which build caches preserve. The user's cache directory is not used, because it also contains
 * data of other projects.
 */
export function projectCache(
  { cacheDirectory: { value, from } }: Pick<Settings, 'cacheDirectory'>,
  root: string,
): string {
  return from.kind === 'default' ? join(root, 'node_modules/.cache/symup') : value
}

/** @returns the reason why an artifact could not be copied, or undefined if both files were copied. */
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

/** Returns a path such as `<cache directory>/staged/shop@1.2.3`. */
function stagingDirectory(cache: string, { service, version }: Release): string {
  const [name, release] = [service, version].map(({ value }) => encodeURIComponent(value).slice(0, 100))
  return join(stagedBelow(cache), `${name}@${release}`)
}

export function stagedBelow(cache: string): string {
  return join(cache, 'staged')
}

/** Converts `apps/web/dist` to `apps-web-dist`. */
function nameOf(directory: string, root: string): string {
  return (
    shownPath(directory, root)
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+/, '') || 'output'
  )
}

/**
 * Returns the prefix of a script's URL, which is the URL without the path of the file. Frameworks may use their own prefix for some
 * scripts, so the result may differ from `usual`.
 */
export function prefixOf(url: string, file: string, usual: string): string {
  if (minifiedUrl(usual, file) === url) return usual
  const end = minifiedUrl('', file)
  return url.endsWith(end) ? url.slice(0, -end.length) || '/' : usual
}
