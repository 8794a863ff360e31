import { dirname, join, relative, resolve, sep } from 'node:path'
import { mapConcurrent } from '../../concurrency.ts'
import { type FileEnds, readEnds } from '../../files/file-ends.ts'
import { readRegular } from '../../files/open-regular.ts'
import { mapsBelow, type ProjectRules, projectRules } from '../../files/project-walk.ts'
import { Roots } from '../../files/roots.ts'
import { shownPath } from '../../files/shown-path.ts'
import { hasCode } from '../../formats/javascript/code.ts'
import { sourceMapFlaw } from '../../formats/source-map/source-map-sanity.ts'
import {
  decodeDataUrl,
  readTrailingComments,
  type TrailingComments,
} from '../../formats/source-map/source-mapping-url.ts'
import type { FilePart, Plan, SymbolUpload } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { isUsablePrefix, minifiedUrl } from '../../settings/prefix.ts'
import { t } from '../../text.ts'
import { fileOutside, listWithin } from '../list-within.ts'
import type { JavaScriptSourceMapEvent } from './event.ts'

export interface JavaScriptInput {
  /** The output directory of the build. */
  directory: string
  /** Files to look at, relative to the directory, `/`-separated: a bundler's own list. Default: every file below the directory. */
  files?: readonly string[]
  /** Source map of a file, both relative to the directory, where the bundler knows it and the file does not say. */
  mapOf?: ReadonlyMap<string, string>
  /** Bytes of files that are not on disk, by name. */
  contents?: ReadonlyMap<string, Uint8Array> | undefined
  service: string
  version: string
  /** Where links and `sourceMappingURL` may lead besides the directory. Absolute. */
  allowedRoot?: string
  /** URL or absolute path under which the directory is deployed; a function answers it for each script, named as in `files`. */
  minifiedPathPrefix: string | ((script: string) => unknown)
  /** Path of the project inside its repository; sent as `project_path`. Default ''. */
  projectPath?: string
  /** Version of the sending tool, sent as `cli_version`. */
  toolVersion: string
}

const SCRIPT = /\.[mc]?js$/
const SCRIPT_MAP = /\.[mc]?js\.map$/
/** Enough to keep the disk busy; each file costs two reads of a few KB. */
const READS_IN_FLIGHT = 8
const SNIFFED_BYTES = 1024
/** Larger ones do something. */
const MAX_WITHOUT_CODE = 64 * 1024
/**
 * Lists that frameworks write beside their chunks (Next.js), the call that registers a service worker (vite-plugin-pwa), what starts a federated app
 * (@module-federation/vite), and the bundler's own code in a chunk of its own (Vite 8 with Rolldown).
 */
const MANIFEST =
  /(?:^|\/)(?:_(?:build|ssg|middleware|clientMiddleware|app-build|devPages)Manifest|registerSW|mf-entry-bootstrap-[\w-]+|(?:preload-helper|rolldown-runtime)[-.][\w-]+)\.js$/

/** Whether a path names a JavaScript file as the browser loads it. */
export function isScript(path: string): boolean {
  return SCRIPT.test(path)
}

/**
 * Finds the JavaScript files (`.js`, `.mjs`, `.cjs`) of a build and the source map of each: the one its `sourceMappingURL` names, else the one
 * the bundler knows, else `<file>.map`. Maps of style sheets are never taken.
 */
export async function collectJavaScript(input: JavaScriptInput): Promise<Plan> {
  const directory = resolve(input.directory)
  const problems: Problem[] = []
  const rules = projectRules(directory)
  let files = input.files
  try {
    files ??= await listed(directory, rules.enters, input.allowedRoot, problems)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const why =
      code === 'ENOENT' ? t`does not exist` : code === 'ENOTDIR' ? t`is not a directory` : t`cannot be read (${code})`
    const message = t`${shownPath(directory, process.cwd()) || '.'} ${why}.`
    return { uploads: [], problems: [problem('directory-unreadable', message, { file: input.directory })] }
  }
  const scripts = files.filter(isScript)
  const present = new Set(files)
  const roots = new Roots([directory, input.allowedRoot])
  const build: Build = { directory, present, roots, mapOf: input.mapOf, contents: input.contents }
  const pairs = await mapConcurrent(scripts, READS_IN_FLIGHT, (script) => pair(script, build))

  const uploads: SymbolUpload[] = []
  const used = new Set<string>()
  for (const { script, parts, debugId, mapFile, problems: found } of pairs) {
    problems.push(...found)
    if (mapFile !== undefined) used.add(mapFile)
    if (!parts) continue
    const prefix = prefixFor(script, input)
    if (typeof prefix === 'string') uploads.push({ event: eventFor(script, prefix, debugId, input), parts })
    else problems.push(prefix)
  }
  for (const file of files) {
    if (SCRIPT_MAP.test(file) && !used.has(join(directory, file))) {
      problems.push(problem('map-orphan', t`No JavaScript file uses this map; it is not uploaded.`, { file }))
    }
  }
  if (uploads.length > 0) return { uploads, problems }
  // One block says that no script has a map, not one for each of them.
  const others = problems.filter(({ code }) => code !== 'no-map')
  return {
    uploads,
    problems: [...others, nothingFound(directory, scripts.length, await mapsBelow(directory, rules.ignored))],
  }
}

