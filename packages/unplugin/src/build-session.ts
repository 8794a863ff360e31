import type { Line, Problem } from '@symup/core'
import { logProblems } from './bundlers/messages.ts'
import { LostMaps } from './lost-maps.ts'
import type { SymupOptions } from './options.ts'
import type { BuildReport, BundleOutput } from './output.ts'
import { type BuildContext, openSession, type Session } from './session.ts'
import { logTo } from './terminal.ts'

/**
 * Where the builds of one plugin instance are:
 * - `idle`: none has started.
 * - `ignored`: one runs that is not uploaded, such as a watched one.
 * - `open`: one runs whose settings are usable.
 * - `failed`: it failed, so it is not uploaded.
 */
type State = 'idle' | 'ignored' | 'open' | 'failed'

/** The builds of one plugin instance, one after the other: their state, as each bundler's adapter reports it, and their upload. */
export class BuildSession {
  readonly options: SymupOptions
  readonly lostMaps = new LostMaps()
  readonly logLevel: () => unknown
  readonly log: (line: Line) => void
  readonly #bundler: string
  #state: State = 'idle'
  #session: Session | undefined
  readonly #logged = new Set<string>()

  /** @param logLevel of the bundler; asked for at each line. */
  constructor(options: SymupOptions, bundler: string, logLevel: () => unknown = () => undefined) {
    this.options = options
    this.logLevel = logLevel
    this.log = logTo(options, logLevel)
    this.#bundler = bundler
  }

  get state(): State {
    return this.#state
  }

  /** Starts a build that is not uploaded. @param why is logged once for this instance. */
  ignore(why?: Line): void {
    this.abandon()
    this.#state = 'ignored'
    this.#session = undefined
    if (why && !this.#logged.has(why.text)) this.log(why)
    if (why) this.#logged.add(why.text)
  }

  /**
   * Starts a build that is uploaded.
   * @param found problems of the build's own config. Default: none.
   * @throws SymupError when the configuration is unusable.
   */
  open(
    {
      options = this.options,
      ...context
    }: Omit<BuildContext, 'bundler' | 'log' | 'logLevel' | 'lostMaps'> & {
      /** Default: those of the plugin. */
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

  /** The next build of the instance may succeed again. */
  restart(): void {
    if (this.#state === 'failed') this.#state = 'open'
  }

  fail(): void {
    if (this.#state === 'open') this.#state = 'failed'
    this.abandon()
  }

  /** Takes what a build has written so far: its maps are deleted if the process ends before {@link finish} or {@link abandon}. */
  wrote(outputs: readonly BundleOutput[]): void {
    if (this.#state === 'open') this.#session?.wrote(outputs)
  }

  /** Nothing of the build is uploaded. */
  abandon(): void {
    this.#session?.abandon()
  }

  /** A page that the build is about to write, with the release in its head where the options ask for it. */
  page(html: string): string {
    return this.#session?.page(html) ?? html
  }

  /** Uploads what a build wrote, unless the build failed or is ignored. @throws SymupError when the problems fail the build. */
  async finish(report: BuildReport): Promise<void> {
    if (this.#state === 'open') await this.#session?.finish(report)
    else this.abandon()
  }
}
