import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type FileEnds, readEnds } from '../../files/file-ends.ts'
import { nameBelow } from '../../files/name-below.ts'
import { readRegular } from '../../files/open-regular.ts'
import { wasRemoved } from '../../files/remove-file.ts'
import type { Roots } from '../../files/roots.ts'
import { referencedPath } from '../../files/url-path.ts'
import { hasCode, withoutLiterals } from '../../formats/javascript/code.ts'
import { evaluatesSources } from '../../formats/javascript/evaluated.ts'
import { isFlutters } from '../../formats/javascript/flutter.ts'
import { sourceMapFlaw } from '../../formats/source-map/source-map-sanity.ts'
import {
  decodeDataUrl,
  readTrailingComments,
  type TrailingComments,
} from '../../formats/source-map/source-mapping-url.ts'
import type { FilePart } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { fileOutside } from '../list-within.ts'

const SNIFFED_BYTES = 1024
/** Larger scripts always contain code. */
const MAX_WITHOUT_CODE = 1024 * 1024
/**
 * Lists that frameworks write next to their chunks (Next.js, TanStack Start), the call that registers a service worker (vite-plugin-pwa),
 * the start of a federated app (@module-federation/vite), the bundler's own code in a separate chunk (Vite 8 with Rolldown), and a library
 * that reads maps on a server (@vercel/ncc).
 */
const MANIFEST =
  /(?:^|\/)(?:_(?:build|ssg|middleware|clientMiddleware|app-build|devPages)Manifest|registerSW|mf-entry-bootstrap-[\w-]+|_tanstack-start-manifest_v-[\w-]+|(?:preload-helper|rolldown-runtime)[-.][\w-]+|sourcemap-register)\.c?js$/

