import { t } from '../text.ts'

/**
 * The options of other uploaders' plugins, and the symup option with the same effect, as listed in docs/migrating.md. Sources: the types of
 * Sentry's plugins 11.9, Datadog's 3.3, Bugsnag's (webpack-bugsnag-plugins 2.2, vite-plugin-bugsnag 2.0) and Faro's 0.11, and the READMEs
 * of Rollbar's, Honeybadger's and PostHog's plugins and of Sentry's webpack plugin 1.
 */
const OURS: Readonly<Record<string, string>> = {
  apiKey: 'authToken, accessToken, personalApiKey, auth.apiKey',
  endpoint: 'url, sentryUrl, host, rollbarEndpoint, auth.site',
  service: 'org, project, appName, sourcemaps.service, sourcemaps.project, sourcemaps.releaseName',
  version: `release.name, release, revision, sourcemaps.version, sourcemaps.releaseVersion, releaseVersion, appVersion,
    codeBundleId, bundleId`,
  minifiedPathPrefix: `sourcemaps.minifiedPathPrefix, publicPath, base, baseUrl, urlPrefix, prefixPath, assetsUrl`,
  include: 'sourcemaps.assets, assets, includeChunks, outputFiles',
  exclude: 'sourcemaps.ignore, ignore, ignoreFile, ignorePaths, ignoredBundleExtensions',
  deleteAfterUpload: `sourcemaps.filesToDeleteAfterUpload, filesToDeleteAfterUpload, sourcemaps.deleteAfterUpload,
    sourcemaps.deleteSourcemapsAfterUpload`,
  onError: 'errorHandler',
  logLevel: 'debug, verbose',
  dryRun: 'sourcemaps.dryRun',
  concurrency: 'sourcemaps.maxConcurrency, workerCount',
  debugIds: 'sourcemaps.debugId',
  injectRelease: 'release.inject',
  git: 'release.setCommits, setCommits, gitHash, enableGit',
  enabled: 'enable, sourcemaps.enabled',
  attempts: 'retries',
}

const listed = (names: string) => names.split(/,\s*/)

const COUNTERPARTS: ReadonlyMap<string, string> = new Map(
  Object.entries(OURS).flatMap(([ours, theirs]) => listed(theirs).map((name) => [name, ours] as const)),
)

/** Options of other uploaders that require a different value in symup. */
const VALUES: ReadonlyMap<string, readonly [theirs: string, ours: string]> = new Map([
  ['disable', ['true', 'enabled: false']],
  ['silent', ['true', "logLevel: 'silent'"]],
  ['sourcemaps.disable', ["'disable-upload'", "upload: 'later'"]],
  ['sourcemaps.upload', ['false', "upload: 'later'"]],
  ['sourcemaps.bailOnError', ['true', "onError: 'fail'"]],
  ['keepSourcemaps', ['false', 'deleteAfterUpload: true']],
  ['skipUpload', ['true', "upload: 'later'"]],
  ['ignoreErrors', ['true', "onError: 'warn'"]],
  ['ignoreUploadErrors', ['true', "onError: 'warn'"]],
])

const NEEDLESS: ReadonlySet<string> = new Set(
  listed(`telemetry, widenClientFileUpload, hideSourceMaps, auth.appKey, release.create, release.finalize, release.deploy,
    release.vcsRemote, overwrite, appId, stackId, gzipContents, maxUploadSize, outputPath, recursive,
    prefixPathBasenameOnly, configFile, cleanArtifacts, deploy, ext, finalize, rewrite, stripPrefix, stripCommonPrefix,
    urlSuffix, validate, encodeFilename, envId, projectId, batchSize, sourcemaps.batchSize`),
)

/** The names of options under which other uploaders nest their options. */
const HOLDERS = 'errorTracking|sourceMapsUploadOptions|unstable_sentry\\w+PluginOptions'
const GROUPS = new RegExp(`^(?:${HOLDERS}|(?:(?:${HOLDERS})\\.)?(?:sourcemaps|release|auth))$`)
const HELD = new RegExp(`^(?:${HOLDERS})\\.`)

/** The environment variables that contain API keys for other services, which symup must not send to its own intake. */
const KEYS = ['SENTRY_AUTH_TOKEN', 'DATADOG_API_KEY', 'DD_API_KEY', 'BUGSNAG_API_KEY']

export function whyNoKey(env: NodeJS.ProcessEnv): string | undefined {
  const theirs = KEYS.find((name) => env[name])
  return theirs === undefined ? undefined : t`${theirs} contains the API key of a different service`
}

const KEY_STARTS: readonly (readonly [start: RegExp, owner: string])[] = [
  [/^sntry[su]_/, 'Sentry'],
  [/^gl(?:c|sa)_/, 'Grafana'],
  [/^ph[cx]_/, 'PostHog'],
  [/^hbp_/, 'Honeybadger'],
]

/**
 * Returns the service that issued a key, if its prefix reveals the service. Without this check, a key that was copied from another plugin's
 * options would be sent to the symup intake.
 */
export function ownerOfKey(key: string): string | undefined {
  return KEY_STARTS.find(([start]) => start.test(key))?.[1]
}

/**
 * Returns the name of an unknown option. If the option groups options of another uploader, returns the names of the grouped options, such
 * as `sourcemaps.assets`.
 */
export function namesIn(name: string, value: unknown): string[] {
  const isGroup = GROUPS.test(name) && typeof value === 'object' && value !== null && !Array.isArray(value)
  const fields = isGroup ? Object.entries(value) : []
  return fields.length === 0 ? [name] : fields.flatMap(([field, inner]) => namesIn(`${name}.${field}`, inner))
}

/**
 * Returns advice on what to write instead of another uploader's option.
 * @param known the options of this adapter.
 */
export function adviceFor(written: string, known: readonly string[]): string | undefined {
  const name = written.replace(HELD, '')
  if (NEEDLESS.has(name)) return t`Remove the option. symup does not need it.`
  if (/^(?:release\.)?dist$/.test(name) && known.includes('version'))
    return t`Append the value of this option to \`version\`.`
  const same = name !== written && known.includes(name) ? name : undefined
  const ours = COUNTERPARTS.get(name) ?? same
  if (ours !== undefined && known.includes(ours)) return t`Use the \`${ours}\` setting instead.`
  const [theirValue = '', withValue = ''] = VALUES.get(name) ?? []
  if (!known.includes(withValue.split(':')[0] ?? '')) return undefined
  const last = name.split('.').at(-1)
  return t`Instead of \`${last}: ${theirValue}\`, use \`${withValue}\`.`
}
