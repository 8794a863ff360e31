import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, posix, resolve } from 'node:path'
import * as zlib from 'node:zlib'
import { eventLoopYielder } from '../event-loop.ts'
import { formatBytes } from '../files/format-bytes.ts'
import { shownPath } from '../files/shown-path.ts'
import { decoded, endingIn, referencedPath } from '../files/url-path.ts'
import { listFiles } from '../files/walk.ts'
import { isFlutterScript } from '../formats/javascript/flutter.ts'
import { readTrailingComments, type TrailingComments } from '../formats/source-map/source-mapping-url.ts'
import type { Secret } from '../model/secret.ts'
import { type Problem, problem, type Severity } from '../problems/problems.ts'
import { unreadable } from '../problems/unreadable.ts'
import { t } from '../text.ts'
import { keyForms } from './key-forms.ts'
import { IS_MAP, isOddlyNamedMap, NAMES_ITS_MAP } from './map-files.ts'
import { FileScanner } from './scan-file.ts'

export interface LeakInput {
  directory: string
  /** The files to check, relative to the directory, with `/` as the separator. Default: all files below the directory. */
  files?: readonly string[]
  /** The contents of files that are not on disk, keyed by name. If set, no other files are checked. */
  contents?: ReadonlyMap<string, Uint8Array>
  apiKey?: Secret
  /** The severity of a source map in the directory. Default: `error` for a map that a file points to, and `warning` for all other maps. */
  reachableMaps?: Severity
  /** The time limit in milliseconds, after which the remaining files are skipped. Default: 10000. */
  timeBudget?: number
  /** The base for file names in problem messages. Default: the output directory. */
  cwd?: string
}

/** Matches files that list other files for a browser to load. */
export const LISTING =
  /\.(?:json|webmanifest|html?|txt)$|(?:^|[/._-])(?:sw|service-?worker|workbox|precache|manifest)[^/]*\.[mc]?js$/i
/** Matches the directory whose files Cloudflare Pages runs on the server. Source: the Cloudflare Pages documentation on advanced mode. */
const OF_A_WORKER = /(?:^|\/)_worker\.js\//
/** Matches the maps of React Native and HarmonyOS apps. These maps are not deployed, and browsers never request them. */
const OF_AN_APP = /(?:bundle(?:\.packager|\.compiler|\.hbc)?|sourceMaps)\.map$/
const DEFAULT_BUDGET_MS = 10_000

/**
 * Searches an output directory for content that must not be deployed: source maps, inline maps, lists that refer to maps, references to
 * missing maps, and the API key. Each file is read once, in pieces.
 */
export async function findLeaks(input: LeakInput): Promise<Problem[]> {
  const directory = resolve(input.directory)
  const stopAt = performance.now() + (input.timeBudget ?? DEFAULT_BUDGET_MS)
  let files: readonly string[]
  try {
    files =
      input.files ??
      (input.contents && [...input.contents.keys()]) ??
      (await listFiles(directory, { everywhere: true }))
  } catch (error) {
    const { code, path = directory } = error as NodeJS.ErrnoException
    // If the directory is missing, the code that writes or collects the output reports the problem.
    if (code === 'ENOENT') return []
    const file = shownPath(path, input.cwd ?? directory) || '.'
    return [
      problem('leaks-incomplete', t`No files were searched because a directory could not be listed (${code}).`, {
        file,
      }),
    ]
  }
  const keys = input.apiKey ? keyForms(input.apiKey) : []
  const context: Context = {
    directory,
    present: new Set(files),
    contents: input.contents,
    looksForKey: keys.length > 0,
    scanner: new FileScanner(keys),
    reachableMaps: input.reachableMaps,
    linked: new Map(),
    name(file) {
      const shown = input.cwd === undefined ? file : shownPath(join(directory, file), input.cwd)
      return input.apiKey?.redact(shown) ?? shown
    },
  }
  const problems: Problem[] = []
  const yieldToEventLoop = eventLoopYielder()
  for (const [index, file] of files.entries()) {
    if (performance.now() > stopAt) {
      const message = t`${files.length - index} of ${files.length} files were not searched because the search took too long.`
      problems.push(problem('leaks-incomplete', message))
      break
    }
    await yieldToEventLoop()
    problems.push(...leaksIn(file, context))
  }
  return problems.map((found) => asLinked(found, context))
}

/** If a deployed file points to a map, anyone can find the map. If no file points to a map, an attacker must guess its address. */
function asLinked(found: Problem, { reachableMaps, linked }: Context): Problem {
  const by = found.code === 'leak-map' ? linked.get(found.file ?? '') : undefined
  return by === undefined
    ? found
    : {
        ...found,
        severity: reachableMaps ?? 'error',
        message: t`${by} points to this source map, so anyone can read the sources.`,
      }
}

