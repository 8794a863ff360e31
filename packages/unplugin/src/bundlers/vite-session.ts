import { resolve } from 'node:path'
import { t } from '@symup/core/internal'
import type { BuildEnvironmentOptions, EnvironmentOptions, ResolvedConfig, UserConfig } from 'vite'
import { outputBelow } from '../frameworks/output-below.ts'
import { mapsBelow } from '../late-files.ts'
import { LostMaps } from '../lost-maps.ts'
import type { SymupOptions } from '../options.ts'
import type { BundleOutput } from '../output.ts'
import { serverOf } from '../server.ts'
import { openSession, type Session } from '../session.ts'
import { isShown, logTo } from '../terminal.ts'
import { declarationsOnly, logProblems, tellOnce, watching } from './messages.ts'
import { isAnalog, isNitro3, NITRO, nitroOf } from './nitro.ts'
import { composeServerMaps } from './server-maps.ts'
import { svelteKitOf } from './svelte-kit.ts'
import {
  consumerOf,
  environmentOf,
  forgetMaps,
  type HookContext,
  inheritorOf,
  isElectron,
  isForge,
  isMiniProgram,
  isServerBuild,
  isWxt,
  LeftAlone,
  prefixOf,
  projectOf,
  runsOnServer,
  writesWorkers,
} from './vite-builds.ts'
import type { ViteHost } from './vite-host.ts'
import { MapDecisions } from './vite-maps.ts'
import { Written } from './written.ts'

/** Astro's environment that makes pages during the build, and never ships. */
const PRERENDERER = 'prerender'

/**
 * What the builds under way whose user set nothing about maps would hand down to a build within them, by their root. A framework that builds from
 * within a build (SvelteKit: the client from within the server's) hands the resolved setting down, to another instance of the plugin, to which it
 * would look like the user's own.
 */
const underWay = new Map<string, 'hidden' | false>()

/**
 * Who says that the build is over:
 * - `bundle`: each environment's `closeBundle`. `vite build`, `build()`.
 * - `app`: the end of the app builder, which builds several environments.
 * - a number: the app builder hands over to Vite, which then builds each environment that is left; so many are still to come.
 */
type End = 'bundle' | 'app' | number

/** What one instance of the plugin knows of Vite's builds, and their upload. */
export class ViteSession {
  /** What the user set about maps, where another plugin changes it before the plugin's main part is asked. */
  asked: Pick<BuildEnvironmentOptions, 'sourcemap'> | undefined
  end: End = 'bundle'
  readonly lostMaps = new LostMaps()
  readonly #options: SymupOptions
  readonly #host: ViteHost | undefined
  readonly #written = new Written()
  readonly #leftAlone = new LeftAlone()
  #config!: ResolvedConfig
  #session: Session | undefined
  #openedFor: string | undefined
  #maps: MapDecisions | undefined
  /** Its root in {@link underWay}. */
  #own: string | undefined
  #isInherited = false
  /** The build makes nothing for browsers, and what it makes is left alone. */
  #isLeftAlone = false
  #hasRelativeBase = false
  /** Whether what is built for a server is uploaded, too. */
  #takesServers = false
  #hasNitro3 = false
  #hasAnalog = false
  /** Environments that are being built. */
  readonly #building = new Set<string>()
  #failed = false
  /** Outputs for a server that are only a step. */
  #adapted: BundleOutput[] = []
  /** Directory of what Nitro made of them. */
  #nitros: string | undefined

  constructor(options: SymupOptions, host: ViteHost | undefined) {
    this.#options = options
    this.#host = host
  }