/** Links to other places stay among the files: whether a script uses them shows later. */
async function listed(
  directory: string,
  enters: ProjectRules['enters'],
  allowedRoot: string | undefined,
  problems: Problem[],
): Promise<string[]> {
  const found = await listWithin(directory, { allowedRoot, enters, wanted: () => false, shown: (file) => file })
  problems.push(...found.problems)
  return [...found.files, ...found.links].sort()
}

/** The output of a build, which nobody vouches for. */
interface Build {
  /** Absolute. */
  directory: string
  /** Its files. */
  present: ReadonlySet<string>
  /** Where files may be. */
  roots: Roots
  mapOf: JavaScriptInput['mapOf']
  contents: JavaScriptInput['contents']
}

interface Pair {
  script: string
  parts?: FilePart[]
  debugId?: string
  /** Absolute path of the map that the script uses, whether or not it is usable. */
  mapFile?: string
  problems: Problem[]
}

async function pair(script: string, build: Build): Promise<Pair> {
  const path = join(build.directory, script)
  const content = build.contents?.get(script)
  if (!content && !build.roots.hold(path)) return { script, problems: [fileOutside(script)] }
  let comments: TrailingComments
  try {
    comments = await readTrailingComments(content ?? path)
  } catch (error) {
    return { script, problems: [unreadable(script, error)] }
  }
  const located = locateMap(script, comments, build)
  const base = {
    script,
    ...(comments.debugId !== undefined && { debugId: comments.debugId }),
    ...(located.path !== undefined && { mapFile: located.path }),
  }
  if (located.problem?.code === 'no-map' && isWithoutCode(script, content ?? path, comments.bytes))
    return { ...base, problems: [] }
  if (located.problem?.severity === 'error' || (!located.path && !located.inline)) {
    return { ...base, problems: located.problem ? [located.problem] : [] }
  }
  const problems = located.problem ? [located.problem] : []
  const map = await readMap(script, located, build)
  if ('code' in map) return { ...base, problems: [...problems, map] }
  if (comments.bytes === 0)
    return { ...base, problems: [...problems, problem('file-empty', t`The file is empty.`, { file: script })] }
  const name = 'minified_file'
  const minified: FilePart = { name, filename: name, path, bytes: comments.bytes, ...(content && { content }) }
  return { ...base, problems, parts: [map, minified] }
}

/** Whether no stack will ever name a script: it only passes on what others export, or is a framework's list of its own files. */
function isWithoutCode(script: string, from: string | Uint8Array, bytes: number): boolean {
  if (MANIFEST.test(script)) return true
  if (bytes > MAX_WITHOUT_CODE) return false
  const content = typeof from === 'string' ? readRegular(from) : Buffer.from(from)
  return !hasCode(content.toString('latin1'))
}

interface LocatedMap {
  /** Absolute path. */
  path?: string
  inline?: string
  problem?: Problem
}

function locateMap(
  script: string,
  { sourceMappingUrl: url, bytes }: TrailingComments,
  { directory, present, roots, mapOf }: Build,
): LocatedMap {
  const byName = mapOf?.get(script) ?? `${script}.map`
  const found = present.has(byName) ? { path: join(directory, byName) } : undefined
  if (url === undefined) {
    if (found) return found
    // An empty file throws nothing.
    if (bytes === 0) return {}
    return {
      problem: problem('no-map', t`The file names no source map, and there is none beside it.`, { file: script }),
    }
  }
  if (url.startsWith('data:')) {
    return {
      inline: url,
      problem: problem('map-inline', t`The source map is inside the file that ships.`, { file: script }),
    }
  }
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)) {
    if (found) return found
    return { problem: problem('map-remote', t`The file names a source map at ${url.slice(0, 200)}.`, { file: script }) }
  }
  const path = mapPath(directory, script, url)
  if (present.has(toRelative(directory, path))) return { path }
  // A map outside the directory was not listed; reading it will tell.
  const isOutside = toRelative(directory, path).startsWith('../')
  if (isOutside && roots.hold(path)) return { path }
  if (found) return found
  const named = url.slice(0, 200)
  if (isOutside || !roots.hold(path)) {
    return {
      problem: problem(
        'file-outside',
        t`It names the source map ${named}, which is outside the directory that is uploaded.`,
        { file: script },
      ),
    }
  }
  return { problem: problem('map-missing', t`It names the source map ${named}, which is not there.`, { file: script }) }
}

