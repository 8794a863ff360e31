import { fileNameOf, isInInstalledApp, isReactNativeBundle, pathAsPrefix } from '@symup/core/resolving'
import type { ArtifactSource, Release, ScriptPlace, ScriptQuery } from '../../artifacts.ts'
import type { Reason } from '../../frames.ts'
import { reason } from '../../reasons.ts'
import { listed, NAME_IT, unique, versionMismatch } from '../release-miss.ts'
import { isOnAHost } from './find-script.ts'

const CANDIDATES = 50

/**
 * Matches the names of source files that engines cannot run. Dev servers may still use such names in the URLs of compiled code. Rust and
 * C++ files are included because stacks with such files look like browser stacks.
 */
const SOURCE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro|rs|[ch]|cc|[ch]pp|cxx|swift)$/
const WEBPACK = /^webpack(?:-internal)?:\/\//

/**
 * Matches the URL of a bundle from a Metro dev server, such as `http://localhost:8081/index.bundle?platform=ios&dev=true&…`. In React
 * Native 0.72 and later, the URL contains `//&` instead of the question mark.
 */
const METRO_SERVER = /\.bundle(?:\?|\/\/&)\S{0,400}\bdev=true\b/

/** Matches a script that the app creates at run time, such as an inlined worker. */
const MADE_WHILE_RUNNING = /^(blob|data):/i

/** Matches a module in a React Native RAM bundle, such as `8.js`. The line offset of the module is in the map's `x_facebook_offsets`. */
const RAM_MODULE = /^\d{1,9}\.js$/

/**
 * Matches the code in VS Code that calls extensions, such as
 * `/usr/share/code/resources/app/out/vs/workbench/api/node/extensionHostProcess.js`.
 */
const OF_VSCODE = /\/out\/vs\/(?:base|code|editor|platform|workbench)\//

const OTHER_NAME = 'If you uploaded the bundle under another name, pass the name in the stack with --bundle-name.'

const INLINED =
  'Build the script as a separate file, and upload its source map. For a Vite worker, remove ?inline from the import.'