  /** Reads the user's config, before Vite completes it. @returns what is to be changed in it. */
  configure(config: UserConfig): UserConfig | undefined {
    const user = this.asked ? { ...config, build: { ...config.build, ...this.asked } } : config
    const plugins = user.plugins ?? []
    this.#isInherited = inheritorOf(plugins) !== undefined || isMiniProgram()
    if (this.#isInherited) return undefined
    // For a server Vite makes `/` of a relative base, which tells nothing of the client (SvelteKit builds its server first).
    this.#hasRelativeBase = user.base === '' || user.base === './'
    const root = resolve(user.root ?? '')
    const outer = this.#own === undefined ? underWay.get(root) : undefined
    const isHandedDown = outer !== undefined && user.build?.sourcemap === outer
    const given = isHandedDown ? { ...user, build: { ...user.build, sourcemap: undefined } } : user
    this.#maps = new MapDecisions(given, this.#options, this.#host)
    this.#hasNitro3 = nitroOf(plugins) === 3
    this.#hasAnalog = isAnalog(plugins)
    this.#takesServers = serverOf(this.#options) !== undefined || isElectron(plugins)
    this.#isLeftAlone = isServerBuild(user) && !this.#takesServers
    if (given.build?.sourcemap === undefined && !underWay.has(root)) {
      this.#own = root
      underWay.set(root, this.#isLeftAlone ? false : 'hidden')
    }
    return this.#isLeftAlone
      ? undefined
      : { ...(this.asked?.sourcemap && { build: this.asked }), ...this.#maps.config() }
  }

  /** What is to be changed in the config of one environment, which follows the config's `build` where it sets nothing of its own. */
  configureEnvironment(name: string, environment: EnvironmentOptions): EnvironmentOptions | undefined {
    if (consumerOf(name, environment) === 'client' || this.#isInherited || !this.#maps?.leavesAlone(name))
      return undefined
    if (!this.#takesServers && !this.#hasAnalog) return { build: { sourcemap: false } }
    // Nitro sets it by itself, for each part of a server.
    const isOff = this.#hasNitro3 && environment.build?.sourcemap === false
    return isOff ? { build: { sourcemap: 'hidden' } } : undefined
  }

  /** Opens the session when the config is complete, once for each root and base. @throws SymupError where the configuration is unusable. */
  open(config: ResolvedConfig): void {
    this.#config = config
    svelteKitOf(config.plugins)?.beforeAdapter(
      () => this.upload(),
      (server) => this.#uploadAdapted(server),
    )
    const build = `${config.root}\n${config.base}`
    if (this.#openedFor === build) return
    this.#openedFor = build
    this.#session?.abandon()
    const logLevel = () => (this.#host ? this.#host.logLevel() : config.logLevel)
    const log = logTo(this.#options, logLevel)
    const whyNot = this.#whyNot()
    if (whyNot) {
      this.#session = undefined
      whyNot(log)
      return
    }
    const prefix = this.#host ? this.#host.prefix() : prefixOf(config, this.#hasRelativeBase)
    const root = projectOf(config)
    const { lostMaps } = this
    try {
      const context = { bundler: 'vite' as const, root, log, logLevel, prefix, lostMaps }
      this.#session = openSession(this.#options, context)
    } catch (error) {
      this.#release()
      throw error
    }
    if (this.#session && this.#maps && !this.#isLeftAlone) logProblems(log, this.#maps.problems())
  }

  /** Says why the build is none to upload; undefined where it is one. */
  #whyNot(): ((log: ReturnType<typeof logTo>) => void) | undefined {
    const inheritor = inheritorOf(this.#config.plugins)
    if (inheritor !== undefined)
      return (log) => tellOnce(log, t`${inheritor} builds with this config: nothing is uploaded.`)
    if (isMiniProgram())
      return (log) =>
        tellOnce(log, t`This build is a mini program: @symup/mini-program uploads it, and this plugin leaves it alone.`)
    return this.#config.build.watch ? (log) => log(watching()) : undefined
  }

  page(html: string): string {
    return this.#session?.page(html) ?? html
  }

  async start(hook: HookContext): Promise<void> {
    // What it lists for its server has to be without maps by then.
    if (isNitro3(hook, this.#config.plugins)) await this.upload()
    this.#building.add(environmentOf(hook))
    this.#failed = false
  }

  fail(): void {
    this.#failed = true
    this.#session?.abandon()
    this.#building.clear()
    this.#release()
  }

  /** Takes the files that an environment wrote. */
  async wrote(hook: HookContext, dir: string | undefined, bundle: Parameters<Written['add']>[1]): Promise<void> {
    const { plugins } = this.#config
    const directory = this.#directoryOf(dir)
    if (this.#session === undefined) return
    const isServer = runsOnServer(hook, this.#config)
    const isNitros = isNitro3(hook, plugins)
    if (isNitros && this.#takesServers) {
      this.#nitros = directory
      return
    }
    const isPrerenderer = environmentOf(hook) === PRERENDERER
    if (isServer && (serverOf(this.#options) === undefined || isPrerenderer)) {
      const isStep = isPrerenderer || (this.#hasNitro3 && !isNitros) || svelteKitOf(plugins)?.isStatic
      if (!this.#host?.bundlesServer && !isStep) this.#leftAlone.add(directory, projectOf(this.#config))
      return
    }
    const deletes = this.#maps?.of(environmentOf(hook)).deletes ?? false
    this.lostMaps.wrote(directory, bundle)
    const output = this.#written.add(directory, bundle, deletes, isServer)
    this.#session.wrote(this.#written.outputs)
    if (output && writesWorkers(plugins)) output.mapsBefore = new Set(await mapsBelow(directory))
    if (deletes && isWxt(plugins)) forgetMaps(bundle)
  }

  /** @returns whether Nitro's server was closed, which is all that is left to do. */
  async closedNitro(hook: HookContext): Promise<boolean> {
    if (!isNitro3(hook, this.#config.plugins) || this.#nitros === undefined) return false
    await this.#uploadAdapted(this.#nitros, this.#maps?.of(NITRO).deletes)
    return true
  }

  /** Notes that an environment is done. @returns whether Nitro 2 copies next what browsers get. */
  closed(hook: HookContext): boolean {
    this.#building.delete(environmentOf(hook))
    const isLast = this.#hasAnalog ? this.#building.size === 0 : environmentOf(hook) === 'ssr'
    return nitroOf(this.#config.plugins) === 2 && isLast
  }

  /** Uploads what was written since the last time. */
  async upload(): Promise<void> {
    this.end = 'bundle'
    this.#openedFor = undefined
    this.#release()
    const { outputs, onlyDeclarations } = this.#written.take()
    const { plugins } = this.#config
    if (isForge(this.#config)) for (const output of outputs) output.shared = true
    const logLevel = () => (this.#host ? this.#host.logLevel() : this.#config.logLevel)
    const log = logTo(this.#options, logLevel)
    // Astro builds for browsers after its server, and only then it is known whether that was a step to its pages.
    const isStep = this.#host !== undefined && outputs.length === 0
    // A build that is only quiet by itself leaves it to the next one.
    const isSaid = this.#options.logLevel !== undefined || isShown('info', this.#options, logLevel)
    if (!isStep && isSaid) this.#leftAlone.tell(log, outputs)
    if (onlyDeclarations) tellOnce(log, declarationsOnly())
    if (this.#session === undefined || this.#failed) return
    const bundlesServer = svelteKitOf(plugins)?.bundlesServer || this.#hasNitro3
    this.#adapted = bundlesServer ? outputs.filter(({ isServer }) => isServer) : []
    const final = outputs.filter((output) => !this.#adapted.includes(output))
    if (final.length === 0) return this.#session.abandon()
    if (this.#host) this.#host.finish(this.#session, final)
    else await this.#session.finish(final)
  }

  /** What SvelteKit's adapter or Nitro made of the outputs for a server. */
  async #uploadAdapted(server: string, deletes = this.#options.deleteAfterUpload === true): Promise<void> {
    if (this.#session === undefined || this.#failed || !this.#takesServers) return
    const directory = resolve(projectOf(this.#config), server)
    await composeServerMaps(directory)
    await this.#session.finish([
      { ...(await outputBelow(directory, '', deletes)), isServer: true },
      // Their maps were a step to the others.
      ...this.#adapted.map((output) => ({ ...output, files: new Set<string>() })),
    ])
  }

  /** The build is over, or failed. */
  #release(): void {
    if (this.#own !== undefined) underWay.delete(this.#own)
    this.#own = undefined
  }

  #directoryOf(dir: string | undefined): string {
    return resolve(this.#config.root, dir ?? this.#config.build.outDir)
  }
}
