import { t } from '@symup/core/text'
import type { BuildEnvironmentOptions, UserConfig } from 'vite'
import type { Framework } from '../frameworks/framework.ts'
import { decideMaps, type MapDecision, type MapSettingLabels, rollupMapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { serverOf } from '../server.ts'
import { consumerOf } from './vite-config.ts'

type Sourcemap = BuildEnvironmentOptions['sourcemap']

const viteLabels = (setting: unknown, name: string): MapSettingLabels => ({
  now: t`${name} is ${typeof setting === 'string' ? `'${setting}'` : String(setting)}`,
  hidden: `${name}: 'hidden'`,
})

/** The decisions about maps, one for each environment. An environment without its own setting uses the setting in the config's `build`. */
export class MapDecisions {
  readonly #common: MapDecision
  readonly #own = new Map<string, MapDecision>()
  /** Environments that run on a server. Their maps are not reported, because only the server's operator can read them. */
  readonly #servers = new Set<string>()

  constructor(
    { build, environments = {} }: UserConfig,
    { deleteAfterUpload, ...options }: SymupOptions,
    frameworks: readonly Framework[],
    host: { sourcemap(): Sourcemap } | undefined,
  ) {
    const has = (trait: keyof Framework) => frameworks.some((framework) => framework[trait])
    const labels = frameworks.find(({ mapSettingLabels }) => mapSettingLabels)?.mapSettingLabels ?? viteLabels
    const decide = (setting: Sourcemap, name: string) =>
      decideMaps(rollupMapSetting(setting), deleteAfterUpload, labels(setting, name))
    const isFilledIn = build?.sourcemap === false && has('turnsMapsOff')
    const own = isFilledIn ? undefined : build?.sourcemap
    this.#common = decide(host ? host.sourcemap() : own, 'build.sourcemap')
    const isFrameworks = (setting: Sourcemap) =>
      host !== undefined || (setting === false && has('turnsBrowserMapsOff') && build?.sourcemap === undefined)
    for (const [name, environment] of Object.entries(environments)) {
      const setting = environment.build?.sourcemap
      const isServer = consumerOf(name, environment) === 'server'
      if (isServer) this.#servers.add(name)
      if (setting === undefined || (isServer && serverOf(options) === undefined)) continue
      if (isServer && setting === false && has('setsServerMaps')) continue
      const follows = !isServer && isFrameworks(setting)
      this.#own.set(name, follows ? this.#common : decide(setting, `environments.${name}.build.sourcemap`))
    }
  }

  /** Tests whether an environment without its own setting would inherit the setting that the plugin changed. */
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
