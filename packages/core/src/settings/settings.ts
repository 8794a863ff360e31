import type { Secret } from '../secret.ts'

export type ProvenanceKind = 'option' | 'config-file' | 'environment' | 'inferred' | 'default'

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

/**
 * Every value an upload needs, made once by `resolveSettings`. Nothing downstream reads options or `process.env`.
 */
export interface Settings {
  /** Absent only in a dry run, which sends nothing. */
  apiKey?: Setting<Secret>
  /** The full URL that artifacts are posted to. */
  endpoint: Setting<string>
  /** Empty, as the version, for kinds of symbol files that are found by an id alone. */
  service: Setting<string>
  version: Setting<string>
  /** Absent for kinds of symbol files that have none. */
  minifiedPathPrefix?: Setting<string>
}

/** One line a setting: `version = 1.2.3 ← package.json`. Secrets print as `***`. */
export function describeSettings(settings: Settings): string[] {
  return Object.entries(settings)
    .filter(([, setting]) => setting !== undefined && setting.value !== '')
    .map(([name, setting]: [string, Setting<unknown>]) => `${name} = ${setting.value} ← ${setting.from.name}`)
}
