import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BuildEnvironmentOptions, ResolvedConfig } from 'vite'
import type { BuildSession } from '../build-session.ts'
import type { MapSettingLabels } from '../maps.ts'
import type { BuildReport, BundleOutput } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'

/** Returns the directory of the nearest package.json at or above a root, or the root itself if no package.json exists. */
export function projectAbove(root: string): string {
  for (let directory = root; ; directory = dirname(directory)) {
    if (existsSync(join(directory, 'package.json'))) return directory
    if (directory === dirname(directory)) return root
  }
}

/** A framework whose integration adds the plugin to its own Vite builds. The functions are called after the build's config is resolved. */
export interface ViteHost {
  /**
   * Returns the user's source map setting from the framework's config. Vite's config contains only the setting that the framework derived
   * from it.
   */
  sourcemap(): BuildEnvironmentOptions['sourcemap']
  /** Returns the address at which the framework deploys the browser output. */
  prefix(): BuildPrefix | undefined
  /** Returns the framework's log level, because some frameworks set a quieter level for Vite. */
  logLevel(): unknown
  /** Whether the framework bundles the server again. If so, Vite's intermediate server output is not reported. */
  bundlesServer?: boolean
  /** Receives the written outputs, which the framework's integration uploads at the end. */
  finish(build: BuildSession, report: BuildReport): void
}

export interface Traces {
  plugins: readonly string[]
  outDir: string
}

export interface EnvironmentBuild {
  environment: string
  building: ReadonlySet<string>
  /** The absolute path of the environment's output directory. */
  directory?: string | undefined
  /** Whether Vite's app builder builds several environments. */
  isApp: boolean
  /** Uploads the files written since the last upload. */
  upload(): Promise<void>
  /** Uploads a server bundle that was created from Vite's output. */
  uploadServer(directory: string): Promise<void>
}

/** A framework on top of Vite, or a plugin that changes how a build works. The fields describe all differences from plain Vite. */
export interface Framework {
  label: string
  detect(traces: Traces): boolean
  /** Returns why nothing is uploaded. Defined only for builds that do not produce the app. */
  ignored?(): string
  /**
   * Returns the address from which browsers load the scripts. Default: Vite's base.
   * @param base Vite's base, or `./` if the base is relative.
   */
  prefix?(config: ResolvedConfig, base: string): BuildPrefix | undefined
  /**
   * Set if the project directory is the directory of the nearest package.json at or above Vite's root. Default: the project directory is
   * Vite's root.
   */
  isBelowProject?: true

  /** Returns the source map setting as shown in messages. Default: Vite's syntax. */
  mapSettingLabels?(setting: unknown): MapSettingLabels
  /** Set if the framework sets `build.sourcemap: false` by default. */
  turnsMapsOff?: true
  /** Set if the framework sets `build.sourcemap: false` only in the browser environment. */
  turnsBrowserMapsOff?: true
  /** Set if the framework turns source maps on before the plugin can read the user's setting. */
  turnsMapsOn?: true
  /** Set if the framework itself configures source maps for each part of the server. */
  setsServerMaps?: true
  /** Set if the framework cannot generate browser maps without server maps. */
  needsServerMaps?: true

  /** Set if the Node output is deployed together with the browser output, as in an installed app. */
  shipsServer?: true
  /**
   * Returns how the server output is used: `step` if it only renders pages, or `bundled` if it is bundled again. Undefined if the output is
   * deployed.
   */
  server?(config: ResolvedConfig): 'step' | 'bundled' | undefined
  /** The environment that bundles the server again. */
  bundlesIn?: string

  /**
   * Adjusts an output after the bundler has written its files.
   * @param written the files that Vite returns to its caller, keyed by name.
   */
  outputs?(output: BundleOutput, written: Record<string, unknown>): Promise<void> | void
  open?(config: ResolvedConfig, build: Pick<EnvironmentBuild, 'upload' | 'uploadServer'>): void
  before?(build: EnvironmentBuild): Promise<void> | void
  after?(build: EnvironmentBuild): Promise<void> | void
}

export function hasPlugin(...names: string[]): Framework['detect'] {
  return ({ plugins }) => names.some((name) => plugins.includes(name))
}

export function hasPluginLike(pattern: RegExp): Framework['detect'] {
  return ({ plugins }) => plugins.some((name) => pattern.test(name))
}

/** Returns the names of all plugins in a config. Nested lists are flattened. Empty entries and pending promises are skipped. */
export function pluginNames(plugins: unknown): string[] {
  const all: unknown[] = [plugins].flat(Number.POSITIVE_INFINITY)
  return all.flatMap((plugin) => {
    const { name } = (plugin ?? {}) as { name?: unknown }
    return typeof name === 'string' ? name : []
  })
}
