import { resolve } from 'node:path'
import { t } from '@symup/core/internal'
import type { BuildEnvironmentOptions, Plugin, PluginOption, ResolvedConfig, ViteBuilder } from 'vite'
import { viteDebugIds } from '../debug-id/vite.ts'
import { outputBelow } from '../frameworks/output-below.ts'
import { claim } from '../neighbours.ts'
import type { SymupOptions } from '../options.ts'
import type { BundleOutput } from '../output.ts'
import { serverOf } from '../server.ts'
import { openSession, type Session } from '../session.ts'
import { isShown, logTo } from '../terminal.ts'
import { TransformWatch } from '../transforms.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { declarationsOnly, logProblems, tellOnce, watching } from './messages.ts'
import { isAnalog, isNitro3, NITRO, nitroOf } from './nitro.ts'
import { composeServerMaps } from './server-maps.ts'
import { svelteKitOf } from './svelte-kit.ts'
import {
  consumerOf,
  environmentOf,
  forgetMaps,
  inheritorOf,
  isElectron,
  isForge,
  isMiniProgram,
  isPrerendered,
  isServerBuild,
  isWxt,
  leaveAlone,
  prefixOf,
  projectOf,
  requireVite5,
  runsOnServer,
  tellLeftAlone,
} from './vite-builds.ts'
import type { ViteHost } from './vite-host.ts'
import { MapDecisions } from './vite-maps.ts'
import { keepMapsOfPages } from './vite-press.ts'
import { nameWorkersMap } from './vite-pwa.ts'
import { emptyOutput, Written } from './written.ts'

/**
 * Who says that the build is over:
 * - `bundle`: each environment's `closeBundle`. `vite build`, `build()`.
 * - `app`: the end of the app builder, which builds several environments.
 * - a number: the app builder hands over to Vite, which then builds each environment that is left; so many are still to come.
 */
type End = 'bundle' | 'app' | number

/** Astro's environment that makes pages during the build, and never ships. */
const PRERENDERER = 'prerender'

/**
 * What the builds under way whose user set nothing about maps would hand down to a build within them, by their root. A framework that builds from
 * within a build (SvelteKit: the client from within the server's) hands the resolved setting down, to another instance of the plugin, to which it
 * would look like the user's own.
 */
const underWay = new Map<string, 'hidden' | false>()

export const vite = defineBundler({
  label: 'Vite',
  debugIds: true,
  hooks: (options) => allHooksFor(options),
  plugin: throughUnplugin<PluginOption>('vite'),
})

/** The plugin as a framework's integration uses it. */
export function viteWithin(options: SymupOptions, host: ViteHost): PluginOption {
  return vite.plugin(allHooksFor(options, host))
}

function allHooksFor(options: SymupOptions, host?: ViteHost): Partial<Plugin>[] {
  return [...hooksFor(options, host), ...(options.debugIds ? viteDebugIds() : [])]
}

/**
 * The settings are found when the config is known, the upload comes after the last output of the last environment.
 * Two plugins for the build, because both the start and the end of the app builder matter and a plugin has one `buildApp` hook.
 */
