/** What to do when something goes wrong: see {@link MiniProgramOptions.onError}. */
export type OnError = 'fail' | 'warn'

export interface MiniProgramOptions {
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
   * Tells mini programs of the same service and version apart. `'auto'`: what the project file in the build output says.
   */
  appid?: string
  /**
   * Where to write the archive, relative to the project.
   * @default 'node_modules/.cache/symup/sourcemap.zip'
   */
  output?: string
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
   * Pack and show what would be uploaded, send nothing; needs no API key.
   * @default false
   */
  dryRun?: boolean
  /**
   * Delete the source maps in the build output once they are packed. Left there, WeChat's tools compose them with their own.
   * @default false
   */
  deleteMaps?: boolean
  /**
   * `'fail'`: every trouble fails the build. `'warn'`: none does. Left out: an unusable configuration or a refused key fails the
   * build, an intake that is away does not.
   * @default fail on configuration, warn on the rest
   */
  onError?: OnError
}
