import { t } from '@symup/core/internal'
import type { BuildEnvironmentOptions, UserConfig } from 'vite'
import { decideMaps, type MapDecision, type MapWords, rollupMapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { serverOf } from '../server.ts'
import { nitroOf } from './nitro.ts'
import { consumerOf, isAstro, isNuxt, turnsMapsOff } from './vite-builds.ts'

const shown = (setting: unknown) => (typeof setting === 'string' ? `'${setting}'` : String(setting))

const viteWords = (setting: unknown, name: string): MapWords => ({
  now: t`${name} is ${shown(setting)}`,
  hidden: `${name}: 'hidden'`,
})

/** Nuxt sets Vite's `build.sourcemap` from a setting of its own, by which its own plugins also decide whether to make maps. */
export const nuxtWords = (setting: unknown): MapWords => ({
  now: t`Nuxt's sourcemap.client is ${shown(setting)}`,
  hidden: "sourcemap: { client: 'hidden' } in nuxt.config",
  on: t`Set sourcemap: { client: 'hidden' } in nuxt.config and deleteAfterUpload: true in the plugin's options.`,
})

/** What is decided about the maps of each environment; one that sets nothing of its own follows the config's `build`. */
export class MapDecisions {
  readonly #common: MapDecision
  readonly #own = new Map<string, MapDecision>()
  /** Environments that run on a server. Nobody reads their maps there, so they are not reported. */
  readonly #servers = new Set<string>()

  constructor(
    { build, environments = {}, plugins = [] }: UserConfig,
    { deleteAfterUpload, ...options }: SymupOptions,
    /** A framework that has the setting. */
    host: { sourcemap(): BuildEnvironmentOptions['sourcemap'] } | undefined,
  ) {
    const inNuxt = isNuxt(plugins)
    const hasNitro3 = nitroOf(plugins) === 3
    const decide = (setting: BuildEnvironmentOptions['sourcemap'], name: string) =>
      decideMaps(rollupMapSetting(setting), deleteAfterUpload, inNuxt ? nuxtWords(setting) : viteWords(setting, name))
    const isFilledIn = build?.sourcemap === false && turnsMapsOff(plugins)
    const own = isFilledIn ? undefined : build?.sourcemap
    const common = host ? host.sourcemap() : own
    this.#common = decide(common, 'build.sourcemap')
    for (const [name, environment] of Object.entries(environments)) {
      const setting = environment.build?.sourcemap
      const isServer = consumerOf(name, environment) === 'server'
      if (isServer) this.#servers.add(name)
      if (setting === undefined || (isServer && serverOf(options) === undefined)) continue
      // Nitro sets it by itself.
      if (isServer && setting === false && hasNitro3) continue
      // What stands there for browsers is what the framework made of its user's setting.
      if (!isServer && (host || (setting === false && isAstro(plugins) && build?.sourcemap === undefined)))
        this.#own.set(name, this.#common)
      else this.#own.set(name, decide(setting, `environments.${name}.build.sourcemap`))
    }
  }

  /** Whether maps are asked for that the user has not, and which go with the upload. */
  get hides(): boolean {
    return this.#common.hide
  }

  /** Whether an environment would follow what is asked for, not what the user has set. */
  leavesAlone(environment: string): boolean {
    return this.#common.hide && !this.#own.has(environment)
  }

  of(environment: string): MapDecision {
    return this.#own.get(environment) ?? this.#common
  }

  problems() {
    const browsers = [...this.#own].filter(([name]) => !this.#servers.has(name)).map(([, decision]) => decision)
    return [...new Set([this.#common, ...browsers])].flatMap(({ problems }) => problems)
  }

  config(): UserConfig {
    const hidden = { build: { sourcemap: 'hidden' as const } }
    const own = [...this.#own].filter(([, { hide }]) => hide).map(([name]) => [name, hidden] as const)
    return { ...(this.#common.hide && hidden), environments: Object.fromEntries(own) }
  }
}
