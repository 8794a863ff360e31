import type { Secret } from '../model/secret.ts'
import { t, translated } from '../text.ts'
import type { OptionValue, SettingName } from './table.ts'

type ProvenanceKind = 'option' | 'config-file' | 'environment' | 'inferred' | 'default'

/** Where a value came from. */
export interface Provenance {
  kind: ProvenanceKind
  /** As shown to the user: `option version`, `symup.json`, `SYMUP_VERSION`. */
  name: string
}

/** A value and where it came from. */
export interface Setting<T> {
  value: T
  from: Provenance
  /** Places that also set the value and lost, in order of precedence. */
  overrode: Provenance[]
}

/** What the table has and nobody needs to set. `site` becomes part of the endpoint. */
type OptionalSettings = {
  [K in Exclude<SettingName, 'apiKey' | 'endpoint' | 'site' | 'service' | 'version' | 'cacheDirectory'>]?: Setting<
    OptionValue<K>
  >
}

/**
 * Every value an upload needs, made once by `resolveSettings`. Nothing downstream reads options or `process.env`.
 * `minifiedPathPrefix` is absent for kinds of symbol files that have none; an empty `proxy` means none, whatever the environment says.
 */
export interface Settings extends OptionalSettings {
  /** Absent only in a dry run, which sends nothing. */
  apiKey?: Setting<Secret>
  /** The full URL that artifacts are posted to. */
  endpoint: Setting<string>
  /** Empty, as the version, for kinds of symbol files that are found by an id alone. */
  service: Setting<string>
  version: Setting<string>
  /** Absolute; need not exist. */
  cacheDirectory: Setting<string>
}

/** One line for a setting: `version = 1.2.3 ← package.json`. Secrets print as `***`. */
export function describeSetting(name: string, setting: Setting<unknown>): string {
  const inferred = setting.overrode.find(({ kind }) => kind === 'inferred')
  const over = inferred ? t`, not ${inferred.name}` : ''
  return `${name} = ${shownValue(name, setting)} ← ${translated(setting.from.name)}${over}`
}

/** The settings that somebody set and that decide what is sent, and the endpoint, by their names. */
export function settingsShown(settings: Settings): [string, Setting<unknown>][] {
  const all: [string, Setting<unknown>][] = Object.entries(settings)
  return all.filter(
    ([name, { value, from }]) => name !== 'lang' && value !== '' && (from.kind !== 'default' || name === 'endpoint'),
  )
}

/** A value as text for people: without a secret, and a proxy without its user name and password. */
export function shownValue(name: string, { value }: Setting<unknown>): string {
  return name === 'proxy' ? String(value).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/i, '$1***@') : String(value)
}

/** What the transport needs to know of the settings, as plain values. */
export function connectionSettings({ proxy, noProxy, ca }: Partial<Settings>): {
  proxy?: string
  noProxy?: string
  ca?: string
} {
  return {
    ...(proxy && { proxy: proxy.value }),
    ...(noProxy && { noProxy: noProxy.value }),
    ...(ca && { ca: ca.value }),
  }
}
