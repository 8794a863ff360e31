import type { BuildEnvironmentOptions } from 'vite'
import type { BuildSession } from '../build-session.ts'
import type { BuildReport } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'

/** A framework whose own integration puts the plugin into its Vite builds. Its functions are called when the build's config is known. */
export interface ViteHost {
  /** What the framework's user has set about source maps; Vite's config has what the framework made of it. */
  sourcemap(): BuildEnvironmentOptions['sourcemap']
  /** Where the framework says that the browsers' output is deployed. */
  prefix(): BuildPrefix | undefined
  /** How much the framework prints; some make Vite quieter. */
  logLevel(): unknown
  /** The framework bundles once more what runs on a server, so what Vite wrote for one is not reported here. */
  bundlesServer?: boolean
  /** Takes what was written: the framework's integration uploads it when the framework is done with it. */
  finish(build: BuildSession, report: BuildReport): void
}
