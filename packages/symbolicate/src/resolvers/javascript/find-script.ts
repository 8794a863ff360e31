import { fileNameOf, isInInstalledApp, isReactNativeBundle, urlHost, urlPath } from '@symup/core/resolving'
import type { ArtifactSource, Release, ScriptArtifact, ScriptPlace } from '../../artifacts.ts'
import type { Reason } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import { listed, unique } from '../release-miss.ts'

/** Maximum scripts with the same name in a release. Bundlers emit many `index.js`. */
const MAX_NAMED = 500

interface Found {
  artifact?: ScriptArtifact
  /** Why no script was found, or a remark about the script. */
  remark?: Reason
}

/** Finds the artifact for a file in the stack. */
export type Find = (file: string) => Promise<Found>

/**
 * Looks up the artifacts for all files in a stack at once. Debug ids come first, because they identify the exact file in any release.
 * @param files names as written in the stack.
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

/** A compressed copy that is delivered in place of a script. */
const COMPRESSED_COPY = /\.(?:br|gz|zst)$/i

/** Possible upload paths of a file. A React Native bundle has a different path on each device, so only its name counts. */
function pathsOf(file: string): string[] {
  const path = urlPath(file)
  if (COMPRESSED_COPY.test(path)) return [path, path.replace(COMPRESSED_COPY, '')]
  return isReactNativeBundle(path) ? [path, `/${fileNameOf(path)}`] : [path]
}

/**
 * Chooses among uploads for one path, newest first. The upload for the frame's host wins, otherwise one without a host, otherwise any if
 * all are identical.
 */
function ofHost(file: string, found: readonly ScriptArtifact[]): Found {
  const host = urlHost(file)
  const hostOf = ({ address = '' }: ScriptArtifact) => urlHost(address)
  const own = found.find((it) => host !== undefined && hostOf(it) === host) ?? found.find((it) => !hostOf(it))
  if (own) return { artifact: own }
  const hosts = unique(found.map((it) => hostOf(it) ?? ''))
  // A later upload for the same host replaces the earlier one.
  const newest = hosts.map((it) => found.find((item) => hostOf(item) === it) as ScriptArtifact)
  const [artifact] = newest as [ScriptArtifact]
  if (unique(newest.map(({ contentKey }) => contentKey)).length > 1) {
    const message = `${artifact.path} was uploaded for ${listed(hosts)}, but ${host === undefined ? 'the frame does not contain a host' : `the frame is from ${host}`}.`
    const fix =
      'Report stacks that contain full URLs, and upload the files with the prefix of the host that serves them.'
    return { remark: reason('ambiguous', message, fix) }
  }
  if (host === undefined) return { artifact }
  return {
    artifact,
    remark: reason('other-host', `The frame is from ${host}, but ${artifact.path} was uploaded for ${listed(hosts)}.`),
  }
}

/** Finds a script by its file name and the known part of its path. */
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
    const message = `The stack contains the file name ${file} without a directory, but several uploaded files have that name: ${listed([only ?? '', ...others])}.`
    return {
      remark: reason('ambiguous', message, 'Copy the stack from the error itself so that it contains full URLs.'),
    }
  }
  return isShortened(file) && only !== undefined ? ofHost(file, await source.findScripts(release, [only])) : {}
}

/** Browser consoles shorten addresses to the file name. */
const isShortened = (file: string): boolean => !/[\\/:]/.test(file)

/** An installed app has a different directory on each machine, so its scripts are found by the longest matching path suffix. */
function inInstalledApp(path: string, named: readonly ScriptPlace[]): ScriptPlace | undefined {
  // The app's dependencies have files with the same names in their own directories.
  const fits = (it: string) => path.endsWith(it) && !path.slice(0, -it.length).includes('/node_modules')
  return named
    .filter((it) => isInInstalledApp(it.address ?? '') && fits(it.path))
    .sort((a, b) => b.path.length - a.path.length)[0]
}

/** Whether the frame's address is on the web, not on the local machine or in an app. */
export function isOnAHost(file: string): boolean {
  return /^(?:https?:)?\/\//i.test(file)
}
