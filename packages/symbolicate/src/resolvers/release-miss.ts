import type { ArtifactSource, SymbolFileQuery } from '../artifacts.ts'
import type { Reason } from '../frames.ts'
import { reason } from '../reasons.ts'

const CANDIDATES = 50
const NAMES_SHOWN = 5
const MAX_NAME = 200
/** The fix to suggest if the stack was resolved with local files instead of uploaded files. */
export const NAME_IT = 'Pass the directory that contains the missing file, or the file itself.'

/**
 * Explains why a release has no symbol file of the requested kind. The file may have been uploaded for another version, service, variant or
 * build.
 * @param what the display name of the kind of symbol file.
 */
export async function explainReleaseMiss(
  query: SymbolFileQuery,
  what: string,
  source: ArtifactSource,
): Promise<Reason> {
  const { kind, service, version, variant, buildId } = query
  const fix = `Upload the ${what} for the release, with the service and version that the app reports.`
  // Only files on disk have neither a service nor a version.
  const isAtHand = service === '' && version === ''
  const [anyBuild] = (await source.findSymbolFiles?.({ kind, service, version }, 1)) ?? []
  if (anyBuild) {
    const asked = [variant, buildId].filter(Boolean).join(' ')
    const there = [anyBuild.variant, anyBuild.buildId].filter(Boolean).join(' ')
    const message = isAtHand
      ? `The given files contain no ${what} for ${asked}, only for ${there}.`
      : `The ${what} of ${releaseName(query)} was uploaded for ${there}, but not for ${asked}.`
    return reason('no-artifact', message, isAtHand ? NAME_IT : fix)
  }
  // Search the same service first. Otherwise, releases of other services may use up the limit.
  const ofService = (await source.releasesWith?.(kind, CANDIDATES, { service })) ?? []
  const versions = unique(ofService.filter((it) => it.service === service).map((it) => it.version))
  if (versions.length > 0) return versionMismatch({ service, version }, versions)
  const ofVersion = (await source.releasesWith?.(kind, CANDIDATES, { version })) ?? []
  const services = unique(ofVersion.filter((it) => it.version === version).map((it) => it.service))
  if (services.length > 0) {
    const message = `The ${what} for version ${version} was uploaded for ${listed(services)}, but not for the service ${service}.`
    return reason('service-mismatch', message)
  }
  if (isAtHand) return reason('no-artifact', `The given files contain no ${what}.`, NAME_IT)
  return reason('no-artifact', `No ${what} was uploaded for ${releaseName(query)}.`, fix)
}

/** Returns a name such as `shop 1.0`. An event may lack the service or the version. */
export function releaseName({ service, version }: Pick<SymbolFileQuery, 'service' | 'version'>): string {
  return [service, version].filter((part) => part !== '').join(' ')
}

export function versionMismatch(
  { service, version }: Pick<SymbolFileQuery, 'service' | 'version'>,
  versions: string[],
): Reason {
  return reason(
    'version-mismatch',
    `No upload for ${service} has the version ${version}. Uploaded versions: ${listed(versions)}.`,
  )
}

export function unique(values: string[]): string[] {
  return [...new Set(values)]
}

export function listed(values: readonly string[], shown = NAMES_SHOWN): string {
  const more = values.length - shown
  const names = values.slice(0, shown).map((it) => (it.length > MAX_NAME ? `${it.slice(0, MAX_NAME)}…` : it))
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
