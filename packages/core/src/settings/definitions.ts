/**
 * Where each value may be set, under which name, in the one order of resolution:
 * option → config file → environment → (only when asked for) inferred → default.
 */
export interface SettingDefinition {
  /** Name of the plugin option and of the field in `symup.json`. */
  option: string
  /** Flag of the command. */
  flag: string
  /** Name in `symup { }` of a Gradle build, where it has one. */
  gradle?: string
  /** Environment variables, the first one that is set wins. */
  env: readonly string[]
  /** Name in the older `flashcat-ci.json`, where it has one. */
  legacyField?: string
  secret?: true
}

export const SETTINGS = {
  apiKey: {
    option: 'apiKey',
    flag: '--api-key',
    gradle: 'apiKey',
    env: ['SYMUP_API_KEY', 'FLASHCAT_API_KEY', 'FC_API_KEY'],
    legacyField: 'apiKey',
    secret: true,
  },
  endpoint: {
    option: 'endpoint',
    flag: '--endpoint',
    gradle: 'sourcemapEndpoint',
    env: ['SYMUP_ENDPOINT', 'FLASHCAT_SOURCEMAP_INTAKE_URL'],
    legacyField: 'sourcemapEndpoint',
  },
  site: {
    option: 'site',
    flag: '--site',
    gradle: 'site',
    env: ['SYMUP_SITE', 'FLASHCAT_SITE'],
    legacyField: 'flashcatSite',
  },
  service: { option: 'service', flag: '--service', gradle: 'serviceName', env: ['SYMUP_SERVICE'] },
  version: { option: 'version', flag: '--release-version', gradle: 'versionName', env: ['SYMUP_VERSION'] },
  minifiedPathPrefix: {
    option: 'minifiedPathPrefix',
    flag: '--minified-path-prefix',
    env: ['SYMUP_MINIFIED_PATH_PREFIX'],
  },
} as const satisfies Record<string, SettingDefinition>

export type SettingName = keyof typeof SETTINGS

/** The sites of the platform and where their intakes are. */
export const SITES = {
  CN: 'https://ci.flashcat.cloud',
  STAGING: 'https://ci-dev.flashcat.cloud',
} as const

export type Site = keyof typeof SITES
export const DEFAULT_SITE: Site = 'CN'

/** Every way to set a value, in words: `option minifiedPathPrefix, --minified-path-prefix, …`. */
export function waysToSet(name: SettingName): string {
  const { option, flag, gradle, env } = SETTINGS[name] as SettingDefinition
  const inGradle = gradle === undefined ? '' : `, ${gradle} in Gradle`
  return `option \`${option}\` (${flag} on the command line${inGradle}), field \`${option}\` in symup.json, or environment variable ${env.join(' or ')}`
}
