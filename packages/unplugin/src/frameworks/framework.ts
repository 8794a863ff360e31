import type { ResolvedConfig } from 'vite'
import type { MapWords } from '../maps.ts'
import type { BundleOutput } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'

export interface Traces {
  plugins: readonly string[]
  /** `build.outDir` as the config has it. */
  outDir: string
}

/** An environment of a build, and what a framework can do with the build. */
export interface EnvironmentBuild {
  environment: string
  /** Environments that are being built, without this one once it is done. */
  building: ReadonlySet<string>
  /** Directory that the environment wrote to, absolute. */
  directory?: string | undefined
  /** Vite's app builder builds several environments. */
  isApp: boolean
  /** Uploads what was written since the last time. */
  upload(): Promise<void>
  /** Uploads a server that was bundled once more from what Vite wrote. */
  uploadServer(directory: string): Promise<void>
}

/** A framework above Vite, or a plugin with its own idea of a build: all that is done otherwise than for Vite alone. */
export interface Framework {
  label: string
  detect(traces: Traces): boolean
  /** It builds something else than the app: why nothing is uploaded. */
  ignored?(): string
  /** Where browsers load the scripts from. Default: Vite's base. @param base `./` where it is relative. */
  prefix?(config: ResolvedConfig, base: string): BuildPrefix | undefined
  /** The project is the directory of the package.json at or above Vite's root. Default: the root. */
  isBelowProject?: true

  /** How its users write the setting of source maps. Default: as Vite's users. */
  mapWords?(setting: unknown): MapWords
  /** It sets `build.sourcemap: false` where its user sets nothing. */
  turnsMapsOff?: true
  /** The same of the environment for browsers. */
  turnsBrowserMapsOff?: true
  /** It turns source maps on before the plugin can see what the user has set. */
  turnsMapsOn?: true
  /** It sets the source maps of each part of its server by itself. */
  setsServerMaps?: true
  /** Without source maps of the server it makes none for browsers. */
  needsServerMaps?: true

  /** What is built for Node is deployed with the browsers' part, as in an installed app. */
  shipsServer?: true
  /** What becomes of the server's output: `step`: it makes the pages and is not deployed; `bundled`: it is bundled once more. Default: it is deployed. */
  server?(config: ResolvedConfig): 'step' | 'bundled' | undefined
  /** The environment that bundles the server once more. */
  bundlesIn?: string

  /** Changes what is known of an output when the bundler has written it. @param written files by name, as Vite returns them to its caller. */
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

/** Names of all plugins of a config: they are in lists within lists, with gaps; what is still awaited is left out. */
export function pluginNames(plugins: unknown): string[] {
  const all: unknown[] = [plugins].flat(Number.POSITIVE_INFINITY)
  return all.flatMap((plugin) => {
    const { name } = (plugin ?? {}) as { name?: unknown }
    return typeof name === 'string' ? name : []
  })
}
