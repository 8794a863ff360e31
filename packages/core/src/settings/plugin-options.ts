// Generated from packages/core/src/settings/definitions.ts by npm run docs

/** The options that the bundler plugins and the mini-program plugins share. */
export interface PluginOptions {
  /**
   * API key for uploads. Set the key in the environment, not in a file.
   * @env SYMUP_API_KEY
   */
  apiKey?: string
  /**
   * URL of the intake, without `/sourcemap/upload`.
   * Takes precedence over `site`.
   * @env SYMUP_ENDPOINT
   * @default the intake for the `site`
   */
  endpoint?: string
  /**
   * Site of the hosted platform.
   * Has no effect if an endpoint is set.
   * @env SYMUP_SITE
   * @default 'CN'
   */
  site?: 'CN' | 'STAGING'
  /**
   * Service name, exactly as the running app reports it.
   * `'auto'` uses the `name` in package.json or pubspec.yaml.
   * @env SYMUP_SERVICE
   */
  service?: string
  /**
   * Release version, exactly as the running app reports it.
   * `'auto'` uses the Git tag of the CI build, the `version` in package.json or pubspec.yaml, or the commit, in this order.
   * @env SYMUP_VERSION
   */
  version?: string
  /**
   * Upload only files that match one of these globs, relative to the output directory.
   * A source map is included or excluded together with its script. Excluded files are still searched for leaks.
   * @env SYMUP_INCLUDE
   */
  include?: string | readonly string[]
  /**
   * Exclude files that match one of these globs, relative to the output directory.
   * @env SYMUP_EXCLUDE
   */
  exclude?: string | readonly string[]
  /**
   * Additional directory that may contain uploaded files; symbolic links to its files are followed.
   * Required if symbolic links or source map references in the output point to other directories. Cannot be set in `symup.json`.
   * @env SYMUP_ALLOWED_ROOT
   * @default none
   */
  allowedRoot?: string
  /**
   * Show what would be uploaded without sending anything; needs no API key.
   * @default false
   */
  dryRun?: boolean
  /**
   * Proxy URL; empty to disable.
   * @env SYMUP_PROXY
   * @default HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY
   */
  proxy?: string
  /**
   * PEM file with additional certificates to trust.
   * @env SYMUP_CA
   */
  ca?: string
  /**
   * Do not read `symup.json` or `flashcat-ci.json`.
   * @default false
   */
  ignoreConfigFile?: boolean
  /**
   * Set `false` to disable the plugin, for example in builds that are not released.
   * @default true
   */
  enabled?: boolean
  /**
   * With `'fail'`, all errors fail the build. With `'warn'`, errors never fail the build.
   * By default, an invalid configuration or a rejected key fails the build, but an unreachable intake or a refused file does not.
   * @default fail on configuration errors, otherwise warn
   */
  onError?: 'fail' | 'warn'
}
