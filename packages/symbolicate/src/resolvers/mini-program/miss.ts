import type { MiniProgramSource, Release } from '../../artifacts.ts'
import type { Reason } from '../../frames.ts'
import { reason } from '../../reasons.ts'
import { listed, NAME_IT, unique } from '../release-miss.ts'
import { isHostBundle } from './frames.ts'

const ENTRIES_LOOKED_AT = 200
const RELEASES_LOOKED_AT = 50
const NAMES_SHOWN = 3

/** Explains why a release has no map for a script. The most likely mistakes are checked first. */
export async function explainMiniProgramMiss(
  path: string,
  { service, version }: Release,
  source: MiniProgramSource,
): Promise<Reason> {
  const entries = await source.entriesOf({ service, version }, ENTRIES_LOOKED_AT)
  // Only files on disk have neither a service nor a version.
  const isAtHand = service === '' && version === ''
  if (entries.length > 0) return otherMaps(path, entries, isAtHand)
  const map = `${path}.map`
  if (isAtHand) return reason('no-artifact', `The given files do not contain ${map}.`, NAME_IT)
  const ofService = await source.releases(RELEASES_LOOKED_AT, service)
  const versions = unique(ofService.filter((it) => it.service === service).map((it) => it.version))
  if (versions.length > 0) {
    return reason(
      'version-mismatch',
      `No upload for ${service} has the version ${version}. Uploaded versions: ${listed(versions, NAMES_SHOWN)}.`,
    )
  }
  const services = unique((await source.releases(RELEASES_LOOKED_AT)).map((it) => it.service))
  if (services.length > 0) {
    const message = `No source maps of a mini program were uploaded for the service ${service}, only for ${listed(services, NAMES_SHOWN)}.`
    return reason('service-mismatch', message)
  }
  return reason('no-artifact', 'No source maps of a mini program were uploaded.')
}

/** Explains why an uploaded release does not contain a script. The maps may have been generated before or after WeChat's own bundling. */
function otherMaps(path: string, entries: readonly string[], isAtHand: boolean): Reason {
  const scripts = entries.map((entry) => entry.replace(/\.map$/, ''))
  const shown = listed(entries, NAMES_SHOWN)
  if (/(?:^|\/)index\.worker\.js$/.test(path) && !scripts.some(isHostBundle)) {
    return reason(
      'layout-mismatch',
      `${path} is Alipay's bundle of the app, but the uploaded source maps are from the build before Alipay bundled it (${shown}).`,
      'Add the source map that Alipay generated for the release to a zip archive as index.worker.js.map, and upload the archive with `symup mini-program upload sourcemap.zip --over <build output>`.',
    )
  }
  if (isHostBundle(path) && !scripts.some(isHostBundle)) {
    return reason(
      'layout-mismatch',
      `${path} is WeChat's bundle of the app, but the uploaded source maps are from the build before WeChat bundled it (${shown}).`,
      'Export the source map for the release from WeChat (with devtools or getDevSourceMap in miniprogram-ci), and upload it with `symup mini-program upload sourcemap.zip --over <build output>`.',
    )
  }
  if (!isHostBundle(path) && scripts.every(isHostBundle)) {
    return reason(
      'layout-mismatch',
      `The stack is from devtools and contains ${path} from the build output. The uploaded source maps are for WeChat's bundles (${shown}).`,
      'To resolve stacks from devtools, upload the build output as a separate version.',
    )
  }
  if (isAtHand) {
    return reason('no-artifact', `The given files contain no source map for ${path}, only for ${shown}.`, NAME_IT)
  }
  return reason('no-artifact', `The uploaded archive contains no source map for ${path}, only for ${shown}.`)
}
