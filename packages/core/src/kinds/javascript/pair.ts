import { join } from 'node:path'
import { type FileEnds, readEnds } from '../../files/file-ends.ts'
import { nameBelow } from '../../files/name-below.ts'
import { readRegular } from '../../files/open-regular.ts'
import { wasRemoved } from '../../files/remove-file.ts'
import { hasCode, withoutLiterals } from '../../formats/javascript/code.ts'
import { evaluatesSources } from '../../formats/javascript/evaluated.ts'
import { isFlutterScript } from '../../formats/javascript/flutter.ts'
import { sourceMapFlaw } from '../../formats/source-map/source-map-sanity.ts'
import {
  COMMENTS_BYTES,
  decodeDataUrl,
  readTrailingComments,
  type TrailingComments,
} from '../../formats/source-map/source-mapping-url.ts'
import { wasmSourceMapUrl } from '../../formats/wasm/source-map-url.ts'
import type { FilePart } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { fileOutside } from '../list-within.ts'
import { type Decompressed, decompressed } from './decompressed.ts'
import { type LocatedMap, locateMap, type Output } from './locate-map.ts'
import { isWasmFile, TRAITS } from './traits.ts'

const HEAD_BYTES = 1024
/** The maximum size of a script that is checked for code. Larger scripts are assumed to contain code. */
const MAX_WITHOUT_CODE = 1024 * 1024
/**
 * Matches generated scripts that contain no code from the app:
 * - lists that frameworks write next to their chunks (Next.js, TanStack Start)
 * - the call that registers a service worker (vite-plugin-pwa)
 * - the start of a federated app (@module-federation/vite)
 * - the bundler's own code in a separate chunk (Vite 8 with Rolldown)
 * - a library that reads maps on a server (@vercel/ncc)
 */
const MANIFEST =
  /(?:^|\/)(?:_(?:build|ssg|middleware|clientMiddleware|app-build|devPages)Manifest|registerSW|mf-entry-bootstrap-[\w-]+|_tanstack-start-manifest_v-[\w-]+|(?:preload-helper|rolldown-runtime)[-.][\w-]+|sourcemap-register)\.c?js$/

/**
 * Matches a chunk that contains only Vite's chunk loader. In SvelteKit's output, the chunk loader cannot be recognized by its file name.
 */
