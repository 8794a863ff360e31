// Generated from packages/core/src/settings/definitions.ts by npm run docs

/**
 * The options of the plugins.
 *
 * @module @symup/unplugin
 */

import type { PluginOptions, Verdict } from '@symup/core'

export type { OnError, Verdict } from '@symup/core'

/** The output that contains a script. */
export interface FileOutput {
  /** Relative to the project, `/`-separated. */
  directory: string
  /** The bundler's name for the module format, such as `es`. */
  format?: string
}

export interface SymupOptions extends PluginOptions {
  /**
   * URL or absolute path where the output directory is deployed; `app:///` for an installed app.
   * Can also be a function that returns the prefix for each script. The function receives the path of the script in the output directory (`assets/index.js`) and `{ directory, format }`. `directory` is the output directory, relative to the project (`dist/esm`). `format` is the format name in Rollup, Vite or esbuild (`es`).
   * @env SYMUP_MINIFIED_PATH_PREFIX
   * @default the bundler's `base`, if it is absolute or a URL
   */
  minifiedPathPrefix?: string | ((file: string, output: FileOutput) => string)
  /**
   * Path of the project within its repository.
   * @default ''
   */
  projectPath?: string
  /**
   * Directory for files that are kept between runs, such as the ledger.
   * @env SYMUP_CACHE_DIR
   * @default `node_modules/.cache/symup` if it exists, otherwise the user's cache directory
   */
  cacheDirectory?: string
  /**
   * Maximum number of artifacts to upload concurrently.
   * @default 20
   */
  concurrency?: number
  /**
   * Maximum number of requests for an artifact before it counts as failed.
   * @default 5
   */
  attempts?: number
  /**
   * Leave no source maps from this build in the output.
   * The plugin deletes uploaded maps and maps that it never uploads, such as those for style sheets. If maps could not be uploaded, the plugin moves them to the cache directory and prints the command that uploads them. By default, the plugin deletes only maps that it turned on itself.
   * @default true if the bundler's source map setting is not set
   */
  deleteAfterUpload?: boolean
  /**
   * With `'later'`, the build sends nothing and needs no API key.
   * The build stores source maps and scripts in the cache directory, and `symup upload --staged` sends them in a separate task. Use this mode if Turborepo or Nx may restore builds from a cache.
   * @default 'now'
   */
  upload?: 'now' | 'later'
  /**
   * Findings to allow, as problem codes such as `map-stale` or as globs for files with allowed leaks.
   * Globs are relative to the output directory. `true` allows all leaks. See `docs/gate.md` for what fails a build.
   * @env SYMUP_ALLOW
   * @default none
   */
  allow?: boolean | string | readonly string[]
  /** @deprecated Renamed to `allow`. The old name still works. */
  allowLeaks?: boolean | string | readonly string[]
  /**
   * Write a debug id (ECMA-426) into each script and its source map. The id depends only on the content.
   * File names change once when you turn on this option.
   * @default false
   */
  debugIds?: boolean
  /**
   * Write service and version into the head of each HTML page, as `<meta name="release">`.
   * Scripts do not contain the version, so their file names do not change with each release. If the build writes no page (server-rendered frameworks, libraries), the plugin prints a warning. See `docs/recipes/release.md`.
   * @default false
   */
  injectRelease?: boolean
  /**
   * Add the commit and the repository URL (without credentials) to the uploads.
   * @default true
   */
  git?: boolean
  /**
   * Also upload server output, such as SSR bundles.
   * Pass an object to set a separate `service` and `minifiedPathPrefix` for server code. The prefix is the directory that appears in server stacks (`/app/dist/server`). By default, the service is the same as for browser code, and the prefix is the output directory, or `/var/task` on Vercel and Netlify. Without this option, the plugin ignores server output and its source maps.
   * @default false
   */
  server?: boolean | { service?: string; minifiedPathPrefix?: string }
  /** @deprecated Renamed to `server`. The old name still works. */
  serverOutputs?: boolean | { service?: string; minifiedPathPrefix?: string }
  /**
   * What the plugin prints. `'warn'` prints problems, and the last line if an artifact was lost.
   * `'silent'` prints nothing, but errors can still fail the build.
   * @default 'info', or less if the bundler prints less
   */
  logLevel?: 'silent' | 'error' | 'warn' | 'info'
  /**
   * Fail the build before the upload if a stack would not resolve, and at the end if a leak is found.
   * Warnings also fail the build, for example if source maps remain in the output. See `docs/gate.md`.
   * @default false
   */
  failOnFindings?: boolean
  /** @deprecated Renamed to `failOnFindings`. The old name still works. */
  strict?: boolean
  /**
   * Function that is called once after the upload and before the build can fail.
   * The function receives a verdict: `exitCode`, `summary` (the last line), `problems` and `document` (the `--json` output). If the function throws an error, the build fails.
   */
  onVerdict?: (verdict: Verdict) => void | Promise<void>
}
