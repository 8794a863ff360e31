import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BuildEnvironmentOptions, ResolvedConfig } from 'vite'
import type { BuildSession } from '../build-session.ts'
import type { MapSettingLabels } from '../maps.ts'
import type { BuildReport, BundleOutput } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'

/** The directory of the nearest package.json at or above a root, or the root itself if no package.json exists. */
export function projectAbove(root: string): string {
  for (let directory = root; ; directory = dirname(directory)) {
    if (existsSync(join(directory, 'package.json'))) return directory
    if (directory === dirname(directory)) return root
  }
}

/** A framework whose integration adds the plugin to its Vite builds. Its functions are called once the build's config is known. */
export interface ViteHost {
  /** The user's source map setting in the framework's config. Vite's config contains only what the framework made of it. */
  sourcemap(): BuildEnvironmentOptions['sourcemap']
  /** The framework's address for the browser output. */
  prefix(): BuildPrefix | undefined
  /** The framework's log level. Some frameworks make Vite quieter. */
  logLevel(): unknown
  /** Whether the framework bundles the server again. If so, Vite's server output is not reported. */
  bundlesServer?: boolean
  /** Receives the written outputs. The framework's integration uploads them at the end. */
  finish(build: BuildSession, report: BuildReport): void
}

export interface Traces {
  plugins: readonly string[]
  /** `build.outDir` as configured. */
  outDir: string
}

/** An environment of a build, and the actions available to a framework. */
export interface EnvironmentBuild {
  environment: string
  /** Environments that are still being built. */
  building: ReadonlySet<string>
  /** The environment's output directory, absolute. */
  directory?: string | undefined
  /** Whether Vite's app builder builds several environments. */
  isApp: boolean
  /** Uploads the files written since the last upload. */
  upload(): Promise<void>
  /** Uploads a server that was bundled again from Vite's output. */
  uploadServer(directory: string): Promise<void>
}

/** A framework on top of Vite, or a plugin that changes how a build works: all differences from plain Vite. */
export interface Framework {
  label: string
  detect(traces: Traces): boolean
  /** Returns the reason why nothing is uploaded, for a build that is not the app. */
  ignored?(): string
  /**
   * The address from which browsers load the scripts. Default: Vite's base.
   * @param base `./` if it is relative.
   */
  prefix?(config: ResolvedConfig, base: string): BuildPrefix | undefined
  /** The project is the directory of the nearest package.json at or above Vite's root. Default: the root. */
  isBelowProject?: true

  /** How users write the source map setting. Default: as in Vite. */
  mapSettingLabels?(setting: unknown): MapSettingLabels
  /** The framework sets `build.sourcemap: false` if the user sets nothing. */
  turnsMapsOff?: true
  /** The framework sets `build.sourcemap: false` only in the browser environment. */
  turnsBrowserMapsOff?: true
  /** The framework turns source maps on before the plugin can read the user's setting. */
  turnsMapsOn?: true
  /** The framework sets source maps for each server part itself. */
  setsServerMaps?: true
  /** The framework does not generate browser maps without server maps. */
  needsServerMaps?: true

  /** The Node output is deployed together with the browser output, as in an installed app. */
  shipsServer?: true
  /**
   * How the server output is used. `step`: it renders the pages and is not deployed. `bundled`: it is bundled again.
   * Default: it is deployed.
   */
  server?(config: ResolvedConfig): 'step' | 'bundled' | undefined
  /** The environment that bundles the server again. */
  bundlesIn?: string

  /**
   * Adjusts an output after the bundler has written it.
   * @param written files by name, as Vite returns them to its caller.
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

/** Names of all plugins in a config. Nested lists are flattened; gaps and pending promises are skipped. */
export function pluginNames(plugins: unknown): string[] {
  const all: unknown[] = [plugins].flat(Number.POSITIVE_INFINITY)
  return all.flatMap((plugin) => {
    const { name } = (plugin ?? {}) as { name?: unknown }
    return typeof name === 'string' ? name : []
  })
}
