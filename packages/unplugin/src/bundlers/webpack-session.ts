import { t } from '@symup/core/internal'
import { LostMaps } from '../lost-maps.ts'
import type { MapDecision } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { type BundleOutput, openSession, type Session } from '../session.ts'
import { logTo } from '../terminal.ts'
import { settle } from './compiler-group.ts'
import { logProblems, watching } from './messages.ts'
import { NEXT_DEPLOYED, nextSideOf } from './next.ts'
import { type Compiler, mapsOf, placeOf, type Stats, settingsOf } from './webpack-config.ts'
import { type Emitted, keptInMemory, writesToMemory } from './webpack-memory.ts'
import { type Built, findEmptyMaps } from './webpack-modules.ts'
import { type Compilation, fileOf, outputOf } from './webpack-output.ts'

type Source = ReturnType<Emitted['getAssets']>[number]['source']

/** Whether a plugin puts compressed copies in the place of files, as compression-webpack-plugin does when it is told to. */
function removesOriginals({ options }: Compiler): boolean {
  const plugins: readonly unknown[] = (options as { plugins?: readonly unknown[] }).plugins ?? []
  return plugins.some(
    (it) => (it as { options?: { deleteOriginalAssets?: unknown } } | null)?.options?.deleteOriginalAssets,
  )
}

export type WebpackLike = 'webpack' | 'rspack' | 'rsbuild'

/** What a framework above the compiler knows better. */
export interface Framework {
  /** Its own log level, where the compiler's is not the one that the user set. */
  logLevel?: () => unknown
  /** What becomes of the maps, where the framework's config and not `devtool` holds the user's setting. */
  maps?: MapDecision | undefined
}

/** The log level that the user set. */
export function logLevelOf({ options }: Compiler, { logLevel }: Framework): () => unknown {
  return logLevel ?? (() => options.infrastructureLogging?.level)
}

/** What the plugin knows of the builds of one compiler, and their upload. */
export class WebpackSession {
  /** Development builds are not released. */
  readonly isRelease: boolean
  readonly maps: MapDecision
  readonly lostMaps = new LostMaps()
  readonly log: ReturnType<typeof logTo>
  readonly #compiler: Compiler
  readonly #options: SymupOptions
  readonly #bundler: WebpackLike
  readonly #logLevel: () => unknown
  readonly #deployed: typeof NEXT_DEPLOYED | undefined
  #session: Session | undefined
  #saidWatching = false
  #inMemory: BundleOutput | undefined
  #stats: Stats | undefined
  #maps: [file: string, source: Source][] = []
  /** Those of them that another plugin removed. */
  #removed: [file: string, source: Source][] = []

  constructor(compiler: Compiler, options: SymupOptions, bundler: WebpackLike, framework: Framework) {
    this.#compiler = compiler
    this.#options = options
    this.#bundler = bundler
    this.#logLevel = logLevelOf(compiler, framework)
    this.log = logTo(options, this.#logLevel)
    this.isRelease = compiler.options.mode !== 'development'
    this.#deployed = nextSideOf(compiler.options) === 'client' ? NEXT_DEPLOYED : undefined
    this.maps = framework.maps ?? mapsOf(compiler, options.deleteAfterUpload)
  }

  page(html: string): string {
    return this.#session?.page(html) ?? html
  }

  start(): void {
    this.#session?.abandon()
    this.#session = undefined
    this.#inMemory = undefined
    this.#maps = []
    this.#removed = []
    if (!this.isRelease) {
      this.log({ severity: 'info', text: t`The mode is development: nothing is uploaded.` })
      return
    }
    const { options, ...more } = settingsOf(this.#compiler, this.#options)
    this.#session = openSession(options, {
      bundler: this.#bundler,
      log: this.log,
      logLevel: this.#logLevel,
      lostMaps: this.lostMaps,
      repeatAtEnd: (line) => this.#stats?.compilation.warnings.push(new Error(`[symup] ${line}`)),
      makesMaps: this.maps.problems.every(({ code }) => code !== 'sourcemaps-off'),
      ...more,
    })
    logProblems(this.log, this.maps.problems)
  }

  startWatching(): void {
    this.#session = undefined
    if (!this.#saidWatching) this.log(watching())
    this.#saidWatching = true
  }

  /** Keeps the maps that a compression plugin is about to remove along with their scripts. */
  beforeTransfer(compilation: Emitted): void {
    if (!this.#session || !removesOriginals(this.#compiler)) return
    const maps = compilation.getAssets().filter(({ name }) => name.endsWith('.map'))
    this.#maps = maps.map(({ name, source }) => [fileOf(name), source])
  }

  /** Looks at what was built, and keeps what is about to be written where that is not to the disk. */
  async emit(compilation: Compilation & Emitted & Built): Promise<void> {
    if (!this.#session) return
    findEmptyMaps(compilation, this.#compiler, this.lostMaps)
    const output = this.#outputOf(compilation)
    this.#removed = this.#maps.filter(([file]) => !output.files.has(file))
    this.#maps = []
    if (await writesToMemory(this.#compiler)) this.#inMemory = keptInMemory(compilation, output)
    else this.#session.wrote([{ ...output, ...this.#place }])
  }

  /** The build ended without `done`. */
  fail(): void {
    this.#session?.abandon()
  }

  async done(stats: Stats): Promise<void> {
    const compiler = this.#compiler
    this.#stats = stats
    if (stats.hasErrors()) {
      this.#session?.abandon()
      return settle(compiler, 'failed')
    }
    if (this.#session === undefined) return settle(compiler, 'nothing')
    const recovered = new Map(this.#removed.map(([file, source]) => [file, Buffer.from(source.source())]))
    const output = { ...(this.#inMemory ?? this.#outputOf(stats.compilation)), ...this.#place, recovered }
    const settings = settingsOf(compiler, this.#options)
    const { finish, abandon } = this.#session
    await settle(compiler, { output, settings, lostMaps: this.lostMaps, finish, abandon })
  }

  get #place() {
    return { isServer: placeOf(this.#compiler, this.#options).isServer }
  }

  #outputOf(compilation: Compilation): BundleOutput {
    return outputOf(compilation, this.#compiler.outputPath, this.maps.deletes, this.#deployed)
  }
}
