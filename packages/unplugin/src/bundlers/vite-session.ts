import { resolve } from 'node:path'
import type { BuildEnvironmentOptions, EnvironmentOptions, ResolvedConfig, UserConfig } from 'vite'
import { BuildSession } from '../build-session.ts'
import { frameworksIn } from '../frameworks/detect.ts'
import type { EnvironmentBuild, Framework, ViteHost } from '../frameworks/framework.ts'
import { composeServerMaps, outputBelow } from '../frameworks/output-below.ts'
import type { SymupOptions } from '../options.ts'
import type { BundleOutput } from '../output.ts'
import { serverOf } from '../server.ts'
import { isShown } from '../terminal.ts'
import { declarationsOnly, misplaced, tellOnce, watching } from './messages.ts'
import {
  consumerOf,
  environmentOf,
  type HookContext,
  isServerBuild,
  LeftAlone,
  prefixOf,
  projectOf,
  runsOnServer,
} from './vite-config.ts'
import { MapDecisions } from './vite-maps.ts'
import { Written } from './written.ts'

/** The environment that Astro uses only to render pages during the build and does not deploy. */
const PRERENDERER = 'prerender'

/**
 * The map setting of each running build for which the user did not set one, keyed by root. SvelteKit, for example, starts the client build
 * inside the server build and passes on the resolved setting. Without this record, the resolved setting would look like the user's own.
 */
const underWay = new Map<string, 'hidden' | false>()

interface Plan {
  maps: MapDecisions
  /** The user's map setting. */
  sourcemap: NonNullable<BuildEnvironmentOptions['sourcemap']>
  /** Whether the build has no browser output, in which case nothing is uploaded. */
  isLeftAlone: boolean
  takesServers: boolean
  hasRelativeBase: boolean
  frameworks: readonly Framework[]
}

export class ViteSession {
  readonly build: BuildSession
  /** The user's map setting, read before another plugin changes it. */
  asked: Pick<BuildEnvironmentOptions, 'sourcemap'> | undefined
  readonly #host: ViteHost | undefined
  readonly #written = new Written()
  readonly #leftAlone = new LeftAlone()
  #plan: Plan | undefined
  #config: ResolvedConfig | undefined
  #frameworks: readonly Framework[] = []
  #openedFor: string | undefined
  /** The key of this build in {@link underWay}. */
  #own: string | undefined
  readonly #building = new Map<string, string | undefined>()
  #steps: BundleOutput[] = []
  /**
   * The number of `closeBundle` calls that remain until the upload. The number is 1 for a build without the app builder and infinite while
   * the app builder runs. If the app builder leaves its environments to Vite, it is the number of environments.
   */
  #closesLeft = 1