function hooksFor(options: SymupOptions, host?: ViteHost): Partial<Plugin>[] {
  let config: ResolvedConfig
  let session: Session | undefined
  let openedFor: string | undefined
  let maps: MapDecisions | undefined
  let own: string | undefined
  /** What the user set about maps, where another plugin changes it before this one is asked. */
  let asked: Pick<BuildEnvironmentOptions, 'sourcemap'> | undefined
  let isInherited = false
  /** The build makes nothing for browsers, and what it makes is left alone. */
  let isLeftAlone = false
  let hasRelativeBase = false
  /** Whether what is built for a server is uploaded, too. */
  let takesServers = false
  let hasNitro3 = false
  let hasAnalog = false
  /** Environments that are being built. */
  const building = new Set<string>()
  let failed = false
  /** Outputs for a server that are only a step. */
  let adapted: BundleOutput[] = []
  /** Directory of what Nitro made of them. */
  let nitros: string | undefined
  let end: End = 'bundle'
  const written = new Written()
  const transforms = new TransformWatch()

  const directoryOf = (dir: string | undefined) => resolve(config.root, dir ?? config.build.outDir)

  /** The build is over, or failed. */
  function release(): void {
    if (own !== undefined) underWay.delete(own)
    own = undefined
  }

  function fail(): void {
    failed = true
    building.clear()
    written.stop()
    release()
  }

  async function upload(): Promise<void> {
    end = 'bundle'
    openedFor = undefined
    release()
    const { outputs, onlyDeclarations } = written.take()
    if (isForge(config)) for (const output of outputs) output.shared = true
    const logLevel = () => (host ? host.logLevel() : config.logLevel)
    const log = logTo(options, logLevel)
    // Astro builds for browsers after its server, and only then it is known whether that was a step to its pages.
    const isStep = host !== undefined && outputs.length === 0
    // A build that is only quiet by itself leaves it to the next one.
    const isSaid = options.logLevel !== undefined || isShown('info', options, logLevel)
    if (!isStep && isSaid) tellLeftAlone(log, outputs)
    if (onlyDeclarations) tellOnce(log, declarationsOnly())
    if (session === undefined || failed) return
    const bundlesServer = svelteKitOf(config.plugins)?.bundlesServer || hasNitro3
    adapted = bundlesServer ? outputs.filter(({ isServer }) => isServer) : []
    const final = outputs.filter((output) => !adapted.includes(output))
    if (final.length === 0) return
    if (host) host.finish(session, final)
    else await session.finish(final)
  }

  /** What SvelteKit's adapter or Nitro made of them. */
  async function uploadAdapted(server: string, deletes = options.deleteAfterUpload === true): Promise<void> {
    if (session === undefined || failed || !takesServers) return
    const directory = resolve(projectOf(config), server)
    await composeServerMaps(directory)
    await session.finish([
      { ...(await outputBelow(directory, '', deletes)), isServer: true },
      // Their maps were a step to the others.
      ...adapted.map((output) => ({ ...output, files: new Set<string>() })),
    ])
  }

  const dev: Partial<Plugin> = {
    apply: 'serve',
    configureServer({ config }) {
      // Some of them start a server for every run, such as Vitest, and print what scripts say.
      if (config.mode === 'test' || inheritorOf(config.plugins) !== undefined) return
      logTo(options, () => config.logLevel)({ severity: 'info', text: t`Dev server: nothing is uploaded.` })
    },
  }

  const beforeApp: Partial<Plugin> = {
    apply: 'build',
    sharedDuringBuild: true,
    config: {
      order: 'pre',
      handler({ build, plugins = [], ...user }) {
        asked =
          isPrerendered(plugins) && !isServerBuild({ ...user, build }) ? { sourcemap: build?.sourcemap } : undefined
        return asked && asked.sourcemap === undefined ? { build: { sourcemap: 'hidden' } } : undefined
      },
    },
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

    config(config) {
      const user = asked ? { ...config, build: { ...config.build, ...asked } } : config
      isInherited = inheritorOf(user.plugins ?? []) !== undefined || isMiniProgram()
      if (isInherited) return
      // For a server Vite makes `/` of a relative base, which tells nothing of the client (SvelteKit builds its server first).
      hasRelativeBase = user.base === '' || user.base === './'
      const root = resolve(user.root ?? '')
      const outer = own === undefined ? underWay.get(root) : undefined
      const isHandedDown = outer !== undefined && user.build?.sourcemap === outer
      const given = isHandedDown ? { ...user, build: { ...user.build, sourcemap: undefined } } : user
      maps = new MapDecisions(given, options, host)
      const isUnset = given.build?.sourcemap === undefined
      hasNitro3 = nitroOf(user.plugins ?? []) === 3
      hasAnalog = isAnalog(user.plugins ?? [])
      takesServers = serverOf(options) !== undefined || isElectron(user.plugins ?? [])
      isLeftAlone = isServerBuild(user) && !takesServers
      if (isUnset && !underWay.has(root)) {
        own = root
        underWay.set(root, isLeftAlone ? false : 'hidden')
      }
      if (maps.hides) nameWorkersMap(user.plugins)
      return isLeftAlone ? undefined : { ...(asked?.sourcemap && { build: asked }), ...maps.config() }
    },

    // Called since Vite 6, after `config`: environments follow its `build` where they set nothing of their own.
    configEnvironment(name, environment) {
      if (consumerOf(name, environment) === 'client' || isInherited || !maps?.leavesAlone(name)) return
      if (!takesServers && !hasAnalog) return { build: { sourcemap: false } }
      // Nitro sets it by itself, for each part of a server.
      return hasNitro3 && environment.build?.sourcemap === false ? { build: { sourcemap: 'hidden' } } : undefined
    },

    configResolved(resolved) {
      config = resolved
      // Vite 6 has no `buildApp` hook, and no `meta` here by which to tell.
      if (this?.meta?.viteVersion === undefined) wrapAppBuilder(config)
      keepMapsOfPages(config.plugins)
      transforms.watch(config.plugins, { takesServers })
      svelteKitOf(config.plugins)?.beforeAdapter(upload, uploadAdapted)
      const build = `${config.root}\n${config.base}`
      if (openedFor === build) return
      openedFor = build
      const logLevel = () => (host ? host.logLevel() : resolved.logLevel)
      const log = logTo(options, logLevel)
      const inheritor = inheritorOf(config.plugins)
      if (inheritor !== undefined) {
        session = undefined
        tellOnce(log, t`${inheritor} builds with this config: nothing is uploaded.`)
        return
      }
      if (isMiniProgram()) {
        session = undefined
        tellOnce(log, t`This build is a mini program: @symup/mini-program uploads it, and this plugin leaves it alone.`)
        return
      }
      if (config.build.watch) {
        session = undefined
        log(watching())
        return
      }
      const prefix = host ? host.prefix() : prefixOf(config, hasRelativeBase)
      const publicDirectories = config.publicDir === '' ? [] : [config.publicDir]
      try {
        session = openSession(options, {
          bundler: 'vite',
          root: projectOf(config),
          log,
          logLevel,
          prefix,
          transforms,
          publicDirectories,
        })
      } catch (error) {
        release()
        throw error
      }
      if (session && maps && !isLeftAlone) logProblems(log, maps.problems())
    },

    options() {
      requireVite5(this.meta)
    },

    ...(options.injectRelease && {
      transformIndexHtml: { order: 'post', handler: (html: string) => session?.page(html) ?? html },
    }),

    async buildStart() {
      // What it lists for its server has to be without maps by then.
      if (isNitro3(this, config.plugins)) await upload()
      building.add(environmentOf(this))
      failed = false
    },

    buildEnd(error) {
      if (error) fail()
    },

    renderError: fail,

    generateBundle({ dir }, _, isWritten) {
      if (session && isWritten) written.begin(directoryOf(dir))
    },

    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir }, bundle) {
        const directory = directoryOf(dir)
        written.end(directory)
        if (session === undefined) return
        const isServer = runsOnServer(this, config)
        if (isNitro3(this, config.plugins) && takesServers) {
          nitros = directory
          return
        }
        if (isServer && (serverOf(options) === undefined || environmentOf(this) === PRERENDERER)) {
          const isStep =
            environmentOf(this) === PRERENDERER ||
            (hasNitro3 && !isNitro3(this, config.plugins)) ||
            svelteKitOf(config.plugins)?.isStatic
          if (!host?.bundlesServer && !isStep) leaveAlone(directory, projectOf(config))
          claim({ ...emptyOutput(directory), files: new Set(Object.keys(bundle)) })
          return
        }
        const deletes = maps?.of(environmentOf(this)).deletes ?? false
        transforms.wrote(bundle)
        written.add(directory, bundle, deletes, isServer)
        if (deletes && isWxt(config.plugins)) forgetMaps(bundle)
      },
    },

    closeBundle: {
      order: 'post',
      // Other plugins write and rewrite files in this hook; ours is to see what they leave.
      sequential: true,
      async handler() {
        if (typeof end === 'number') end--
        if (isNitro3(this, config.plugins) && nitros !== undefined)
          return uploadAdapted(nitros, maps?.of(NITRO).deletes)
        building.delete(environmentOf(this))
        const isLast = hasAnalog ? building.size === 0 : environmentOf(this) === 'ssr'
        const isCopiedNext = end === 'app' && nitroOf(config.plugins) === 2 && isLast
        if (end === 'bundle' || end === 0 || isCopiedNext) await upload()
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
