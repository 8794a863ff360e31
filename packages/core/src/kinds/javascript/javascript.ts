import { join, resolve } from 'node:path'
import { mapConcurrent } from '../../concurrency.ts'
import { mapsBelow, type ProjectRules, projectRules } from '../../files/project-walk.ts'
import { Roots } from '../../files/roots.ts'
import { shownPath } from '../../files/shown-path.ts'
import { wasmSourceMapUrl } from '../../formats/wasm/source-map-url.ts'
import type { Plan, SymbolUpload } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { isUsablePrefix, minifiedUrl } from '../../settings/prefix.ts'
import { t } from '../../text.ts'
import { type PlaceInput, type ReleaseInput, releaseFields } from '../kind.ts'
import { listWithin, unlistedIn } from '../list-within.ts'
import { isReactNativeBundle } from '../react-native/bundle-names.ts'
import type { JavaScriptSourceMapEvent } from './event.ts'
import type { Output } from './locate-map.ts'
import { mapsByFile } from './maps-by-file.ts'
import { type Pair, pairOf } from './pair.ts'
import { isScript, isWasmFile } from './traits.ts'

export interface JavaScriptInput extends ReleaseInput, Pick<PlaceInput, 'allowedRoot'> {
  /** The output directory of the build. */
  directory: string
  /**
   * Paths to examine, relative to the directory and with `/` as the separator. A bundler can pass its own list of files.
   * @default every file below the directory
   */
  files?: readonly string[]
  /** The source maps that the bundler reports although the files do not reference them, keyed by file. All paths are relative. */
  mapOf?: ReadonlyMap<string, string>
  /** The content of files that are not on disk, keyed by name. */
  contents?: ReadonlyMap<string, Uint8Array> | undefined
  /**
   * The fix to show if scripts have no maps for an unknown reason.
   * @default a hint to turn on source maps
   */
  withoutMaps?: string
  /**
   * The URL or absolute path under which the directory is deployed. A function can return a different prefix for each script in `files`.
   */
  minifiedPathPrefix: string | ((script: string) => unknown)
  /**
   * The path of the project within its repository, which is sent as `project_path`.
   * @default ''
   */
  projectPath?: string
}

/** Matches compressed copies that a web server delivers instead of a script. */
const COPY = /\.[mc]?js\.(?:gz|br|zst)$/i
const SCRIPT_MAP = /\.[mc]?js\.map$/i
/**
 * Matches files that are not scripts but may have maps. Mini programs have `.wxss` style sheets, and Shopify themes have `.css.liquid`
 * style sheets.
 */
const NO_SCRIPT = /\.(?:\w{0,2}ss(?:\.\w+)?|wasm|map|d\.[mc]?ts)$/i
/** Matches maps other than those for style sheets, WebAssembly and declarations. */
const MAP = /(?<!\.(?:\w{0,2}ss(?:\.\w+)?|wasm|d\.[mc]?ts))\.map$/i
const WITHOUT_MAP: ReadonlySet<string> = new Set(['no-map', 'map-missing', 'map-remote'])
/**
 * The number of files to read at the same time. Each file needs two reads of a few KB, so reading several files at once makes better use of
 * the disk.
 */
const READS_IN_FLIGHT = 8
/**
 * Finds the JavaScript files of a build and their source maps. Scripts are `.js`, `.mjs` and `.cjs` files, `.wasm` files that have a map
 * URL, and all files for which the bundler reports a map. The map of a script is the first of these that exists: the target of the
 * `sourceMappingURL`, the map that the bundler reports, `<file>.map`, or a map whose `file` field refers to the script. Maps for style
 * sheets are excluded.
 */
export async function collectJavaScript(input: JavaScriptInput): Promise<Plan> {
  const directory = resolve(input.directory)
  const problems: Problem[] = []
  const rules = projectRules(directory)
  let files = input.files
  try {
    files ??= await listed(directory, rules.enters, input.allowedRoot, problems)
  } catch (error) {
    const file = unlistedIn(directory, shownPath(directory, process.cwd()) || '.', error)
    return { uploads: [], problems: [unreadable('directory-unreadable', error, { file })] }
  }
  const isNamedOtherwise = (file: string) =>
    input.mapOf?.has(file) && !NO_SCRIPT.test(file) && !isReactNativeBundle(file)
  const roots = new Roots([directory, input.allowedRoot])
  const scripts = files.filter(
    (file) => isScript(file) || isNamedOtherwise(file) || isMappedWasm(file, roots, directory, input.contents),
  )
  const { mapOf, contents } = input
  const prefixOf = (script: string) => {
    const prefix = prefixFor(script, input)
    return typeof prefix === 'string' ? prefix : undefined
  }
  const build: Output = { directory, present: new Set(files), roots, mapOf, contents, prefixOf }
  const pairs = await pairAll(scripts, files, build)

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
      problems.push(
        problem('map-orphan', t`No JavaScript file refers to this source map, so the map is not uploaded.`, { file }),
      )
    }
  }
  if (uploads.length > 0) return { uploads, problems }
  // If no script has a map, only one problem is reported for all scripts.
  const others = problems.filter(({ code }) => code !== 'no-map')
  const fix = missingMapsFix(problems) ?? input.withoutMaps
  const found = { scripts: scripts.filter((file) => !isWasmFile(file)).length, fix }
  return {
    uploads,
    problems: [...others, nothingFound(directory, files, found, await mapsBelow(directory, rules.ignored))],
  }
}

