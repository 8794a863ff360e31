import { t } from '@symup/core/text'
import type { Asset, Compilation, Compiler, Stats } from 'webpack'
import { BuildSession } from '../build-session.ts'
import type { MapDecision } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import type { BundleOutput } from '../output.ts'
import { settle } from './compiler-group.ts'
import { mapsOf, NEXT_DEPLOYED, nextSideOf, placeOf, settingsOf } from './webpack-config.ts'
import { fileOf, findEmptyMaps, keptInMemory, outputOfCompilation, writesToMemory } from './webpack-output.ts'

type FileSource = readonly [file: string, source: Asset['source']]

/** Tests whether a plugin replaces files with compressed copies, as compression-webpack-plugin can. */
function removesOriginals({ options }: Compiler): boolean {
  return options.plugins.some(
    (it) => (it as { options?: { deleteOriginalAssets?: unknown } } | null)?.options?.deleteOriginalAssets,
  )
}

export type WebpackLike = 'webpack' | 'rspack' | 'rsbuild'

export interface Framework {
  /** The user's log level, if the compiler uses a different one. */
  logLevel?: () => unknown
  /** Replaces the decision about maps if the user's setting is in the framework's config instead of `devtool`. */
  maps?: MapDecision | undefined
}

export class WebpackSession {
  readonly build: BuildSession
  readonly maps: MapDecision
  readonly #compiler: Compiler
  readonly #deployed: typeof NEXT_DEPLOYED | undefined
  #inMemory: BundleOutput | undefined
  #stats: Stats | undefined
  #maps: FileSource[] = []
  #removed: FileSource[] = []

  constructor(compiler: Compiler, options: SymupOptions, bundler: WebpackLike, framework: Framework) {
    this.#compiler = compiler
    this.build = buildOf(compiler, options, bundler, framework)
    this.#deployed = nextSideOf(compiler.options) === 'client' ? NEXT_DEPLOYED : undefined
    this.maps = framework.maps ?? mapsOf(compiler, options.deleteAfterUpload)
  }

  start(): void {
    this.#inMemory = undefined
    this.#stats = undefined
    this.#maps = []
    this.#removed = []
    if (!isRelease(this.#compiler)) {
      this.build.ignore({ severity: 'info', text: t`Nothing is uploaded in development mode.` })
      return
    }
    const { problems } = this.maps
    const context = {
      repeatAtEnd: (line: string) => void this.#stats?.compilation.warnings.push(new Error(`[symup] ${line}`)),
      makesMaps: problems.every(({ code }) => code !== 'sourcemaps-off'),
      ...settingsOf(this.#compiler, this.build.options),
    }
    this.build.open(context, problems)
  }

  /** Saves the maps that a compression plugin is about to remove. */
  beforeTransfer(compilation: Compilation): void {
    if (this.build.state !== 'open' || !removesOriginals(this.#compiler)) return
    const maps = compilation.getAssets().filter(({ name }) => name.endsWith('.map'))
    this.#maps = maps.map(({ name, source }) => [fileOf(name), source])
  }

  async emit(compilation: Compilation): Promise<void> {
    if (this.build.state !== 'open') return
    findEmptyMaps(compilation, this.#compiler.webpack.sources, this.build.lostMaps)
    const output = this.#outputOf(compilation)
    this.#removed = this.#maps.filter(([file]) => !output.files.has(file))
    this.#maps = []
    if (await writesToMemory(this.#compiler)) this.#inMemory = keptInMemory(compilation, output)
    else this.build.wrote([output])
  }

  async done(stats: Stats): Promise<void> {
    const compiler = this.#compiler
    const { build } = this
    this.#stats = stats
    if (stats.hasErrors()) return this.#fail()
    if (build.state !== 'open') return settle(compiler, 'nothing')
    const recovered = new Map(this.#removed.map(([file, source]) => [file, Buffer.from(source.source())]))
    const output = { ...(this.#inMemory ?? this.#outputOf(stats.compilation)), recovered }
    const settings = settingsOf(compiler, build.options)
    await settle(compiler, {
      ...{ output, settings, lostMaps: build.lostMaps },
      finish: (report) => build.finish(report),
      abandon: () => build.abandon(),
    })
  }

  /** Handles compiler errors that occurred before or during {@link done}. */
  async failed(): Promise<void> {
    if (this.#stats === undefined) await this.#fail()
  }

  #fail(): Promise<void> {
    this.build.abandon()
    return settle(this.#compiler, 'failed')
  }

  #outputOf(compilation: Compilation): BundleOutput {
    const { target } = placeOf(this.#compiler, this.build.options)
    const output = outputOfCompilation(compilation, this.#compiler.outputPath, this.maps.deletes, this.#deployed)
    return { ...output, target }
  }
}

export function isRelease({ options }: Compiler): boolean {
  return options.mode !== 'development'
}

export function buildOf(
  { options: own }: Compiler,
  options: SymupOptions,
  bundler: WebpackLike,
  { logLevel = () => own.infrastructureLogging?.level }: Framework,
): BuildSession {
  return new BuildSession(options, bundler, logLevel)
}
