import { dirname, resolve } from 'node:path'
import { type Problem, t } from '@symup/core/internal'
import type { MinimalPluginContext, NormalizedInputOptions, OutputBundle, OutputOptions } from 'rollup'
import { LostMaps } from '../lost-maps.ts'
import { decideMaps, rollupMapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { openSession, type Session } from '../session.ts'
import { logTo } from '../terminal.ts'
import { finishWhenIdle } from '../unclosed.ts'
import { declarationsOnly, logProblems, tellOnce, watching } from './messages.ts'
import { TsdownSetting } from './tsdown.ts'
import { Written } from './written.ts'

/** rollup-plugin-dts makes a type declaration of everything in its build, and of a source map that is asked for a map that nobody wants. */
const DECLARATIONS_PLUGIN = 'dts'

type Place = Pick<OutputOptions, 'dir' | 'file'>

/**
 * What one instance of the plugin knows of its builds, and their upload. A build is one `rollup()`: its outputs are uploaded together when the
 * bundle is closed. (The command does that; whoever calls the JavaScript API has to call `bundle.close()`, else it is the process's end.)
 */
export class RollupSession {
  readonly tsdown = new TsdownSetting()
  readonly lostMaps = new LostMaps()
  readonly #options: SymupOptions
  readonly #bundler: 'rollup' | 'rolldown'
  readonly #root = process.cwd()
  readonly #written = new Written()
  /** Places of the outputs whose maps stay. */
  readonly #kept = new Set<string>()
  /** The message about the maps. Rolldown asks for the output options first, Rollup starts the build first. */
  readonly #unsaid: Problem[] = []
  #session: Session | undefined
  /** Builds that are not closed: tsdown builds all its formats at once, with one instance. */
  #underWay = 0
  #failed = false
  #saidWatching = false
  #makesDeclarations = false
  #level: unknown
  readonly #logLevel = () => this.#level
  readonly #log: ReturnType<typeof logTo>
  /** Calls off the upload at the process's end. */
  #callOff = () => {}

  constructor(options: SymupOptions, bundler: 'rollup' | 'rolldown') {
    this.#options = options
    this.#bundler = bundler
    this.#log = logTo(options, this.#logLevel)
  }

  start({ meta }: MinimalPluginContext, { logLevel: level, plugins }: NormalizedInputOptions): void {
    this.#failed = false
    this.#level = level
    this.#session?.abandon()
    this.#session = undefined
    this.#makesDeclarations = this.#bundler === 'rollup' && plugins.some(({ name }) => name === DECLARATIONS_PLUGIN)
    if (this.#makesDeclarations) {
      tellOnce(this.#log, declarationsOnly())
      return
    }
    if (meta.watchMode) {
      if (!this.#saidWatching) this.#log(watching())
      this.#saidWatching = true
      return
    }
    this.#session = openSession(this.#options, {
      bundler: this.#bundler,
      root: this.#root,
      log: this.#log,
      logLevel: this.#logLevel,
      lostMaps: this.lostMaps,
    })
    this.#underWay++
  }

  /** Decides about the maps of an output. @returns its options where they change. */
  configureOutput(output: OutputOptions): OutputOptions | null {
    if (this.#makesDeclarations) return null
    const sourcemap = this.tsdown.own(output.sourcemap)
    const now = t`output.sourcemap is ${sourcemap}`
    const words = { now, hidden: "output.sourcemap: 'hidden'" }
    const decision = decideMaps(rollupMapSetting(sourcemap), this.#options.deleteAfterUpload, words)
    this.#unsaid.push(...decision.problems)
    if (!decision.deletes) this.#kept.add(this.#placeOf(output))
    return decision.hide ? { ...output, sourcemap: 'hidden' } : null
  }

  /** Says what was decided about the maps. */
  tellMaps(): void {
    const problems = this.#unsaid.splice(0)
    if (this.#session) logProblems(this.#log, problems)
  }

  fail(): void {
    this.#failed = true
    this.#session?.abandon()
  }

  wrote(output: Place, bundle: OutputBundle): void {
    const directory = this.#directoryOf(output)
    const session = this.#session
    if (!session) return
    this.lostMaps.wrote(directory, bundle)
    this.#written.add(directory, bundle, !this.#kept.has(this.#placeOf(output)))
    session.wrote(this.#written.outputs)
    this.#callOff()
    this.#callOff = finishWhenIdle({
      finish: () => this.#upload(session),
      log: this.#log,
      tooEarly: t`The bundle was not closed, so nothing is uploaded: call close() of it after write().`,
    })
  }

  async close(): Promise<void> {
    this.#callOff()
    this.#underWay = Math.max(0, this.#underWay - 1)
    await this.#upload(this.#session)
  }

  async #upload(session: Session | undefined): Promise<void> {
    const { outputs, onlyDeclarations } = this.#written.take()
    if (this.#session !== session) this.#session?.abandon()
    if (this.#underWay === 0) this.#kept.clear()
    if (onlyDeclarations) tellOnce(this.#log, declarationsOnly())
    if (session && !this.#failed && outputs.length > 0) await session.finish(outputs)
    else session?.abandon()
  }

  #directoryOf({ dir, file = '' }: Place): string {
    return resolve(this.#root, dir ?? dirname(file))
  }

  /** The outputs of a build are told apart by where they are written; two that share a directory share the decision to keep. */
  #placeOf({ dir, file }: Place): string {
    return resolve(this.#root, dir ?? file ?? '')
  }
}
