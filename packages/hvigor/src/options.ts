import type { Hvigor } from './hvigor.ts'

export interface SymupOptions {
  /**
   * The key that may upload. Better kept out of the hvigorfile: set it in the environment.
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
   * Name of the service, exactly as the running app reports it.
   * @env SYMUP_SERVICE
   */
  service?: string
  /**
   * Release version, exactly as the running app reports it. One that differs from the app's `versionName` is warned of.
   * @env SYMUP_VERSION
   * @default the app's `versionName`
   */
  version?: string
  /**
   * Do not read `symup.json` or `flashcat-ci.json`.
   * @default false
   */
  ignoreConfigFile?: boolean
  /**
   * `false` turns the plugin off.
   * @default true
   */
  enabled?: boolean
  /**
   * Upload debug builds too, whose stacks the device translates itself.
   * @default false
   */
  includeDebug?: boolean
  /**
   * `'fail'`: every trouble fails the build. `'warn'`: none does. Left out: an unusable configuration or a refused key fails the
   * build, an intake that is away or refuses a file does not.
   * @default fail on configuration, warn on the rest
   */
  onError?: 'fail' | 'warn'
  /**
   * The `hvigor` object of `@ohos/hvigor`. With it `-p symup.service=shop` on the command line sets any of the options above, in a daemon too.
   */
  hvigor?: Hvigor
}
