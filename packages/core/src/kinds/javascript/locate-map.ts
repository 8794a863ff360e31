import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { nameBelow } from '../../files/name-below.ts'
import type { Roots } from '../../files/roots.ts'
import { endingIn, referencedPath, urlHost, urlPath } from '../../files/url-path.ts'
import type { TrailingComments } from '../../formats/source-map/source-mapping-url.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { isScript } from './traits.ts'

/** The output directory of a build. The content of the directory is not trusted. */
export interface Output {
  /** The absolute path of the directory. */
  directory: string
  /** The names of all files in the directory. */
  present: ReadonlySet<string>
  roots: Roots
  mapOf: ReadonlyMap<string, string> | undefined
  contents: ReadonlyMap<string, Uint8Array> | undefined
  /** Returns the URL or path under which the script's directory is deployed, or undefined if it is unknown. */
  prefixOf(script: string): string | undefined
}

export interface LocatedMap {
  /** The absolute path of the map. */
  path?: string
  inline?: string
  problem?: Problem
}

/** Finds the map that a script references, or the map next to the script. */
export function locateMap(
  script: string,
  { sourceMappingUrl: named, isAmidCode = false, bytes }: TrailingComments,
  build: Output,
): LocatedMap {
  const { directory, present, roots, mapOf } = build
  const byName = mapOf?.get(script) ?? `${script}.map`
  const found = present.has(byName) ? { path: join(directory, byName) } : undefined
  const isThere = (url: string) => {
    const path = mapPath(script, url, build)
    if (path === undefined) return false
    // Maps in the additional allowed directory are not in the file list, so the file system is checked.
    const isAllowed = () => nameBelow(directory, path).startsWith('../') && existsSync(path) && roots.hold(path)
    return url.startsWith('data:') || present.has(nameBelow(directory, path)) || isAllowed()
  }
  // A `sourceMappingURL` comment that is followed by code usually comes from a bundled library, unless a later build step appended the
  // code.
  const isForeign = isAmidCode && named !== undefined && (found !== undefined || !isThere(named))
  const url = isForeign ? undefined : named
  if (url === undefined) {
    if (found) return found
    // An empty file never appears in a stack, so it needs no map.
    if (bytes === 0) return {}
    return {
      problem: problem('no-map', t`The script does not refer to a source map, and no map was found next to it.`, {
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
  const shown = url.slice(0, 200)
  const path = mapPath(script, url, build)
  if (path === undefined) {
    if (found) return found
    return {
      problem: problem('map-remote', t`The script refers to a remote source map at ${shown}.`, { file: script }),
    }
  }
  // Some bundlers, such as r.js, copy the `sourceMappingURL` comment from an input file.
  if (found && isScript(path)) return found
  if (path === join(directory, script)) {
    const fix = t`Change the sourceMappingURL comment so that it points to the source map of the script.`
    return { problem: problem('map-missing', t`The script refers to itself as its source map.`, { file: script, fix }) }
  }
  if (present.has(nameBelow(directory, path))) return { path }
  // The file list does not include maps outside the directory. If such a map is missing, the error is reported when the map is read.
  const isOutside = nameBelow(directory, path).startsWith('../')
  if (isOutside && roots.hold(path)) return { path }
  if (found) return found
  if (isOutside || !roots.hold(path)) {
    return {
      problem: problem(
        'file-outside',
        t`The script refers to the source map ${shown}, which is outside the uploaded directory.`,
        { file: script },
      ),
    }
  }
  return {
    problem: problem('map-missing', t`The file refers to the source map ${shown}, which does not exist.`, {
      file: script,
    }),
  }
}

/** Returns the absolute path of the map that a URL refers to, or undefined if the URL is not below the prefix. */
function mapPath(script: string, url: string, { directory, present, prefixOf }: Output): string | undefined {
  const path = referencedPath(url)
  const isUrl = /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)
  if (!isUrl && !path.startsWith('/')) return resolve(directory, dirname(script), path)
  const below = belowPrefix(url, prefixOf(script))
  if (below !== undefined && present.has(below)) return join(directory, below)
  // The path prefix may be unknown or the prefix of a CDN, but a path without a host belongs to the same site.
  return isUrl ? undefined : join(directory, endingIn(present, path) ?? path)
}

/** Converts a URL or absolute path to a path relative to the deployed directory. Returns undefined if the URL is not below the prefix. */
function belowPrefix(url: string, prefix: string | undefined): string | undefined {
  if (prefix === undefined) return undefined
  const [host, ownHost] = [urlHost(url), urlHost(prefix)]
  if (host !== undefined && ownHost !== undefined && host !== ownHost) return undefined
  const root = urlPath(`${prefix}/`)
  const path = urlPath(url)
  return path.startsWith(root) ? path.slice(root.length) : undefined
}