function mapPath(directory: string, script: string, url: string): string {
  let decoded = url.replace(/[?#].*$/, '')
  try {
    decoded = decodeURIComponent(decoded)
  } catch {
    // Not encoded after all: take it literally.
  }
  return decoded.startsWith('/') ? join(directory, decoded) : resolve(directory, dirname(script), decoded)
}

async function readMap(script: string, located: LocatedMap, build: Build): Promise<FilePart | Problem> {
  const { directory, roots } = build
  const part = { name: 'source_map', filename: 'source_map' }
  if (located.inline !== undefined) {
    let content: Uint8Array
    try {
      content = decodeDataUrl(located.inline)
    } catch (error) {
      return problem('map-invalid', t`Its inline source map cannot be decoded: ${(error as Error).message}.`, {
        file: script,
      })
    }
    const flaw = sourceMapFlaw(
      Buffer.from(content.subarray(0, SNIFFED_BYTES)),
      Buffer.from(content.subarray(-SNIFFED_BYTES)),
    )
    if (flaw !== undefined) return problem('map-invalid', t`Its inline source map ${flaw}.`, { file: script })
    return { ...part, path: `${join(directory, script)}.map`, bytes: content.length, content }
  }
  const path = located.path as string
  const file = toRelative(directory, path)
  const content = build.contents?.get(file)
  if (!content && !roots.hold(path)) return fileOutside(file)
  let ends: FileEnds
  try {
    ends = await readEnds(content ?? path, SNIFFED_BYTES, SNIFFED_BYTES)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return unreadable(file, error)
    return problem('map-missing', t`It names the source map ${file}, which is not there.`, { file: script })
  }
  if (ends.bytes === 0) return problem('file-empty', t`The source map is empty.`, { file })
  const flaw = sourceMapFlaw(ends.head, ends.tail)
  if (flaw !== undefined) return problem('map-invalid', t`The file ${flaw}.`, { file })
  return { ...part, path, bytes: ends.bytes, ...(content && { content }) }
}

/** @returns what is wrong with the answer of a function, which is the user's own code. */
function prefixFor(script: string, { minifiedPathPrefix: given }: JavaScriptInput): string | Problem {
  if (typeof given === 'string') return given
  const refused = (why: string) =>
    problem('prefix-invalid', t`The function minifiedPathPrefix ${why} for this file.`, { file: script })
  try {
    const prefix = given(script)
    if (typeof prefix === 'string' && isUsablePrefix(prefix)) return prefix
    return refused(t`returned ${typeof prefix === 'string' ? `"${prefix}"` : t`no text (${typeof prefix})`}`)
  } catch (error) {
    return refused(t`failed (${error instanceof Error ? error.message : error})`)
  }
}

function eventFor(
  script: string,
  prefix: string,
  debugId: string | undefined,
  input: JavaScriptInput,
): JavaScriptSourceMapEvent {
  return {
    type: 'js_sourcemap',
    cli_version: input.toolVersion,
    service: input.service,
    version: input.version,
    minified_url: minifiedUrl(prefix, script),
    project_path: input.projectPath ?? '',
    ...(debugId !== undefined && { debug_id: debugId }),
  }
}

function nothingFound(directory: string, scripts: number, ignored: ReadonlyMap<string, number>): Problem {
  // As a command typed here would name it.
  const shown = shownPath(directory, process.cwd()) || '.'
  const message =
    scripts === 0
      ? t`${shown} holds no JavaScript file.`
      : t`${shown} holds ${scripts} JavaScript file${scripts === 1 ? '' : 's'}, none with a usable source map.`
  const [first, ...others] = [...ignored].sort(([, a], [, b]) => b - a)
  if (!first) return problem('nothing-found', message)
  const [path, maps] = first
  const named = join(shown, path)
  const more = others.length === 0 ? '' : t` (so do ${others.length} more)`
  const held = t`${named} holds ${maps} source map${maps === 1 ? '' : 's'}${more}, and .gitignore names it.`
  return problem('nothing-found', t`${message} ${held}`, {
    fix: t`Name the directory itself: symup web upload ${/\s/.test(named) ? JSON.stringify(named) : named}`,
  })
}

function unreadable(file: string, error: unknown): Problem {
  const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
  return problem('file-unreadable', t`It could not be read (${why}).`, { file })
}

function toRelative(directory: string, path: string): string {
  // Nearly all lie below.
  const prefix = directory + sep
  return (path.startsWith(prefix) ? path.slice(prefix.length) : relative(directory, path)).split(sep).join('/')
}
