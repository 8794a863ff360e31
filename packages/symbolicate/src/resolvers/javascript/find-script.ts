import { fileNameOf, isInInstalledApp, isReactNativeBundle, urlHost, urlPath } from '@symup/core/resolving'
import type { ArtifactSource, Release, ScriptArtifact, ScriptPlace } from '../../artifacts.ts'
import type { Reason } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import { listed, unique } from '../release-miss.ts'

/** The maximum number of scripts with the same name in a release. Bundlers emit many files called `index.js`. */
const MAX_NAMED = 500

interface Found {
  artifact?: ScriptArtifact
  remark?: Reason
}

export type Find = (file: string) => Promise<Found>

/**
 * Looks up the artifacts for all files in a stack together. Debug ids are tried first, because they identify the exact file in any release.
 * @param files the file names, as they appear in the stack.
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

/** Matches compressed copies, which a server may deliver instead of the script. */
const COMPRESSED_COPY = /\.(?:br|gz|zst)$/i

/**
 * Returns the paths under which a file may have been uploaded. The path of a React Native bundle differs between devices, so only the file
 * name is used.
 */
function pathsOf(file: string): string[] {
  const path = urlPath(file)
  if (COMPRESSED_COPY.test(path)) return [path, path.replace(COMPRESSED_COPY, '')]
  return isReactNativeBundle(path) ? [path, `/${fileNameOf(path)}`] : [path]
}

/**
 * Chooses one of the uploads for a path. Uploads for the frame's host are preferred to uploads without a host. Otherwise, an upload is used
 * only if all uploads are identical.
 * @param found the uploads, newest first.
 */
function ofHost(file: string, found: readonly ScriptArtifact[]): Found {
  const host = urlHost(file)
  const hostOf = ({ address = '' }: ScriptArtifact) => urlHost(address)
  const own = found.find((it) => host !== undefined && hostOf(it) === host) ?? found.find((it) => !hostOf(it))
  if (own) return { artifact: own }
  const hosts = unique(found.map((it) => hostOf(it) ?? ''))
  // The newest upload for a host replaces earlier uploads.
  const newest = hosts.map((it) => found.find((item) => hostOf(item) === it) as ScriptArtifact)
  const [artifact] = newest as [ScriptArtifact]
  if (unique(newest.map(({ contentKey }) => contentKey)).length > 1) {
    const message =
      host === undefined
        ? `${artifact.path} was uploaded for several hosts (${listed(hosts)}), but the frame does not contain a host.`
        : `The host in the frame is ${host}, but ${artifact.path} was uploaded for ${listed(hosts)}.`
    const fix = 'Report stacks that contain full URLs, and upload the files for each host with the prefix of that host.'
    return { remark: reason('ambiguous', message, fix) }
  }
  if (host === undefined) return { artifact }
  return {
    artifact,
    remark: reason(
      'other-host',
      `The host in the frame is ${host}, but ${artifact.path} was uploaded for ${listed(hosts)}.`,
    ),
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

/** Browser consoles shorten URLs to the file name. */
const isShortened = (file: string): boolean => !/[\\/:]/.test(file)

/**
 * Finds the script with the longest path that is a suffix of the frame's path. The frame's path can start with any directory, because apps
 * can be installed anywhere.
 */
function inInstalledApp(path: string, named: readonly ScriptPlace[]): ScriptPlace | undefined {
  // A dependency in `node_modules` can contain a file with the same name as one of the app's files.
  const fits = (it: string) => path.endsWith(it) && !path.slice(0, -it.length).includes('/node_modules')
  return named
    .filter((it) => isInInstalledApp(it.address ?? '') && fits(it.path))
    .sort((a, b) => b.path.length - a.path.length)[0]
}

/** Returns whether the file comes from a web server rather than the local machine or an app. */
export function isOnAHost(file: string): boolean {
  return /^(?:https?:)?\/\//i.test(file)
}
