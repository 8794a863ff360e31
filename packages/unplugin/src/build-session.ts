import type { Line, Problem } from '@symup/core'
import { logProblems } from './bundlers/messages.ts'
import { LostMaps } from './lost-maps.ts'
import type { SymupOptions } from './options.ts'
import type { BuildReport, BundleOutput } from './output.ts'
import { type BuildContext, openSession, type Session } from './session.ts'
import { logTo } from './terminal.ts'

/**
 * The state of a plugin instance.
 * - `idle`: No build has started.
 * - `ignored`: The current build is not uploaded, for example in watch mode.
 * - `open`: A build is running and its settings are usable.
 * - `failed`: The build failed, so nothing is uploaded.
 */
type State = 'idle' | 'ignored' | 'open' | 'failed'

/**
 * Manages the consecutive builds of one plugin instance, and their uploads. Each bundler's adapter reports the progress of its builds here.
 */
export class BuildSession {
  readonly options: SymupOptions
  readonly lostMaps = new LostMaps()
  readonly logLevel: () => unknown
  readonly log: (line: Line) => void
  readonly #bundler: string
  #state: State = 'idle'
  #session: Session | undefined
  readonly #logged = new Set<string>()

  /** @param logLevel returns the bundler's current log level. */
  constructor(options: SymupOptions, bundler: string, logLevel: () => unknown = () => undefined) {
    this.options = options
    this.logLevel = logLevel
    this.log = logTo(options, logLevel)
    this.#bundler = bundler
  }

  get state(): State {
    return this.#state
  }

  /**
   * Starts a build that is not uploaded.
   * @param why the reason, which is logged only once per plugin instance.
   */
  ignore(why?: Line): void {
    this.abandon()
    this.#state = 'ignored'
    this.#session = undefined
    if (why && !this.#logged.has(why.text)) this.log(why)
    if (why) this.#logged.add(why.text)
  }

  /**
   * Starts a build that is uploaded.
   * @param found problems in the build's own config. Default: none.
   * @throws SymupError if the configuration is unusable.
   */
  open(
    {
      options = this.options,
      ...context
    }: Omit<BuildContext, 'bundler' | 'log' | 'logLevel' | 'lostMaps'> & {
      /** @default the plugin's options */
      options?: SymupOptions
    },
    found: readonly Problem[] = [],
  ): void {
    this.abandon()
    this.#state = 'idle'
    const { log, logLevel, lostMaps } = this
    this.#session = openSession(options, { bundler: this.#bundler, log, logLevel, lostMaps, ...context })
    this.#state = 'open'
    logProblems(log, found)
  }

  /** Resets the state after a failed build, because the next build of the same instance may succeed. */
  restart(): void {
    if (this.#state === 'failed') this.#state = 'open'
  }

  fail(): void {
    if (this.#state === 'open') this.#state = 'failed'
    this.abandon()
  }

  /**
   * Records the files that a build has written so far. If the process ends before {@link finish} or {@link abandon}, their maps are
   * deleted.
   */
  wrote(outputs: readonly BundleOutput[]): void {
    if (this.#state === 'open') this.#session?.wrote(outputs)
  }

  abandon(): void {
    this.#session?.abandon()
  }

  /** Adds the release to the head of a page that the build is about to write, if the option is enabled. */
  page(html: string): string {
    return this.#session?.page(html) ?? html
  }

  /**
   * Uploads the output of a build, unless the build failed or is ignored.
   * @throws SymupError if the problems fail the build.
   */
  async finish(report: BuildReport): Promise<void> {
    if (this.#state === 'open') await this.#session?.finish(report)
    else this.abandon()
  }
}
