import { fileNameOf, isInInstalledApp, isReactNativeBundle, urlHost, urlPath } from '@symup/core/resolving'
import type { ArtifactSource, ScriptArtifact, ScriptPlace } from '../../artifacts.ts'
import type { Reason } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import type { Release } from '../../release.ts'
import { listed, unique } from '../release-miss.ts'

/** Scripts of one name in a release that are looked at; bundlers name many `index.js`. */
const MAX_NAMED = 500

interface Found {
  artifact?: ScriptArtifact
  /** Why there is none, or what to know of the one that there is. */
  remark?: Reason
}

/** The artifact of a file as the stack names it. */
export type Find = (file: string) => Promise<Found>

/**
 * Looks the artifacts of all files of a stack up at once: by debug id first, as it names the very file, wherever and for whichever release it was deployed.
 * @param files as the stack names them.
 */
export async function findScripts(
  files: readonly string[],
  question: StackQuestion,
  source: ArtifactSource,
): Promise<Find> {
  const release = { service: question.service, version: question.version }
  const ids = new Set(files.flatMap((file) => debugIdOf(file, question) ?? []))
  const identified = ids.size === 0 ? undefined : await source.findScriptsByDebugId?.([...ids], release)
  const byId = new Map(identified?.map((artifact) => [artifact.debugId, artifact]))
  const known = (file: string) => byId.get(debugIdOf(file, question) ?? '')
  const paths = new Set(files.flatMap((file) => (known(file) ? [] : pathsOf(file))))
  const uploaded = paths.size === 0 ? [] : await source.findScripts(release, [...paths])
  const find: Find = async (file) => {
    const identical = known(file)
    if (identical) return { artifact: identical }
    for (const path of pathsOf(file)) {
      const found = uploaded.filter((it) => it.path === path)
      if (found.length > 0) return ofHost(file, found)
    }
    return isOnAHost(file) ? {} : byName(file, release, source)
  }
  const answers = new Map<string, Promise<Found>>()
  return (file) => {
    const answer = answers.get(file) ?? find(file)
    answers.set(file, answer)
    return answer
  }
}

export function debugIdOf(file: string, { debugIds }: StackQuestion): string | undefined {
  return debugIds && Object.hasOwn(debugIds, file) ? debugIds[file]?.toLowerCase() : undefined
}

/** A copy that is delivered in place of a script. */
const COMPRESSED_COPY = /\.(?:br|gz|zst)$/i

/** Where a file may have been uploaded to. A React Native bundle lies at another path on each device; its name tells. */
function pathsOf(file: string): string[] {
  const path = urlPath(file)
  if (COMPRESSED_COPY.test(path)) return [path, path.replace(COMPRESSED_COPY, '')]
  return isReactNativeBundle(path) ? [path, `/${fileNameOf(path)}`] : [path]
}

/** Of the uploads for one path, newest first: that for the frame's host, else one that names none, else whichever there is if they are all alike. */
function ofHost(file: string, found: readonly ScriptArtifact[]): Found {
  const host = urlHost(file)
  const hostOf = ({ address = '' }: ScriptArtifact) => urlHost(address)
  const own = found.find((it) => host !== undefined && hostOf(it) === host) ?? found.find((it) => !hostOf(it))
  if (own) return { artifact: own }
  const hosts = unique(found.map((it) => hostOf(it) ?? ''))
  // An upload that was repeated for its host has taken the place of the one before.
  const newest = hosts.map((it) => found.find((item) => hostOf(item) === it) as ScriptArtifact)
  const [artifact] = newest as [ScriptArtifact]
  if (unique(newest.map(({ contentKey }) => contentKey)).length > 1) {
    const message = `${artifact.path} was uploaded for ${listed(hosts)}, and ${host === undefined ? 'the frame names no host' : `the frame is from ${host}`}.`
    const fix = 'Report stacks with full URLs, and upload with the prefix of the host that serves the files.'
    return { remark: reason('ambiguous', message, fix) }
  }
  if (host === undefined) return { artifact }
  return {
    artifact,
    remark: reason('other-host', `The frame is from ${host}; ${artifact.path} was uploaded for ${listed(hosts)}.`),
  }
}

/** Finds by the name of a file, and by what of its path is known. */
async function byName(file: string, release: Release, source: ArtifactSource): Promise<Found> {
  const path = urlPath(file)
  const named = await source.findScriptsNamed(fileNameOf(path), MAX_NAMED, release)
  const installed = inInstalledApp(path, named)
  if (installed) {
    const found = await source.findScripts(release, [installed.path])
    const artifact = found.find(({ address = '' }) => isInInstalledApp(address))
    return artifact ? { artifact } : {}
  }
  const [only, ...others] = unique(named.map((it) => it.path)).sort()
  if (isShortened(file) && others.length > 0) {
    const message = `The stack says ${file} without a directory; ${listed([only ?? '', ...others])} are called so.`
    return { remark: reason('ambiguous', message, 'Take the stack from the error itself, with full URLs.') }
  }
  return isShortened(file) && only !== undefined ? ofHost(file, await source.findScripts(release, [only])) : {}
}

/** The console of a browser shows the name of a file without where it is from. */
const isShortened = (file: string): boolean => !/[\\/:]/.test(file)

/** An installed app lies in another directory on each machine: its scripts are known by the end of their path, the longest that fits. */
function inInstalledApp(path: string, named: readonly ScriptPlace[]): ScriptPlace | undefined {
  // What an app depends on has files of the same names below directories of its own.
  const fits = (it: string) => path.endsWith(it) && !path.slice(0, -it.length).includes('/node_modules')
  return named
    .filter((it) => isInInstalledApp(it.address ?? '') && fits(it.path))
    .sort((a, b) => b.path.length - a.path.length)[0]
}

/** Whether the frame's address is one of the web, and not of a file on the machine or in an app. */
export function isOnAHost(file: string): boolean {
  return /^(?:https?:)?\/\//i.test(file)
}
