import type { Secret } from '../model/secret.ts'
import { t, translated } from '../text.ts'
import type { OptionValue, SettingName } from './table.ts'

type ProvenanceKind = 'option' | 'config-file' | 'environment' | 'inferred' | 'default'

/** The source of a value. */
export interface Provenance {
  kind: ProvenanceKind
  /** As shown to users: `option version`, `symup.json`, `SYMUP_VERSION`. */
  name: string
}

/** A value and its source. */
export interface Setting<T> {
  value: T
  from: Provenance
  /** Lower-precedence sources that also set the value, in order. */
  overrode: Provenance[]
}

/** Optional settings of the table. `site` is omitted because it becomes part of the endpoint. */
type OptionalSettings = {
  [K in Exclude<SettingName, 'apiKey' | 'endpoint' | 'site' | 'service' | 'version' | 'cacheDirectory'>]?: Setting<
    OptionValue<K>
  >
}

/**
 * Every value that an upload needs, resolved once by `resolveSettings`. Later code reads neither options nor
 * `process.env`. `minifiedPathPrefix` is absent for kinds of symbol files without a prefix. An empty `proxy` disables
 * proxies, including those from the environment.
 */
export interface Settings extends OptionalSettings {
  /** Absent only in a dry run. */
  apiKey?: Setting<Secret>
  /** The full URL for uploads. */
  endpoint: Setting<string>
  /** Like the version, empty for kinds of symbol files that stacks find by id alone. */
  service: Setting<string>
  version: Setting<string>
  /** Absolute. It may not exist yet. */
  cacheDirectory: Setting<string>
}

/** One line for a setting: `version = 1.2.3 ← package.json`. Secrets print as `***`. */
export function describeSetting(name: string, setting: Setting<unknown>): string {
  const inferred = setting.overrode.find(({ kind }) => kind === 'inferred')
  const over = inferred ? t`, not ${inferred.name}` : ''
  return `${name} = ${shownValue(name, setting)} ← ${translated(setting.from.name)}${over}`
}

/** The explicitly set settings that affect the upload, plus the endpoint, by name. */
export function settingsShown(settings: Settings): [string, Setting<unknown>][] {
  const all: [string, Setting<unknown>][] = Object.entries(settings)
  return all.filter(
    ([name, { value, from }]) => name !== 'lang' && value !== '' && (from.kind !== 'default' || name === 'endpoint'),
  )
}

/** A value as display text: secrets are masked, and a proxy has no user name or password. */
export function shownValue(name: string, { value }: Setting<unknown>): string {
  return name === 'proxy' ? String(value).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/i, '$1***@') : String(value)
}

/** Codes and globs of findings that may pass. */
export function allowedFindings({ allow }: Partial<Settings>): readonly string[] {
  const value = allow?.value
  return value === undefined || typeof value === 'boolean' ? [] : [value].flat()
}

/** The settings that the transport needs, as plain values. */
export function connectionSettings({ proxy, noProxy, ca }: Partial<Settings>) {
  return {
    ...(proxy && { proxy: proxy.value }),
    ...(noProxy && { noProxy: noProxy.value }),
    ...(ca && { ca: ca.value }),
  }
}