/** Explains why no artifact was found for a frame and lists similar artifacts. The most likely mistakes are checked first. */
export async function explainMiss(file: string, query: ScriptQuery, source: ArtifactSource): Promise<Reason> {
  const { service, version, path } = query
  // With `--enable-source-maps`, Node.js reports original sources.
  if (WEBPACK.test(file) || (SOURCE.test(path) && !isOnAHost(file))) return reason('already-original')
  const [, scheme] = MADE_WHILE_RUNNING.exec(file) ?? []
  if (scheme !== undefined) {
    const message = `The script was created at run time. The address of the script starts with ${scheme.toLowerCase()}: and does not belong to a file.`
    return reason('not-resolvable-here', message, INLINED)
  }
  if (METRO_SERVER.test(file)) {
    const message = 'The script is from the Metro development server and does not belong to a release.'
    return reason('not-resolvable-here', message, 'Copy the stack from a release build.')
  }
  // Search the same service first. Otherwise, files with the same name from other services may use up the limit.
  const named = (limit: number, of?: Partial<Release>) => source.findScriptsNamed(fileNameOf(path), limit, of)
  const isThere = (place: ScriptPlace) => place.path === path
  const ofService = (await named(CANDIDATES, { service })).filter(isThere)
  const versions = unique(ofService.map((place) => place.version))
  if (versions.length > 0) return versionMismatch(query, versions)

  // Servers load packages from `node_modules` unchanged.
  const ofOthers = (await named(CANDIDATES)).filter(isThere)
  if (path.includes('/node_modules/') && ofOthers.length === 0)
    return reason('not-a-project-frame', 'The frame is in a package in node_modules.')
  if (OF_VSCODE.test(path) && ofOthers.length === 0)
    return reason('not-a-project-frame', 'The frame is in Visual Studio Code, which runs the extension.')
  const [nearestScript, ...more] = nearest(path, await named(CANDIDATES, { service, version }))
  if (nearestScript && more.length > 0 && isInInstalledApp(nearestScript.address ?? '') && !isOnAHost(file))
    return reason('prefix-mismatch', severalFit(path, [nearestScript, ...more]), OF_ITS_OWN)
  if (nearestScript) return prefixMismatch(path, nearestScript, isOnAHost(file))

  const services = unique(ofOthers.map((place) => place.service))
  if (services.length > 0) {
    const message = `${path} was uploaded for ${listed(services)}, but not for the service ${service}.`
    return reason('service-mismatch', message)
  }
  if (RAM_MODULE.test(file)) {
    const message = `${file} is a module of a React Native RAM bundle, which symup does not support.`
    return reason(
      'not-resolvable-here',
      message,
      'Build a plain bundle with react-native bundle instead of ram-bundle, or use Hermes.',
    )
  }
  // Files in a local directory have no service.
  if (service === '' && version === '') return reason('no-artifact', `The given files do not contain ${path}.`, NAME_IT)
  const uploaded = await source.versionsOf(service)
  if (uploaded.length > 0 && !uploaded.includes(version)) return versionMismatch(query, uploaded)
  if (uploaded.length > 0) {
    const message = `Files were uploaded for ${service} ${version}, but ${path} was not one of them.`
    return reason('no-artifact', message, isReactNativeBundle(path) ? OTHER_NAME : undefined)
  }
  if ((await source.miniPrograms?.releases(1, service))?.length) {
    const message = `Only source maps for mini programs were uploaded for the service ${service}, but the stack was parsed as a website stack.`
    return reason('no-artifact', message, 'Repeat the command with --platform miniprogram.')
  }
  const known = await source.services()
  if (known.length === 0)
    return reason('no-artifact', `No script was uploaded for the service ${service} or for any other service.`)
  return reason('no-artifact', `No script was uploaded for the service ${service}, only for ${listed(known)}.`)
}

/** The fix to suggest for cloud functions, which all run in the same directory. */
const OF_ITS_OWN = 'Upload each separately deployed directory with a separate service and the path prefix app:///.'

function severalFit(reported: string, places: readonly ScriptPlace[]): string {
  const sent = listed(places.map(({ path }) => `app://${path}`))
  return `No uploaded file matches the path ${reported}. Uploaded files: ${sent}.`
}

function commonEnd(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  let common = 0
  while (common < a.length && common < b.length && a.at(-1 - common) === b.at(-1 - common)) common++
  return common
}

function nearest(reported: string, places: readonly ScriptPlace[]): ScriptPlace[] {
  const most = Math.max(...places.map(({ path }) => commonEnd(reported, path)))
  const near = places.filter(({ path }) => commonEnd(reported, path) === most)
  return near.filter(({ path }, nth) => near.findIndex((other) => other.path === path) === nth)
}

/** @param isOnAHost whether the file comes from a web server. If so, the directory is the same for all users. */
function prefixMismatch(reported: string, { path: uploaded, address = '' }: ScriptPlace, isOnAHost: boolean): Reason {
  const a = reported.split('/')
  const b = uploaded.split('/')
  const common = commonEnd(reported, uploaded)
  const prefixIn = (path: string[]) => pathAsPrefix(path.slice(0, path.length - common).join('/')) || '/'
  const isApp = isInInstalledApp(address)
  const inApp = (path: string) => (isApp ? `app://${path}` : path)
  const given = inApp(prefixIn(b))
  const message = `The stack contains ${reported}, but the source map is for ${inApp(uploaded)}.`
  if (isApp && !isOnAHost) {
    return reason('prefix-mismatch', message, `Upload the files with the path prefix app:/// instead of ${given}.`)
  }
  const fix = `Upload the files with the path prefix ${prefixIn(a)} instead of ${given}.`
  return reason(
    'prefix-mismatch',
    message,
    isOnAHost ? fix : `${fix} If the app directory differs between machines, use the prefix app:///.`,
  )
}