interface Context {
  directory: string
  present: ReadonlySet<string>
  contents: LeakInput['contents']
  looksForKey: boolean
  scanner: FileScanner
  reachableMaps: Severity | undefined
  /** Maps the display name of each referenced source map to the name of the file that points to it. */
  linked: Map<string, string>
  name(file: string): string
}

function leaksIn(file: string, context: Context): Problem[] {
  const path = join(context.directory, file)
  const content = context.contents?.get(file)
  const details = { file: context.name(file) }
  const problems: Problem[] = []
  const { key: inName } = context.scanner.scan(Buffer.from(file), false)
  if (inName) problems.push(problem('leak-api-key', t`The file name contains the API key (${inName.form}).`, details))
  try {
    if (IS_MAP.test(file) || (!OF_AN_APP.test(file) && isOddlyNamedMap(path, content))) {
      const size = content?.length ?? statSync(path).size
      const message = t`The sources can be read by anyone who guesses the URL of this source map (${formatBytes(size)}).`
      problems.push(problem('leak-map', message, { ...details, severity: context.reachableMaps ?? 'warning' }))
    } else if (NAMES_ITS_MAP.test(file))
      problems.push(...referenceIn(file, readTrailingComments(content ?? path), context))
    const isListing = LISTING.test(file) && !OF_A_WORKER.test(file)
    if (!context.looksForKey && !isListing) return problems
    const unpacked = context.looksForKey ? unpackedBytes(path, content) : undefined
    const { key, namedMaps } = context.scanner.scan(unpacked ?? content ?? path, isListing)
    if (key)
      problems.push(
        problem('leak-api-key', t`The file contains the API key (${key.form}) at byte offset ${key.offset}.`, details),
      )
    if (namedMaps.length > 0) problems.push(problem('leak-manifest', describeNamed(namedMaps, file, context), details))
  } catch (error) {
    // Another build may have deleted a map after the directory was listed, which is not an error.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    problems.push(unreadable('file-unreadable', error, details))
  }
  return problems
}

type Unpack = (packed: Uint8Array, options: { maxOutputLength: number }) => Uint8Array
/** Available in Node 22.15 or later. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Unpack }
const UNPACK: Readonly<Record<string, Unpack | undefined>> = {
  '.gz': zlib.gunzipSync,
  '.svgz': zlib.gunzipSync,
  '.br': zlib.brotliDecompressSync,
  '.zst': zstdDecompressSync,
}
/** The size limit for a compressed file, before and after decompression. Larger files are searched without being decompressed. */
const MAX_UNPACKED = 64 * 1024 * 1024

/** @returns the decompressed content of a compressed copy for web servers, or undefined if the file is damaged or not compressed. */
function unpackedBytes(path: string, content: Uint8Array | undefined): Uint8Array | undefined {
  const unpack = UNPACK[extname(path).toLowerCase()]
  if (!unpack || (content?.length ?? statSync(path).size) > MAX_UNPACKED) return undefined
  try {
    return unpack(content ?? readFileSync(path), { maxOutputLength: MAX_UNPACKED })
  } catch {
    return undefined
  }
}

function describeNamed(names: readonly string[], file: string, { present }: Context): string {
  const isThere = (name: string) => {
    const bare = posix.normalize(posix.join(posix.dirname(file), decoded(name)))
    return present.has(bare) || endingIn(present, decoded(name)) !== undefined
  }
  const missing = names.filter((name) => !isThere(name))
  const listing = t`The file refers to ${names.join(', ')}.`
  if (missing.length === 0) return listing
  return t`${listing} ${t`Browsers do not install the service worker if any of these files is missing. Missing: ${missing.join(', ')}.`}`
}

function referenceIn(
  file: string,
  { sourceMappingUrl: url, isAmidCode = false }: TrailingComments,
  { directory, present, name, linked }: Context,
): Problem[] {
  if (url === undefined) return []
  const details = { file: name(file) }
  if (url.startsWith('data:')) return [problem('map-inline', t`The source map is inside the deployed file.`, details)]
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)) return []
  const named = referencedPath(url)
  // An absolute path may begin with the base path of the app, so only the end of the path is compared.
  const target = named.startsWith('/')
    ? endingIn(present, named)
    : posix.normalize(posix.join(posix.dirname(file), named))
  const isThere = target !== undefined && present.has(target)
  if (isThere && !isAmidCode) linked.set(name(target), name(file))
  // Skip existing maps, which are reported as separate leaks, and comments in the middle of code, which usually come from a bundled
  // library.
  if (isThere || isAmidCode || isFlutterScript(file) || existsSync(resolve(directory, dirname(file), named))) return []
  return [
    problem(
      'leak-reference',
      t`The file refers to the source map ${url.slice(0, 200)}, which does not exist.`,
      details,
    ),
  ]
}
