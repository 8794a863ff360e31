// Generated from packages/core/src/settings/definitions.ts by npm run docs

/** What to do on errors: see {@link MiniProgramOptions.onError}. */
export type OnError = NonNullable<MiniProgramOptions['onError']>

export interface MiniProgramOptions {
  /**
   * API key for uploads. Set it in the environment, not in a file.
   * @env SYMUP_API_KEY
   */
  apiKey?: string
  /**
   * URL of the intake, without `/sourcemap/upload`.
   * Takes precedence over `site`.
   * @env SYMUP_ENDPOINT
   * @default the intake of `site`
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
   * Name of the service, exactly as the running app reports it.
   * `'auto'`: the `name` in package.json or pubspec.yaml.
   * @env SYMUP_SERVICE
   */
  service?: string
  /**
   * Release version, exactly as the running app reports it.
   * `'auto'`: the tag that CI builds, otherwise the `version` in package.json or pubspec.yaml, otherwise the commit.
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
   * Additional directory that may contain uploaded files. Symbolic links are followed.
   * Needed if a build links to files, or refers to source maps, outside its output. `symup.json` cannot set it.
   * @env SYMUP_ALLOWED_ROOT
   * @default none
   */
  allowedRoot?: string
  /**
   * Distinguishes mini programs with the same service and version.
   * `'auto'`: the value in the project file of the build output.
   */
  appid?: string
  /**
   * Path of the archive, relative to the project.
   * @default 'node_modules/.cache/symup/sourcemap.zip'
   */
  output?: string
  /**
   * Show what would be uploaded without sending it; needs no API key.
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
   * File with additional certificates (PEM) to trust.
   * @env SYMUP_CA
   */
  ca?: string
  /**
   * Do not read `symup.json` or `flashcat-ci.json`.
   * @default false
   */
  ignoreConfigFile?: boolean
  /**
   * `false` disables the plugin, for example in builds that are not released.
   * @default true
   */
  enabled?: boolean
  /**
   * `'fail'`: all errors fail the build. `'warn'`: no error fails the build.
   * Default: an invalid configuration or a rejected key fails the build. An unreachable intake or a refused file does not.
   * @default fail on configuration errors, otherwise warn
   */
  onError?: 'fail' | 'warn'
  /**
   * Delete the source maps in the build output after they are packed.
   * If the maps remain, WeChat's tools combine them with their own maps.
   * @default false
   */
  deleteMaps?: boolean
}
