import type { BuildEnvironmentOptions } from 'vite'
import type { BuildSession } from '../build-session.ts'
import type { BuildReport } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'

/** A framework whose integration adds the plugin to its Vite builds. Its functions are called once the build's config is known. */
export interface ViteHost {
  /** The framework user's source map setting. Vite's config contains the framework's version of it. */
  sourcemap(): BuildEnvironmentOptions['sourcemap']
  /** The framework's address for the browser output. */
  prefix(): BuildPrefix | undefined
  /** The framework's log level. Some frameworks make Vite quieter. */
  logLevel(): unknown
  /** The framework bundles the server again, so Vite's server output is not reported here. */
  bundlesServer?: boolean
  /** Receives the written outputs. The framework's integration uploads them at the end. */
  finish(build: BuildSession, report: BuildReport): void
}
