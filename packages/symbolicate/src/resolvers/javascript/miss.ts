import { fileNameOf, isInInstalledApp, pathAsPrefix } from '@symup/core/resolving'
import type { ArtifactSource, Release, ScriptPlace, ScriptQuery } from '../../artifacts.ts'
import type { Reason } from '../../frames.ts'
import { reason } from '../../reasons.ts'
import { listed, NAME_IT, unique, versionMismatch } from '../release-miss.ts'
import { isOnAHost } from './find-script.ts'

const CANDIDATES = 50

/**
 * No engine runs such files. Addresses on a dev server may have these extensions but serve compiled code. Rust's and C++'s stacks look like
 * those of browsers.
 */
const SOURCE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro|rs|[ch]|cc|[ch]pp|cxx|swift)$/
/** Addresses that webpack gives to sources. */
const WEBPACK = /^webpack(?:-internal)?:\/\//

/**
 * `http://localhost:8081/index.bundle?platform=ios&dev=true&…`, with `//&` instead of the question mark since React
 * Native 0.72.
 */
const METRO_SERVER = /\.bundle(?:\?|\/\/&)\S{0,400}\bdev=true\b/

/** A script that the app creates at run time, such as an inlined worker. */
const MADE_WHILE_RUNNING = /^(blob|data):/i

/**
 * `8.js`, without a path: a module in a React Native RAM bundle. The map's `x_facebook_offsets` contains its line
 * offset.
 */
const RAM_MODULE = /^\d{1,9}\.js$/

/**
 * `/usr/share/code/resources/app/out/vs/workbench/api/node/extensionHostProcess.js`: VS Code's own code, which calls
 * extensions.
 */
const OF_VSCODE = /\/out\/vs\/(?:base|code|editor|platform|workbench)\//

const INLINED = 'Build the script as a separate file (a worker without ?inline), and upload its source map.'

/** Explains why no artifact was found for a frame and what was found instead. The most likely mistake comes first. */
export async function explainMiss(file: string, query: ScriptQuery, source: ArtifactSource): Promise<Reason> {
  const { service, version, path } = query
  // Node reports these with `--enable-source-maps`.
  if (WEBPACK.test(file) || (SOURCE.test(path) && !isOnAHost(file))) return reason('already-original')
  const [, scheme] = MADE_WHILE_RUNNING.exec(file) ?? []
  if (scheme !== undefined) {
    const message = `The script was created at run time: its address starts with ${scheme.toLowerCase()}: and does not belong to a file.`
    return reason('not-resolvable-here', message, INLINED)
  }
  if (METRO_SERVER.test(file)) {
    const message = "The script is from Metro's development server and does not belong to a release."
    return reason('not-resolvable-here', message, 'Take the stack from a release build.')
  }
  // Other services may have more files with this name than the limit.
  const named = (limit: number, of?: Partial<Release>) => source.findScriptsNamed(fileNameOf(path), limit, of)
  const isThere = (place: ScriptPlace) => place.path === path
  const ofService = (await named(CANDIDATES, { service })).filter(isThere)
  const versions = unique(ofService.map((place) => place.version))
  if (versions.length > 0) return versionMismatch(query, versions)

  // Servers load packages unchanged.
  const ofOthers = (await named(CANDIDATES)).filter(isThere)
  if (path.includes('/node_modules/') && ofOthers.length === 0)
    return reason('not-a-project-frame', 'The frame is in a package of node_modules.')
  if (OF_VSCODE.test(path) && ofOthers.length === 0)
    return reason('not-a-project-frame', 'The frame is in Visual Studio Code, which runs the extension.')
  const [nearestScript, ...more] = nearest(path, await named(CANDIDATES, { service, version }))
  if (nearestScript && more.length > 0 && isInInstalledApp(nearestScript.address ?? '') && !isOnAHost(file))
    return reason('prefix-mismatch', severalFit(path, [nearestScript, ...more]), OF_ITS_OWN)
  if (nearestScript) return prefixMismatch(path, nearestScript, isOnAHost(file))

  const services = unique(ofOthers.map((place) => place.service))
  if (services.length > 0) {
    const message = `${path} was not uploaded for the service ${service}, but for ${listed(services)}.`
    return reason('service-mismatch', message)
  }
  if (RAM_MODULE.test(file)) {
    const message = `${file} is a module of a React Native RAM bundle, which symup does not support.`
    return reason(
      'not-resolvable-here',
      message,
      'Build a plain bundle (react-native bundle, not ram-bundle), or use Hermes.',
    )
  }
  // Files in a directory belong to no service.
  if (service === '' && version === '') return reason('no-artifact', `The given files do not contain ${path}.`, NAME_IT)
  const uploaded = await source.versionsOf(service)
  if (uploaded.length > 0 && !uploaded.includes(version)) return versionMismatch(query, uploaded)
  if (uploaded.length > 0)
    return reason('no-artifact', `${path} was not uploaded for ${service} ${version}, but other files were.`)
  if ((await source.miniPrograms?.releases(1, service))?.length) {
    const message = `The service ${service} has only mini program maps, but the stack was parsed as that of a website.`
    return reason('no-artifact', message, 'Repeat the command with the platform of the stack: --platform miniprogram.')
  }
  const known = await source.services()
  if (known.length === 0)
    return reason('no-artifact', `No script was uploaded for the service ${service}, nor for any other.`)
  return reason('no-artifact', `No script was uploaded for the service ${service}, only for ${listed(known)}.`)
}

/** Directories in which cloud functions run, the same on each machine. */
const OF_ITS_OWN = 'Upload each separately deployed directory with its own service and the path prefix app:///.'

function severalFit(reported: string, places: readonly ScriptPlace[]): string {
  const sent = listed(places.map(({ path }) => `app://${path}`))
  return `The source maps are for ${sent}. ${reported} does not end in any of these paths, so it could be any of the files.`
}

/** The number of equal trailing path segments. */
function commonEnd(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  let common = 0
  while (common < a.length && common < b.length && a.at(-1 - common) === b.at(-1 - common)) common++
  return common
}

/** The paths with the longest common suffix. */
function nearest(reported: string, places: readonly ScriptPlace[]): ScriptPlace[] {
  const most = Math.max(...places.map(({ path }) => commonEnd(reported, path)))
  const near = places.filter(({ path }) => commonEnd(reported, path) === most)
  return near.filter(({ path }, nth) => near.findIndex((other) => other.path === path) === nth)
}

/** @param isOnAHost whether the frame's directory is the same for all users, unlike in an installed app. */
function prefixMismatch(reported: string, { path: uploaded, address = '' }: ScriptPlace, isOnAHost: boolean): Reason {
  const a = reported.split('/')
  const b = uploaded.split('/')
  const common = commonEnd(reported, uploaded)
  const prefixIn = (path: string[]) => pathAsPrefix(path.slice(0, path.length - common).join('/')) || '/'
  const isApp = isInInstalledApp(address)
  const inApp = (path: string) => (isApp ? `app://${path}` : path)
  const [sent, given] = [inApp(uploaded), inApp(prefixIn(b))]
  if (isApp && !isOnAHost) {
    const message = `The source map is for ${sent}, and ${reported} does not end in ${uploaded}.`
    return reason('prefix-mismatch', message, `Upload with the path prefix app:/// instead of ${given}.`)
  }
  const fix = `Upload with the path prefix ${prefixIn(a)} instead of ${given}.`
  return reason(
    'prefix-mismatch',
    `The stack has ${reported}, but the source map is for ${sent}.`,
    isOnAHost ? fix : `${fix} If the app's directory differs between machines, use the prefix app:///.`,
  )
}