/** A chunk with only Vite's chunk loader, in output without chunk names (SvelteKit). */
const PRELOADER =
  /^(?:const|let|var) [\w$]+=(?:function\([\w$]+,[\w$]+\)\{return new URL\(|["'`]modulepreload\b)[\s\S]*\bvite:preloadError\b[\s\S]*\.catch\([\w$]+\)\}\)\}[,;]?\s*export\s*\{[\w$]+ as [\w$]+\};?\s*$/
/** A chunk with only Rolldown's helpers, in output without chunk names. They access no other properties than these. */
const RUNTIME = /^var [\w$]+=Object\.(?:create|defineProperty)\b[\s\S]*\bexport\s*\{[^}]*\};?\s*$/
const RUNTIME_WORDS =
  /^(?:Error|Object|Proxy|Symbol|__esModule|apply|arguments|bind|call|const|create|default|defineProperty|else|enumerable|export|exports|for|function|get|getOwnPropertyDescriptor|getOwnPropertyNames|getPrototypeOf|hasOwnProperty|key|length|let|new|null|prototype|require|return|this|throw|toStringTag|typeof|value|var|void)$/
/** A module that webpack or Rspack generates from JSON, and one without code that only marks itself as a module and re-exports. */
const JSON_MODULE = String.raw`[\w$]+\.exports=JSON\.parse\((?<quote>["'])\s*\k<quote>\)`
const GETTER = String.raw`(?:[\w$]+|"[^"\\]*")(?::\(\)=>[\w$.]+|(?::function)?\(\)\{return [\w$.]+;?\})`
const PASSED_ON = String.raw`[\w$]+\.d\([\w$]+,\{(?:${GETTER}(?:,${GETTER})*,?)?\}\)[,;]?(?:(?:var|let|const) (?:[\w$]+=[\w$]+\((?:\d+|"[^"\\]*")\),?)+;?)?`
const EMPTY_MODULE = String.raw`(?:["'] *["'];)?(?:[\w$]+\.r\([\w$]+\)[,;]?)?(?:${PASSED_ON})?`
/**
 * Remains of style sheet entries in webpack and Rspack: modules without code and the call that starts them; and a chunk of only JSON.
 * Matched against text with blanked literals.
 */
const EMPTY_CHUNK = new RegExp(
  String.raw`^(?:["'] *["'];)?(?:\((?<list>[\w$.]+)=\k<list>\|\|\[\]\)|\(Array\.isArray\((?<known>[\w$.]+)\)\?\k<known>:\k<known>=\[\]\))\.push\(\[\[[^[\]]*\],\{` +
    String.raw`(?:(?:[\w$]+|"[^"\\]*")(?:\([\w$,]*\)|:(?:function\([\w$,]*\)|(?:\([\w$,]*\)|[\w$]+)=>))\{(?:${JSON_MODULE}|${EMPTY_MODULE})\},?)+\}` +
    String.raw`(?:,(?:function\([\w$]+\)|[\w$]+=>)\{[\w$\s.,;=>(){}]*\})?\]\);?\s*$`,
)
/** Size limit of all these. */
const MAX_HELPERS = 4096

/** The output of a build, which nobody vouches for. */
export interface Output {
  /** Absolute. */
  directory: string
  /** Its files. */
  present: ReadonlySet<string>
  /** Where files may be. */
  roots: Roots
  mapOf: ReadonlyMap<string, string> | undefined
  contents: ReadonlyMap<string, Uint8Array> | undefined
}

/** A script with its map, or why it has none. */
export interface Pair {
  script: string
  parts?: FilePart[]
  debugId?: string
  /** Absolute path of the script's map, usable or not. */
  mapFile?: string
  problems: Problem[]
}

/** Finds the map of a script without parsing either. */
export async function pairOf(script: string, build: Output): Promise<Pair> {
  const path = join(build.directory, script)
  const content = build.contents?.get(script)
  if (!content && !build.roots.hold(path)) return { script, problems: [fileOutside(script)] }
  let comments: TrailingComments
  try {
    comments = readTrailingComments(content ?? path)
  } catch (error) {
    return { script, problems: [unreadable('file-unreadable', error, { file: script })] }
  }
  const located = locateMap(script, comments, build)
  const base = {
    script,
    ...(comments.debugId !== undefined && { debugId: comments.debugId }),
    ...(located.path !== undefined && { mapFile: located.path }),
  }
  if (located.problem?.code === 'no-map' && isWithoutCode(script, content ?? path, comments.bytes))
    return { ...base, problems: [] }
  if (located.problem?.code === 'no-map' && (await evaluatesSources(content ?? path))) {
    const message = t`The sources are inside the deployed file, in eval calls.`
    return { ...base, problems: [problem('map-inline', message, { file: script })] }
  }
  if (!located.path && !located.inline && isFlutters(script)) return { ...base, problems: [] }
  if (located.problem?.severity === 'error' || (!located.path && !located.inline)) {
    return { ...base, problems: located.problem ? [located.problem] : [] }
  }
  const problems = located.problem ? [located.problem] : []
  const map = readMap(script, located, build)
  if ('code' in map) return { ...base, problems: [...problems, map] }
  if (comments.bytes === 0)
    return { ...base, problems: [...problems, problem('file-empty', t`The file is empty.`, { file: script })] }
  const name = 'minified_file'
  const minified: FilePart = { name, filename: name, path, bytes: comments.bytes, ...(content && { content }) }
  return { ...base, problems, parts: [map, minified] }
}

/** Whether a script can never appear in a stack: it only re-exports, contains data, or is a framework's list of its files. */
function isWithoutCode(script: string, from: string | Uint8Array, bytes: number): boolean {
  if (MANIFEST.test(script)) return true
  if (bytes > MAX_WITHOUT_CODE) return false
  const content = (typeof from === 'string' ? readRegular(from) : Buffer.from(from)).toString('latin1')
  const isHelper = () => PRELOADER.test(content) || isRuntime(content)
  return (bytes <= MAX_HELPERS && isHelper()) || EMPTY_CHUNK.test(withoutLiterals(content)) || !hasCode(content)
}

/** Minified code has shorter variable names than any property of an app. */
function isRuntime(content: string): boolean {
  const words = withoutLiterals(content).match(/[\w$]{3,}/g) ?? []
  return RUNTIME.test(content) && words.every((word) => RUNTIME_WORDS.test(word))
}

interface LocatedMap {
  /** Absolute path. */
  path?: string
  inline?: string
  problem?: Problem
}

function locateMap(
  script: string,
  { sourceMappingUrl: named, isAmidCode = false, bytes }: TrailingComments,
  { directory, present, roots, mapOf }: Output,
): LocatedMap {
  const byName = mapOf?.get(script) ?? `${script}.map`
  const found = present.has(byName) ? { path: join(directory, byName) } : undefined
  const isThere = (url: string) => {
    const path = mapPath(directory, script, url)
    // One in the allowed root was not listed.
    const isAllowed = () => nameBelow(directory, path).startsWith('../') && existsSync(path) && roots.hold(path)
    return url.startsWith('data:') || present.has(nameBelow(directory, path)) || isAllowed()
  }
  // Amid the code it is a bundled library's own, unless a step after the build put code behind it.
  const isOthers = isAmidCode && named !== undefined && (found !== undefined || !isThere(named))
  const url = isOthers ? undefined : named
  if (url === undefined) {
    if (found) return found
    // An empty file throws nothing.
    if (bytes === 0) return {}
    return {
      problem: problem('no-map', t`The file does not refer to a source map, and there is none next to it.`, {
        file: script,
      }),
    }
  }
  if (url.startsWith('data:')) {
    return {
      inline: url,
      problem: problem('map-inline', t`The source map is inside the deployed file.`, { file: script }),
    }
  }
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)) {
    if (found) return found
    return {
      problem: problem('map-remote', t`The file refers to a source map at ${url.slice(0, 200)}.`, { file: script }),
    }
  }
  const path = mapPath(directory, script, url)
  if (present.has(nameBelow(directory, path))) return { path }
  // A map outside the directory was not listed; reading it will tell.
  const isOutside = nameBelow(directory, path).startsWith('../')
  if (isOutside && roots.hold(path)) return { path }
  if (found) return found
  const shown = url.slice(0, 200)
  if (isOutside || !roots.hold(path)) {
    return {
      problem: problem(
        'file-outside',
        t`It refers to the source map ${shown}, which is outside the uploaded directory.`,
        { file: script },
      ),
    }
  }
  return {
    problem: problem('map-missing', t`It refers to the source map ${shown}, which does not exist.`, { file: script }),
  }
}

function mapPath(directory: string, script: string, url: string): string {
  const path = referencedPath(url)
  return path.startsWith('/') ? join(directory, path) : resolve(directory, dirname(script), path)
}

function readMap(script: string, located: LocatedMap, build: Output): FilePart | Problem {
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
  const file = nameBelow(directory, path)
  const content = build.contents?.get(file)
  if (!content && !roots.hold(path)) {
    if (!file.startsWith('../')) return fileOutside(file)
    return problem('file-outside', t`It is a source map outside the uploaded directory.`, { file })
  }
  let ends: FileEnds
  try {
    ends = readEnds(content ?? path, SNIFFED_BYTES, SNIFFED_BYTES)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return unreadable('file-unreadable', error, { file })
    if (build.present.has(file)) return deleted(script, file, path)
    return problem('map-missing', t`It refers to the source map ${file}, which does not exist.`, { file: script })
  }
  if (ends.bytes === 0) return problem('file-empty', t`The source map is empty.`, { file })
  const flaw = sourceMapFlaw(ends.head, ends.tail)
  if (flaw !== undefined) return problem('map-invalid', t`The file ${flaw}.`, { file })
  return { ...part, path, bytes: ends.bytes, ...(content && { content }) }
}

/** The build wrote the map, but it is gone. Other uploaders' plugins delete maps after the upload, even after a failed one. */
function deleted(script: string, map: string, path: string): Problem {
  if (wasRemoved(path)) {
    const once = t`Add the plugin to the config only once: it runs twice for the same output.`
    const message = t`Its source map ${map} was written, but symup has already deleted it.`
    return problem('map-missing', message, { file: script, fix: once })
  }
  const fix = t`Let nothing else delete source maps before the upload: set deleteAfterUpload, and switch it off in other uploaders (filesToDeleteAfterUpload, keepSourcemaps) and scripts.`
  return problem('map-missing', t`Its source map ${map} was written, but has already been deleted.`, {
    file: script,
    fix,
  })
}
