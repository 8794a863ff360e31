/** What to do when something goes wrong: see {@link SymupOptions.onError}. */
export type OnError = 'fail' | 'warn'

export interface SymupOptions {
  /**
   * The key that may upload. Better kept out of the config file: set it in the environment.
   * @env SYMUP_API_KEY
   */
  apiKey?: string
  /**
   * Address of the intake; `/sourcemap/upload` is appended. Takes precedence over `site`.
   * @env SYMUP_ENDPOINT
   * @default the intake of `site`
   */
  endpoint?: string
  /**
   * The platform's site: `CN` or `STAGING`.
   * @env SYMUP_SITE
   * @default 'CN'
   */
  site?: string
  /**
   * Name of the service, exactly as the running app reports it. `'auto'`: the `name` in package.json.
   * @env SYMUP_SERVICE
   */
  service?: string
  /**
   * Release version, exactly as the running app reports it. `'auto'`: the tag CI builds, else the `version` in package.json,
   * else the commit.
   * @env SYMUP_VERSION
   */
  version?: string
  /**
   * URL or absolute path under which the output directory is deployed.
   * @env SYMUP_MINIFIED_PATH_PREFIX
   * @default the bundler's `base`, when it is absolute or a URL
   */
  minifiedPathPrefix?: string
  /**
   * Path of the project inside its repository.
   * @default ''
   */
  projectPath?: string
  /**
   * Do not read `symup.json` or `flashcat-ci.json`.
   * @default false
   */
  ignoreConfigFile?: boolean
  /**
   * `false` turns the plugin off, for builds that are not released.
   * @default true
   */
  enabled?: boolean
  /**
   * Show what would be uploaded and send nothing; needs no API key.
   * @default false
   */
  dryRun?: boolean
  /**
   * `'fail'`: every trouble fails the build. `'warn'`: none does. Left out: an unusable configuration or a refused key fails the
   * build, an intake that is away or refuses a file does not.
   * @default fail on configuration, warn on the rest
   */
  onError?: OnError
  /**
   * Delete each source map of this build once the intake has it. Left out: those that only the plugin asked for, because your own
   * source map setting is not set.
   * @default true when the bundler's source map setting is left out
   */
  deleteAfterUpload?: boolean
  /**
   * Write a debug id (ECMA-426) into every script and its map; only the content decides it. File names change once when this is turned on.
   * @default false
   */
  debugIds?: boolean
  /**
   * Say in the uploads which commit was built and where its repository is (without credentials).
   * @default true
   */
  git?: boolean
  /**
   * Fail the build when positions would not resolve (before anything is sent) or when the output holds what must not ship: source
   * maps, names of source maps, the API key.
   * @default false
   */
  strict?: boolean
  /**
   * Artifacts in flight at a time.
   * @default 6
   */
  concurrency?: number
}
