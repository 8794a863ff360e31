import { resolve } from 'node:path'
import type { BuildEnvironmentOptions, Plugin, PluginOption, ResolvedConfig, UserConfig, ViteBuilder } from 'vite'
import { viteDebugIds } from '../debug-id/vite.ts'
import { decideMaps, type MapDecision, rollupMapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { openSession, type Session } from '../session.ts'
import { logTo } from '../terminal.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { logProblems, prefixFrom, WATCHING } from './messages.ts'
import { Written } from './written.ts'

/**
 * Who says that the build is over:
 * - `bundle`: each environment's `closeBundle`. `vite build`, `build()`.
 * - `app`: the end of the app builder, which builds several environments.
 * - a number: the app builder hands over to Vite, which then builds each environment that is left; so many are still to come.
 */
type End = 'bundle' | 'app' | number

/**
 * Roots of the builds under way whose maps this plugin hid. A framework that builds from within a build (SvelteKit: the client from within the
 * server's) hands that setting down, to another instance of the plugin, to which it would look like the user's own.
 */
const hiddenHere = new Set<string>()

export const vite = defineBundler({
  label: 'Vite',
  debugIds: true,
  hooks: (options) => [...hooksFor(options), ...(options.debugIds ? viteDebugIds() : [])],
  plugin: throughUnplugin<PluginOption>('vite'),
})

/**
 * The settings are found when the config is known, the upload comes after the last output of the last environment.
 * Two plugins for the build, because both the start and the end of the app builder matter and a plugin has one `buildApp` hook.
 */
function hooksFor(options: SymupOptions): Partial<Plugin>[] {
  let config: ResolvedConfig
  let session: Session | undefined
  let openedFor: string | undefined
  let maps: MapDecisions | undefined
  let hid: string | undefined
  let failed = false
  let end: End = 'bundle'
  const written = new Written()

  async function upload(): Promise<void> {
    end = 'bundle'
    openedFor = undefined
    if (hid !== undefined) hiddenHere.delete(hid)
    hid = undefined
    const outputs = written.take()
    if (session && !failed && outputs.length > 0) await session.finish(outputs)
  }

  const dev: Partial<Plugin> = {
    apply: 'serve',
    configureServer({ config }) {
      // Vitest starts a server too, for every run.
      if (config.mode === 'test') return
      logTo(options, () => config.logLevel)({ severity: 'info', text: 'Dev server: nothing is uploaded.' })
    },
  }

  const beforeApp: Partial<Plugin> = {
    apply: 'build',
    sharedDuringBuild: true,
    buildApp: {
      order: 'pre',
      async handler() {
        end = 'app'
      },
    },
  }

  const main: Partial<Plugin> = {
    apply: 'build',
    enforce: 'post',
    // One instance for all environments of the app builder: it sees them all.
    sharedDuringBuild: true,

    config(user) {
      const root = resolve(user.root ?? '')
      const handedDown = hid === undefined && user.build?.sourcemap === 'hidden' && hiddenHere.has(root)
      const own = handedDown ? { ...user, build: { ...user.build, sourcemap: undefined } } : user
      maps = new MapDecisions(own, options.deleteAfterUpload)
      const change = maps.config()
      if (change.build && !hiddenHere.has(root)) {
        hid = root
        hiddenHere.add(root)
      }
      return change
    },

    configResolved(resolved) {
      config = resolved
      // Vite 6 has no `buildApp` hook, and no `meta` here by which to tell.
      if (this?.meta?.viteVersion === undefined) wrapAppBuilder(config)
      const build = `${config.root}\n${config.base}`
      if (openedFor === build) return
      openedFor = build
      const log = logTo(options, () => resolved.logLevel)
      if (config.build.watch) {
        session = undefined
        log(WATCHING)
        return
      }
      const prefix = prefixFrom(config.base, "Vite's base")
      session = openSession(options, { bundler: 'vite', root: config.root, log, prefix })
      if (session && maps) logProblems(log, maps.problems())
    },

    buildStart() {
      failed = false
    },

    buildEnd(error) {
      if (error) failed = true
    },

    renderError() {
      failed = true
    },

    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir }, bundle) {
        const deletes = maps?.of(this.environment.name).deletes ?? false
        written.add(resolve(config.root, dir ?? config.build.outDir), bundle, deletes)
      },
    },

    closeBundle: {
      order: 'post',
      // Other plugins write and rewrite files in this hook; ours is to see what they leave.
      sequential: true,
      async handler() {
        if (typeof end === 'number') end--
        if (end === 'bundle' || end === 0) await upload()
      },
    },

    buildApp: {
      order: 'post',
      async handler(builder: ViteBuilder) {
        const environments = Object.values(builder.environments)
        // When nobody has built any, Vite builds them all after this hook.
        if (environments.some(({ isBuilt }) => isBuilt)) await upload()
        else end = environments.length
      },
    },
  }

  function wrapAppBuilder({ builder }: ResolvedConfig): void {
    if (builder === undefined) return
    const { buildApp } = builder
    builder.buildApp = async (appBuilder) => {
      end = 'app'
      await buildApp(appBuilder)
      await upload()
    }
  }

  return [
    { name: 'symup:dev', ...dev },
    { name: 'symup:app', ...beforeApp },
    { name: 'symup', ...main },
  ]
}

/** What is decided about the maps of each environment; one that sets nothing of its own follows the config's `build`. */
class MapDecisions {
  readonly #common: MapDecision
  readonly #own = new Map<string, MapDecision>()

  constructor({ build, environments = {} }: UserConfig, deleteAfterUpload: boolean | undefined) {
    const decide = (setting: BuildEnvironmentOptions['sourcemap'], name: string) =>
      decideMaps(rollupMapSetting(setting), deleteAfterUpload, {
        now: `${name} is ${typeof setting === 'string' ? `'${setting}'` : setting}`,
        hidden: `${name}: 'hidden'`,
      })
    this.#common = decide(build?.sourcemap, 'build.sourcemap')
    for (const [name, environment] of Object.entries(environments)) {
      const setting = environment.build?.sourcemap
      if (setting !== undefined) this.#own.set(name, decide(setting, `environments.${name}.build.sourcemap`))
    }
  }

  of(environment: string): MapDecision {
    return this.#own.get(environment) ?? this.#common
  }

  problems() {
    return [this.#common, ...this.#own.values()].flatMap(({ problems }) => problems)
  }

  config(): UserConfig {
    const hidden = { build: { sourcemap: 'hidden' as const } }
    const own = [...this.#own].filter(([, { hide }]) => hide).map(([name]) => [name, hidden] as const)
    return { ...(this.#common.hide && hidden), environments: Object.fromEntries(own) }
  }
}
