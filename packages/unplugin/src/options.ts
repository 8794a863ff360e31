// Generated from packages/core/src/settings/definitions.ts by npm run docs

/**
 * The options of the plugins.
 *
 * @module @symup/unplugin
 */

import type { Verdict } from '@symup/core'

export type { Verdict }

/** The output that contains a script. */
export interface FileOutput {
  /** Relative to the project, `/`-separated. */
  directory: string
  /** Format of the script, as the bundler names it. */
  format?: string
}

/** What to do on errors: see {@link SymupOptions.onError}. */
export type OnError = NonNullable<SymupOptions['onError']>

export interface SymupOptions {
  /**
   * API key for uploads. Set it in the environment, not in a file.
   * @env SYMUP_API_KEY
   */
  apiKey?: string
  /**
   * Address of the intake; `/sourcemap/upload` is appended.
   * Takes precedence over `site`.
   * @env SYMUP_ENDPOINT
   * @default the intake of `site`
   */
  endpoint?: string
  /**
   * The platform's site.
   * Has no effect once an endpoint is set.
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
   * `'auto'`: the tag that CI builds, else the `version` in package.json or pubspec.yaml, else the commit.
   * @env SYMUP_VERSION
   */
  version?: string
  /**
   * URL or absolute path under which the output directory is deployed; `app:///` in an installed app.
   * A function returns the prefix of each script. It gets the path below the output directory (`assets/index.js`), and `{ directory, format }`: the output directory, relative to the project (`dist/esm`), and the format as Rollup, Vite and esbuild name it (`es`).
   * @env SYMUP_MINIFIED_PATH_PREFIX
   * @default the bundler's `base`, if it is absolute or a URL
   */
  minifiedPathPrefix?: string | ((file: string, output: FileOutput) => string)
  /**
   * Upload only files that match one of these globs, relative to the output directory.
   * A source map goes with its script. Excluded files are still searched for leaks.
   * @env SYMUP_INCLUDE
   */
  include?: string | readonly string[]
  /**
   * Leave out files that match one of these globs, relative to the output directory.
   * @env SYMUP_EXCLUDE
   */
  exclude?: string | readonly string[]
  /**
   * Additional directory for uploaded files. Symbolic links are followed.
   * For a build that links to files, or refers to source maps, outside its output. `symup.json` cannot set it.
   * @env SYMUP_ALLOWED_ROOT
   * @default none
   */
  allowedRoot?: string
  /**
   * Path of the project inside its repository.
   * @default ''
   */
  projectPath?: string
  /**
   * Show what would be uploaded and send nothing; needs no API key.
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
   * Directory for files kept between runs, such as the ledger.
   * @env SYMUP_CACHE_DIR
   * @default `node_modules/.cache/symup` if it exists, else the user's cache directory
   */
  cacheDirectory?: string
  /**
   * Artifacts to send at the same time.
   * @default 20
   */
  concurrency?: number
  /**
   * Maximum requests per artifact before it counts as failed.
   * @default 5
   */
  attempts?: number
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
   * `'fail'`: every error fails the build. `'warn'`: none does.
   * Left out: an unusable configuration or a refused key fails the build, an intake that is away or refuses a file does not.
   * @default fail on configuration, warn on the rest
   */
  onError?: 'fail' | 'warn'
  /**
   * Leave no source map of this build in the output.
   * What the intake has is deleted, and so is what is never sent, such as maps of style sheets. What could not be sent is moved to the cache directory, with the command that sends it. Left out: this is done with maps that only the plugin asked for, because your own source map setting is not set.
   * @default true if the bundler's source map setting is not set
   */
  deleteAfterUpload?: boolean
  /**
   * `'later'`: the build sends nothing and needs no API key.
   * It keeps source maps and scripts in the cache directory (in the project, unless you set one), and `symup upload --staged` sends them: a task of its own, for builds that Turborepo or Nx may take from a cache.
   * @default 'now'
   */
  upload?: 'now' | 'later'
  /**
   * Leaks that may pass: codes such as `leak-api-key`, or globs of files relative to the output directory.
   * `true` allows all. See `docs/decisions/018-leaks.md` for what fails a build and why.
   * @env SYMUP_ALLOW_LEAKS
   * @default none
   */
  allowLeaks?: boolean | string | readonly string[]
  /**
   * Write a debug id (ECMA-426) into every script and its map. It depends only on the content.
   * File names change once when this is turned on.
   * @default false
   */
  debugIds?: boolean
  /**
   * Write service and version into the head of each HTML page that the build writes, as `<meta name="release">`.
   * Never into a script, whose name would change with each release. Where the build writes no page (frameworks that render theirs, libraries), a warning says so; `docs/recipes/release.md` has both ways.
   * @default false
   */
  injectRelease?: boolean
  /**
   * Add the built commit and the address of its repository (without credentials) to the uploads.
   * @default true
   */
  git?: boolean
  /**
   * Also upload server output, such as SSR bundles.
   * An object names the server's own `service`, and as `minifiedPathPrefix` the directory that its stacks name (`/app/dist/server`). Without them: the same service, and the directory that the build writes to, or where Vercel or Netlify runs what it builds. Left out: what runs on a server is left alone, and so are its source maps.
   * @default false
   */
  server?: boolean | { service?: string; minifiedPathPrefix?: string }
  /** @deprecated It is `server` now, and works under this name too. */
  serverOutputs?: boolean | { service?: string; minifiedPathPrefix?: string }
  /**
   * What the plugin prints. `'warn'`: problems, and the last line when something was lost.
   * `'silent'`: nothing; a failed build still fails.
   * @default 'info'; where the bundler prints warnings only, problems and the outcome; where it prints less, `'warn'`
   */
  logLevel?: 'silent' | 'error' | 'warn' | 'info'
  /**
   * Fail the build when positions would not resolve (before anything is sent) or when the output holds anything that may be a leak: source maps and names of source maps too.
   * @default false
   */
  failOnFindings?: boolean
  /** @deprecated It is `failOnFindings` now, and works under this name too. */
  strict?: boolean
  /**
   * Called once when the upload is over, before it may fail the build.
   * The verdict has `exitCode`, the last line as `summary`, the `problems`, and as `document` what `--json` prints. An error that the function throws fails the build.
   */
  onVerdict?: (verdict: Verdict) => void | Promise<void>
}
