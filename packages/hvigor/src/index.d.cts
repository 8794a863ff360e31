declare namespace symup {
  /** See the options table of the package's README. */
  interface SymupOptions {
    // <options> made from packages/core/src/settings/definitions.ts: npm run docs
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
     * A version that differs from the app's `versionName` is a warning.
     * @env SYMUP_VERSION
     * @default the app's `versionName`
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
     * Also upload debug builds, although their stacks need no mapping.
     * @default false
     */
    includeDebug?: boolean
    /** The `hvigor` object of `@ohos/hvigor`. Required to set options on the command line, such as `-p symup.service=shop`, also in a daemon. */
    hvigor?: { getParameter(): { getExtParam(key: string): string | undefined } }
    // </options>
  }

  export { symup, symup as default }
}
declare function symup(options?: symup.SymupOptions): { pluginId: string; apply(node: unknown): void }
export = symup