  constructor(options: SymupOptions, host: ViteHost | undefined) {
    const logLevel = () => (host ? host.logLevel() : this.#config?.logLevel)
    this.build = new BuildSession(options, 'vite', logLevel)
    this.#host = host
  }

  appStarts(): void {
    this.#closesLeft = Infinity
  }

  /** Called if the app builder leaves its environments to Vite. */
  appHandsOver(environments: number): void {
    this.#closesLeft = environments
  }

  /**
   * Reads the user's config before Vite completes it.
   * @returns the changes to the config.
   */
  configure(config: UserConfig): UserConfig | undefined {
    const user = this.asked ? { ...config, build: { ...config.build, ...this.asked } } : config
    const frameworks = frameworksIn(user as Parameters<typeof frameworksIn>[0])
    this.#plan = undefined
    if (frameworks.some(({ ignored }) => ignored)) return undefined
    const root = resolve(user.root ?? '')
    const outer = this.#own === undefined ? underWay.get(root) : undefined
    const isHandedDown = outer !== undefined && user.build?.sourcemap === outer
    const given = isHandedDown ? { ...user, build: { ...user.build, sourcemap: undefined } } : user
    const { options } = this.build
    const takesServers = serverOf(options) !== undefined || frameworks.some(({ shipsServer }) => shipsServer)
    const isLeftAlone = isServerBuild(user) && !takesServers
    const maps = new MapDecisions(given, options, frameworks, this.#host)
    // Read the user's base, because Vite replaces a relative base with `/` in server builds.
    const hasRelativeBase = user.base === '' || user.base === './'
    const sourcemap = given.build?.sourcemap ?? false
    this.#plan = { maps, sourcemap, isLeftAlone, takesServers, hasRelativeBase, frameworks }
    if (given.build?.sourcemap === undefined && !underWay.has(root)) {
      this.#own = root
      underWay.set(root, isLeftAlone ? false : 'hidden')
    }
    return isLeftAlone ? undefined : { ...(this.asked?.sourcemap && { build: this.asked }), ...maps.config() }
  }

  configureEnvironment(name: string, environment: EnvironmentOptions): EnvironmentOptions | undefined {
    const { maps, sourcemap, takesServers, frameworks } = this.#plan ?? {}
    if (consumerOf(name, environment) === 'client' || !maps?.leavesAlone(name)) return undefined
    // Maps that are not uploaded stay as the user set them.
    if (!takesServers && !frameworks?.some(({ needsServerMaps }) => needsServerMaps)) return { build: { sourcemap } }
    const isOff = frameworks?.some(({ setsServerMaps }) => setsServerMaps) && environment.build?.sourcemap === false
    return isOff ? { build: { sourcemap: 'hidden' } } : undefined
  }

  /**
   * Opens the build when the config is complete, once per root and base.
   * @throws SymupError if the configuration is unusable.
   */
  open(config: ResolvedConfig): void {
    if (config.isWorker) {
      this.#release()
      throw misplaced('worker.plugins')
    }
    this.#config = config
    this.#frameworks = frameworksIn(config)
    const uploads = { upload: () => this.upload(), uploadServer: (directory: string) => this.#uploadServer(directory) }
    for (const framework of this.#frameworks) framework.open?.(config, uploads)
    const build = `${config.root}\n${config.base}`
    if (this.#openedFor === build) return
    this.#openedFor = build
    if (this.#isIgnored(config)) return
    const { maps, isLeftAlone = false, hasRelativeBase = false } = this.#plan ?? {}
    const prefix = this.#host ? this.#host.prefix() : prefixOf(config, this.#frameworks, hasRelativeBase)
    try {
      const problems = maps && !isLeftAlone ? maps.problems() : []
      this.build.open({ root: projectOf(config, this.#frameworks), prefix }, problems)
    } catch (error) {
      this.#release()
      throw error
    }
  }

  #isIgnored({ build: { watch } }: ResolvedConfig): boolean {
    const other = this.#frameworks.find(({ ignored }) => ignored)
    if (!other && !watch) return false
    this.build.ignore()
    if (other?.ignored) tellOnce(this.build.log, other.ignored())
    else this.build.log(watching())
    return true
  }

  /** @throws SymupError if Vite has not called the config hooks. */
  requireConfig(): ResolvedConfig {
    if (this.#config === undefined) throw misplaced('build.rollupOptions')
    return this.#config
  }

  async start(hook: HookContext): Promise<void> {
    const environment = environmentOf(hook)
    await this.#each('before', environment)
    this.#building.set(environment, undefined)
    this.build.restart()
  }

  fail(): void {
    this.build.fail()
    this.#building.clear()
    this.#release()
  }

  async wrote(
    hook: HookContext,
    { dir, format }: { dir?: string | undefined; format?: string },
    bundle: Parameters<Written['add']>[1],
  ): Promise<void> {
    const config = this.requireConfig()
    const directory = resolve(config.root, dir ?? config.build.outDir)
    const environment = environmentOf(hook)
    this.#building.set(environment, directory)
    if (this.build.state !== 'open') return
    const { maps, takesServers } = this.#plan ?? {}
    const bundlesIn = this.#frameworks.find((framework) => framework.bundlesIn)?.bundlesIn
    if (environment === bundlesIn && takesServers) return
    const isServer = runsOnServer(hook, config, this.#frameworks)
    if (isServer && (serverOf(this.build.options) === undefined || environment === PRERENDERER)) {
      const isBundled = bundlesIn !== undefined && environment !== bundlesIn
      const isStep = environment === PRERENDERER || isBundled || this.#serverIs('step')
      if (!this.#host?.bundlesServer && !isStep) this.#leftAlone.add(directory, projectOf(config, this.#frameworks))
      return
    }
    const deletes = maps?.of(environment).deletes ?? false
    this.build.lostMaps.wrote(bundle)
    const target = isServer ? 'server' : 'browser'
    const output = this.#written.add(directory, bundle, { deletes, target, ...(format !== undefined && { format }) })
    this.build.wrote(this.#written.outputs)
    if (output) for (const framework of this.#frameworks) await framework.outputs?.(output, bundle)
  }

  async closed(hook: HookContext): Promise<void> {
    const environment = environmentOf(hook)
    const directory = this.#building.get(environment)
    this.#building.delete(environment)
    await this.#each('after', environment, directory)
    this.#closesLeft--
    if (this.#closesLeft === 0) await this.upload()
  }

  async #each(hook: 'before' | 'after', environment: string, directory?: string): Promise<void> {
    const build: EnvironmentBuild = {
      environment,
      directory,
      building: new Set(this.#building.keys()),
      isApp: this.#closesLeft === Infinity,
      upload: () => this.upload(),
      uploadServer: (server) => this.#uploadServer(server, this.#plan?.maps.of(environment).deletes),
    }
    for (const framework of this.#frameworks) await framework[hook]?.(build)
  }

  #serverIs(fate: 'step' | 'bundled'): boolean {
    const config = this.requireConfig()
    return this.#frameworks.some(({ server }) => server?.(config) === fate)
  }

  /** Uploads the files written since the last upload. */
  async upload(): Promise<void> {
    this.#closesLeft = 1
    this.#openedFor = undefined
    this.#release()
    const { outputs, onlyDeclarations } = this.#written.take()
    const { log, logLevel, options } = this.build
    // Astro builds its server first. Only the later browser build shows whether the server was used only to render pages.
    const isStep = this.#host !== undefined && outputs.length === 0
    // If the log level hides the messages now, a later build will log them.
    const isLogged = options.logLevel !== undefined || isShown('info', options, logLevel)
    if (!isStep && isLogged) this.#leftAlone.tell(log, outputs)
    if (onlyDeclarations) tellOnce(log, declarationsOnly())
    if (this.build.state !== 'open') return
    const isStepOf = ({ target }: BundleOutput) => target === 'server' && this.#serverIs('bundled')
    const steps = outputs.filter(isStepOf)
    if (steps.length > 0) this.#steps = steps
    const report = { outputs: outputs.filter((output) => !steps.includes(output)) }
    if (report.outputs.length === 0) return this.build.abandon()
    if (this.#host) this.#host.finish(this.build, report)
    else await this.build.finish(report)
  }

  /** Uploads the server output after SvelteKit's adapter or Nitro has bundled it again. */
  async #uploadServer(server: string, deletes = this.build.options.deleteAfterUpload === true): Promise<void> {
    if (this.build.state !== 'open' || !this.#plan?.takesServers) return
    const directory = resolve(projectOf(this.requireConfig(), this.#frameworks), server)
    await composeServerMaps(directory)
    // Do not upload the intermediate maps of the first server build.
    const steps = this.#steps.splice(0).map((output) => ({ ...output, files: new Set<string>() }))
    await this.build.finish({ outputs: [await outputBelow(directory, { deletes, target: 'server' }), ...steps] })
  }

  #release(): void {
    if (this.#own !== undefined) underWay.delete(this.#own)
    this.#own = undefined
  }
}