const PRELOADER =
  /^(?:const|let|var) [\w$]+=(?:function\([\w$]+,[\w$]+\)\{return new URL\(|["'`]modulepreload\b)[\s\S]*\bvite:preloadError\b[\s\S]*\.catch\([\w$]+\)\}\)\}[,;]?\s*export\s*\{[\w$]+ as [\w$]+\};?\s*$/
/** Matches a chunk that contains only Rolldown's helpers, which access only the properties in RUNTIME_WORDS. */
const RUNTIME = /^var [\w$]+=Object\.(?:create|defineProperty)\b[\s\S]*\bexport\s*\{[^}]*\};?\s*$/
const RUNTIME_WORDS =
  /^(?:Error|Object|Proxy|Symbol|__esModule|apply|arguments|bind|call|const|create|default|defineProperty|else|enumerable|export|exports|for|function|get|getOwnPropertyDescriptor|getOwnPropertyNames|getPrototypeOf|hasOwnProperty|key|length|let|new|null|prototype|require|return|this|throw|toStringTag|typeof|value|var|void)$/
/**
 * Patterns for modules without app code: a module that webpack or Rspack generates from JSON, and a module that only marks itself as an ES
 * module and re-exports other modules.
 */
const JSON_MODULE = String.raw`[\w$]+\.exports=JSON\.parse\((?<quote>["'])\s*\k<quote>\)`
const GETTER = String.raw`(?:[\w$]+|"[^"\\]*")(?::\(\)=>[\w$.]+|(?::function)?\(\)\{return [\w$.]+;?\})`
const PASSED_ON = String.raw`[\w$]+\.d\([\w$]+,\{(?:${GETTER}(?:,${GETTER})*,?)?\}\)[,;]?(?:(?:var|let|const) (?:[\w$]+=[\w$]+\((?:\d+|"[^"\\]*")\),?)+;?)?`
const EMPTY_MODULE = String.raw`(?:["'] *["'];)?(?:[\w$]+\.r\([\w$]+\)[,;]?)?(?:${PASSED_ON})?`
/**
 * Matches a chunk without app code that webpack or Rspack generates, for example from a style sheet or JSON file. Literals must be replaced
 * with spaces first.
 */
const EMPTY_CHUNK = new RegExp(
  String.raw`^(?:["'] *["'];)?(?:\((?<list>[\w$.]+)=\k<list>\|\|\[\]\)|\(Array\.isArray\((?<known>[\w$.]+)\)\?\k<known>:\k<known>=\[\]\))\.push\(\[\[[^[\]]*\],\{` +
    String.raw`(?:(?:[\w$]+|"[^"\\]*")(?:\([\w$,]*\)|:(?:function\([\w$,]*\)|(?:\([\w$,]*\)|[\w$]+)=>))\{(?:${JSON_MODULE}|${EMPTY_MODULE})\},?)+\}` +
    String.raw`(?:,(?:function\([\w$]+\)|[\w$]+=>)\{[\w$\s.,;=>(){}]*\})?\]\);?\s*$`,
)
const MAX_HELPERS = 4096

export interface Pair {
  script: string
  parts?: FilePart[]
  debugId?: string
  /** The absolute path of the script's map, whether it is usable or not. */
  mapFile?: string
  problems: Problem[]
}

/** Finds the map of a script without parsing the script or the map. */
export async function pairOf(script: string, build: Output): Promise<Pair> {
  const path = join(build.directory, script)
  const given = build.contents?.get(script)
  if (!given && !build.roots.hold(path)) return { script, problems: [fileOutside(script)] }
  let comments: TrailingComments
  let plain: Decompressed | undefined
  try {
    const ends = readEnds(given ?? path, HEAD_BYTES, COMMENTS_BYTES)
    plain = decompressed(given ?? path, ends, script)
    comments = commentsOf(script, plain?.content ?? given ?? path, plain ? undefined : ends)
  } catch (error) {
    return { script, problems: [unreadable('file-unreadable', error, { file: script })] }
  }
  const content = plain?.content ?? given
  const located = locateMap(script, comments, build)
  const base = { script, debugId: comments.debugId, mapFile: located.path }
  // Many libraries publish WebAssembly modules without the referenced maps, so a missing map is not reported.
  if (isWasmFile(script) && !located.path && !located.inline) return { ...base, problems: [] }
  if (located.problem?.code === 'no-map' && isWithoutCode(script, content ?? path, comments.bytes))
    return { ...base, problems: [] }
  if (located.problem?.code === 'no-map' && (await evaluatesSources(content ?? path))) {
    const message = t`The sources are inside the deployed file, in eval calls.`
    return { ...base, problems: [problem('map-inline', message, { file: script })] }
  }
  if (!located.path && !located.inline && isFlutterScript(script)) return { ...base, problems: [] }
  if (located.problem?.severity === 'error' || (!located.path && !located.inline)) {
    return { ...base, problems: located.problem ? [located.problem] : [] }
  }
  const problems = [...(plain ? [plain.remark] : []), ...(located.problem ? [located.problem] : [])]
  const map = readMap(script, located, build)
  if ('code' in map) return { ...base, problems: [...problems, map] }
  if (comments.bytes === 0)
    return { ...base, problems: [...problems, problem('file-empty', t`The file is empty.`, { file: script })] }
  const name = TRAITS.script
  const minified: FilePart = { name, filename: name, path, bytes: comments.bytes, ...(content && { content }) }
  return { ...base, problems, parts: [map, minified] }
}

/** Reads the script's reference to its map. In WebAssembly modules, the reference is in a separate section. */
function commentsOf(script: string, from: string | Uint8Array, ends: FileEnds | undefined): TrailingComments {
  if (!isWasmFile(script)) return readTrailingComments(from, ends)
  const sourceMappingUrl = wasmSourceMapUrl(from)
  return { bytes: (ends ?? readEnds(from, 0, 0)).bytes, ...(sourceMappingUrl !== undefined && { sourceMappingUrl }) }
}

/** Returns whether a script contains only re-exports, data or a framework's file list, and therefore never appears in a stack. */
function isWithoutCode(script: string, from: string | Uint8Array, bytes: number): boolean {
  if (MANIFEST.test(script)) return true
  if (bytes > MAX_WITHOUT_CODE) return false
  const content = (typeof from === 'string' ? readRegular(from) : Buffer.from(from)).toString('latin1')
  const isHelper = () => PRELOADER.test(content) || isRuntime(content)
  return (bytes <= MAX_HELPERS && isHelper()) || EMPTY_CHUNK.test(withoutLiterals(content)) || !hasCode(content)
}

/**
 * Returns whether a chunk contains only Rolldown's helpers. To avoid matching app code, every long word in the chunk must be a name that
 * the helpers use.
 */
function isRuntime(content: string): boolean {
  const words = withoutLiterals(content).match(/[\w$]{3,}/g) ?? []
  return RUNTIME.test(content) && words.every((word) => RUNTIME_WORDS.test(word))
}

function readMap(script: string, located: LocatedMap, build: Output): FilePart | Problem {
  const { directory, roots } = build
  const part = { name: TRAITS.map, filename: TRAITS.map }
  if (located.inline !== undefined) {
    let content: Uint8Array
    try {
      content = decodeDataUrl(located.inline)
    } catch (error) {
      return problem('map-invalid', t`The inline source map cannot be decoded. ${(error as Error).message}`, {
        file: script,
      })
    }
    const flaw = sourceMapFlaw(Buffer.from(content.subarray(0, HEAD_BYTES)), Buffer.from(content.subarray(-HEAD_BYTES)))
    if (flaw !== undefined)
      return problem('map-invalid', t`The inline source map cannot be used. ${flaw}`, { file: script })
    return { ...part, path: `${join(directory, script)}.map`, bytes: content.length, content }
  }
  const path = located.path as string
  const file = nameBelow(directory, path)
  let content = build.contents?.get(file)
  if (!content && !roots.hold(path)) {
    if (!file.startsWith('../')) return fileOutside(file)
    return problem('file-outside', t`The source map is outside the uploaded directory.`, { file })
  }
  let ends: FileEnds
  try {
    ends = readEnds(content ?? path, HEAD_BYTES, HEAD_BYTES)
    const plain = decompressed(content ?? path, ends, file)?.content
    content = plain ?? content
    if (plain) ends = readEnds(plain, HEAD_BYTES, HEAD_BYTES)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return unreadable('file-unreadable', error, { file })
    if (build.present.has(file)) return deleted(script, file, path)
    return problem('map-missing', t`The file refers to the source map ${file}, which does not exist.`, { file: script })
  }
  if (ends.bytes === 0) return problem('file-empty', t`The source map is empty.`, { file })
  const flaw = sourceMapFlaw(ends.head, ends.tail)
  if (flaw !== undefined) return problem('map-invalid', flaw, { file })
  return { ...part, path, bytes: ends.bytes, ...(content && { content }) }
}

/** Reports a map that the build wrote but that no longer exists. The plugins of other uploaders delete maps even after a failed upload. */
function deleted(script: string, map: string, path: string): Problem {
  if (wasRemoved(path)) {
    const once = t`The plugin runs twice for the same output. Add the plugin to the config only once.`
    const message = t`The build wrote the source map ${map}, but symup has already deleted it.`
    return problem('map-missing', message, { file: script, fix: once })
  }
  const fix = t`Set deleteAfterUpload, and disable the deletion of source maps in scripts and other uploaders (filesToDeleteAfterUpload, keepSourcemaps).`
  return problem(
    'map-missing',
    t`The build wrote the source map ${map}, but another build step has already deleted it.`,
    {
      file: script,
      fix,
    },
  )
}