function isMappedWasm(file: string, roots: Roots, directory: string, contents: JavaScriptInput['contents']): boolean {
  if (!isWasmFile(file)) return false
  const path = join(directory, file)
  const content = contents?.get(file)
  try {
    return (content !== undefined || roots.hold(path)) && wasmSourceMapUrl(content ?? path) !== undefined
  } catch {
    return false // An unreadable module is not treated as a script.
  }
}

async function pairAll(scripts: readonly string[], files: readonly string[], build: Output): Promise<Pair[]> {
  const pairs = await mapConcurrent(scripts, READS_IN_FLIGHT, (script) => pairOf(script, build))
  // No search is needed if the bundler reported the maps.
  if (build.mapOf) return pairs
  const used = new Set(pairs.map(({ mapFile }) => mapFile))
  const lacking = pairs.filter(({ problems: [found] }) => found && WITHOUT_MAP.has(found.code))
  const maps = files.filter((file) => MAP.test(file) && !used.has(join(build.directory, file)))
  const mapOf = mapsByFile(scripts, new Set(lacking.map(({ script }) => script)), maps, build)
  return mapConcurrent(pairs, READS_IN_FLIGHT, async (pair) =>
    mapOf.has(pair.script) ? pairOf(pair.script, { ...build, mapOf }) : pair,
  )
}

/** Lists files, including links that point outside the directory, because it is not yet known whether a script uses these links. */
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

/** @returns the prefix, or a problem if the user's function does not return a valid prefix. */
function prefixFor(script: string, { minifiedPathPrefix: given }: JavaScriptInput): string | Problem {
  if (typeof given === 'string') return given
  const refused = (message: string) => problem('prefix-invalid', message, { file: script })
  try {
    const prefix = given(script)
    if (typeof prefix === 'string' && isUsablePrefix(prefix)) return prefix
    return refused(
      typeof prefix === 'string'
        ? t`The minifiedPathPrefix function returned the invalid prefix "${prefix}" for this file.`
        : t`The minifiedPathPrefix function must return a string, but returned a value of type ${typeof prefix} for this file.`,
    )
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    return refused(t`The minifiedPathPrefix function failed for this file (${why}).`)
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
    ...releaseFields(input),
    minified_url: minifiedUrl(prefix, script),
    project_path: input.projectPath ?? '',
    ...(debugId !== undefined && { debug_id: debugId }),
  }
}

/** Returns the fix for a build in which no script has a map, if another problem explains why. */
export function missingMapsFix(problems: readonly Problem[]): string | undefined {
  const cause = problems.find(({ code, severity }) => code !== 'no-map' && severity !== 'info')?.fix
  if (cause !== undefined || !problems.some(({ code }) => code === 'map-orphan')) return cause
  return t`Add a sourceMappingURL comment to each script, or put each source map next to its script. For example, put app.js.map next to app.js.`
}

function nothingFound(
  directory: string,
  files: readonly string[],
  { scripts, fix: known }: { scripts: number; fix: string | undefined },
  ignored: ReadonlyMap<string, number>,
): Problem {
  const shown = shownPath(directory, process.cwd()) || '.'
  const copy = files.find((file) => COPY.test(file))
  const message =
    scripts === 0
      ? copy === undefined
        ? t`${shown} contains no JavaScript files.`
        : t`${shown} contains only compressed copies of JavaScript files, such as ${copy}.`
      : t`${shown} contains ${scripts} JavaScript file${scripts === 1 ? '' : 's'}, but no usable source maps.`
  const [first] = [...ignored].sort(([, a], [, b]) => b - a)
  const bundle = files.find((file) => isReactNativeBundle(file))
  const fix =
    copy !== undefined
      ? t`Run the upload before you compress the files, or keep the original files next to the compressed copies.`
      : bundle === undefined
        ? t`Pass the output directory of the build. Inline scripts in HTML pages cannot be uploaded.`
        : t`To upload React Native bundles such as ${join(shown, bundle)}, use symup react-native upload.`
  if (!first) return problem('nothing-found', message, { fix: scripts === 0 ? fix : known })
  const [path] = first
  const named = join(shown, path)
  const held = t`symup did not search ${named}, which contains source maps, because .gitignore excludes that directory.`
  return problem('nothing-found', t`${message} ${held}`, {
    fix: t`To upload that directory, run: symup web upload ${/\s/.test(named) ? JSON.stringify(named) : named}`,
  })
}
