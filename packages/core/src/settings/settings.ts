import type { Secret } from '../model/secret.ts'
import { t, translated } from '../text.ts'
import type { OptionValue, SettingName } from './table.ts'

type ProvenanceKind = 'option' | 'config-file' | 'environment' | 'inferred' | 'default'

export interface Provenance {
  kind: ProvenanceKind
  /** The source, as shown to users: `option version`, `symup.json`, `SYMUP_VERSION`. */
  name: string
}

export interface Setting<T> {
  value: T
  from: Provenance
  /** Sources of lower precedence that also set the value, in order of precedence. */
  overrode: Provenance[]
}

/** All settings that may be undefined. `site` is omitted, because it becomes part of the endpoint. */
type OptionalSettings = {
  [K in Exclude<SettingName, 'apiKey' | 'endpoint' | 'site' | 'service' | 'version' | 'cacheDirectory'>]?: Setting<
    OptionValue<K>
  >
}

/**
 * Every value that an upload needs, resolved once by `resolveSettings`. All other code reads settings only from here, not from options or
 * `process.env`. `minifiedPathPrefix` is undefined for symbol files without a path prefix. An empty `proxy` disables proxies, including
 * those from the environment.
 */
export interface Settings extends OptionalSettings {
  /** Undefined only in a dry run. */
  apiKey?: Setting<Secret>
  endpoint: Setting<string>
  /** Service and version are empty for symbol files that are identified by id alone. */
  service: Setting<string>
  version: Setting<string>
  /** The absolute path of a directory that may not exist yet. */
  cacheDirectory: Setting<string>
}

/** Describes a setting in one line, such as `version = 1.2.3 ← package.json`. Secrets appear as `***`. */
export function describeSetting(name: string, setting: Setting<unknown>): string {
  const inferred = setting.overrode.find(({ kind }) => kind === 'inferred')
  const over = inferred ? t`  (overrides ${inferred.name})` : ''
  return `${name} = ${shownValue(name, setting)} ← ${translated(setting.from.name)}${over}`
}

/** Returns the settings to log: the endpoint, and all settings whose value is not a default. */
export function settingsShown(settings: Settings): [string, Setting<unknown>][] {
  const all: [string, Setting<unknown>][] = Object.entries(settings)
  return all.filter(
    ([name, { value, from }]) => name !== 'lang' && value !== '' && (from.kind !== 'default' || name === 'endpoint'),
  )
}

/** Returns a value as display text. Secrets are masked, and a proxy address does not contain the user name and password. */
export function shownValue(name: string, { value }: Setting<unknown>): string {
  return name === 'proxy' ? String(value).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/i, '$1***@') : String(value)
}

export function allowedFindings({ allow }: Partial<Settings>): readonly string[] {
  const value = allow?.value
  return value === undefined || typeof value === 'boolean' ? [] : [value].flat()
}

export function connectionSettings({ proxy, noProxy, ca }: Partial<Settings>) {
  return {
    ...(proxy && { proxy: proxy.value }),
    ...(noProxy && { noProxy: noProxy.value }),
    ...(ca && { ca: ca.value }),
  }
}
