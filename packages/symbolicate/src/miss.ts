import type { ArtifactSource, ScriptQuery, SymbolFileKind, SymbolFileQuery } from './artifacts.ts'
import type { Reason } from './frames.ts'
import { reason } from './reasons.ts'
import { fileNameOf } from './url-path.ts'

const CANDIDATES = 50
const NAMES_SHOWN = 5

/** Says why no artifact was found for a frame, with what was found instead; the likeliest mistake first. */
export async function explainMiss(query: ScriptQuery, source: ArtifactSource): Promise<Reason> {
  const { service, version, path } = query
  const named = await source.findScriptsNamed(fileNameOf(path), CANDIDATES)
  const samePath = named.filter((place) => place.path === path)

  const versions = unique(samePath.filter((place) => place.service === service).map((place) => place.version))
  if (versions.length > 0) return versionMismatch(query, versions)

  const elsewhere = named.find((place) => place.service === service && place.version === version)
  if (elsewhere) return prefixMismatch(path, elsewhere.path)

  const services = unique(samePath.map((place) => place.service))
  if (services.length > 0) {
    const message = `The stack says service ${service}; ${path} was uploaded for ${listed(services)}.`
    return reason('service-mismatch', message)
  }
  const uploaded = await source.versionsOf(service)
  if (uploaded.length > 0 && !uploaded.includes(version)) return versionMismatch(query, uploaded)
  if (uploaded.length > 0)
    return reason('no-artifact', `${path} was not uploaded for ${service} ${version}; other files were.`)
  const known = await source.services()
  const others = known.length === 0 ? 'there are no uploads at all' : `there are uploads for ${listed(known)}`
  return reason('no-artifact', `Nothing was uploaded for the service ${service}; ${others}.`)
}

const KIND_NAMES: Readonly<Record<SymbolFileKind, string>> = {
  jvm_mapping_file: 'mapping file',
  harmony_sourcemap: 'ArkTS source map',
}

/** Says why a release has no symbol file of a kind: another version or service has one, or the variant or build differs. */
export async function explainReleaseMiss(query: SymbolFileQuery, source: ArtifactSource): Promise<Reason> {
  const { kind, service, version, variant, buildId } = query
  const what = KIND_NAMES[kind]
  const fix = `Upload the ${what} of the release, with the service and version that the app reports.`
  const [anyBuild] = (await source.findSymbolFiles?.({ kind, service, version }, 1)) ?? []
  if (anyBuild) {
    const asked = [variant, buildId].filter(Boolean).join(' ')
    const there = [anyBuild.variant, anyBuild.buildId].filter(Boolean).join(' ')
    return reason(
      'no-artifact',
      `There is no ${what} of ${service} ${version} for ${asked}; there is one for ${there}.`,
      fix,
    )
  }
  const releases = (await source.releasesWith?.(kind, CANDIDATES)) ?? []
  const versions = unique(releases.filter((it) => it.service === service).map((it) => it.version))
  if (versions.length > 0) return versionMismatch({ service, version }, versions)
  const services = unique(releases.filter((it) => it.version === version).map((it) => it.service))
  if (services.length > 0) {
    const message = `The stack says service ${service}; the ${what} of ${version} was uploaded for ${listed(services)}.`
    return reason('service-mismatch', message)
  }
  return reason('no-artifact', `No ${what} was uploaded for ${service} ${version}.`, fix)
}

function versionMismatch({ service, version }: Pick<ScriptQuery, 'service' | 'version'>, versions: string[]): Reason {
  return reason('version-mismatch', `The stack says ${version}; uploaded for ${service} are ${listed(versions)}.`)
}

function prefixMismatch(reported: string, uploaded: string): Reason {
  const a = reported.split('/')
  const b = uploaded.split('/')
  let common = 0
  while (common < a.length && common < b.length && a.at(-1 - common) === b.at(-1 - common)) common++
  const prefix = a.slice(0, a.length - common).join('/') || '/'
  const given = b.slice(0, b.length - common).join('/') || '/'
  return reason(
    'prefix-mismatch',
    `You uploaded ${uploaded}, the browser reports ${reported}.`,
    `Upload with the path prefix ${prefix} instead of ${given}.`,
  )
}

function unique(values: string[]): string[] {
  return [...new Set(values)]
}

function listed(values: string[]): string {
  const more = values.length - NAMES_SHOWN
  return values.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
