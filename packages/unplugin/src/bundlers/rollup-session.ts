import { dirname, resolve } from 'node:path'
import type { Problem } from '@symup/core'
import { t } from '@symup/core/text'
import type { MinimalPluginContext, NormalizedInputOptions, OutputBundle, OutputOptions } from 'rollup'
import { BuildSession } from '../build-session.ts'
import { pluginNames } from '../frameworks/framework.ts'
import { decideMaps, rollupMapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { finishWhenIdle } from '../unclosed.ts'
import { declarationsOnly, logProblems, misplaced, tellOnce, watching } from './messages.ts'
import { Written } from './written.ts'

interface TsdownConfig {
  sourcemap?: unknown
}

/** tsdown calls `tsdownConfig` with the config and the command-line flags before it sets `sourcemap` to `false` by default. */
export interface TsdownHooks {
  tsdownConfig(user: TsdownConfig, flags: TsdownConfig): void
}

class TsdownSetting {
  #isLeftOut: boolean | undefined

  /** tsdown's parsed flags contain `sourcemap: false` even if the user did not pass the flag. */
  read({ sourcemap }: TsdownConfig, flags: TsdownConfig): void {
    this.#isLeftOut = sourcemap === undefined || (sourcemap === false && flags.sourcemap === false && !hasMapFlag())
  }

  /**
   * Infers from the command-line flags whether the user disabled source maps, because tsdown versions before 0.21 do not call
   * `tsdownConfig`.
   */
  guess(plugins: unknown): void {
    if (pluginNames(plugins).some((name) => name.startsWith('tsdown:'))) this.#isLeftOut ??= !hasMapFlag()
  }

  own<T>(sourcemap: T): T | undefined {
    return this.#isLeftOut && sourcemap === false ? undefined : sourcemap
  }
}

function hasMapFlag(): boolean {
  return process.argv.some((word) => /^--(?:no-)?sourcemap(?:=|$)/.test(word))
}

/**
 * rollup-plugin-dts turns the output of its build into type declarations. If source maps were turned on, the plugin would also generate an
 * unwanted map.
 */
const DECLARATIONS_PLUGIN = 'dts'

type Place = Pick<OutputOptions, 'dir' | 'file' | 'format'>

/**
 * Manages the builds of one plugin instance, and their uploads. A build is one `rollup()` call, and its outputs are uploaded together when
 * the bundle is closed. The bundler's own command-line interface closes the bundle. If a caller of the JavaScript API does not call
 * `bundle.close()`, the upload runs when the process ends.
 */
export class RollupSession {
  readonly tsdown = new TsdownSetting()
  readonly build: BuildSession
  readonly #bundler: 'rollup' | 'rolldown'
  readonly #root = process.cwd()
  readonly #written = new Written()
  readonly #kept = new Set<string>()
  /**
   * Problems with the map settings. They are stored because Rolldown requests the output options before the build starts, whereas Rollup
   * requests them afterwards.
   */
  readonly #mapProblems: Problem[] = []
  /** The number of open builds. tsdown builds all its formats concurrently with one plugin instance. */
  #underWay = 0
  #makesDeclarations = false
  #level: unknown
  #callOff = () => {}

  constructor(options: SymupOptions, bundler: 'rollup' | 'rolldown') {
    this.build = new BuildSession(options, bundler, () => this.#level)
    this.#bundler = bundler
  }

  start({ meta }: MinimalPluginContext, { logLevel: level, plugins }: NormalizedInputOptions): void {
    this.#level = level
    this.#makesDeclarations = this.#bundler === 'rollup' && plugins.some(({ name }) => name === DECLARATIONS_PLUGIN)
    if (this.#makesDeclarations) {
      this.build.ignore()
      tellOnce(this.build.log, declarationsOnly())
    } else if (meta.watchMode) this.build.ignore(watching())
    else {
      this.build.open({ root: this.#root })
      this.#underWay++
    }
  }

  /**
   * Decides what happens to an output's maps.
   * @returns the changed options, or null if nothing changes.
   */
  configureOutput(output: OutputOptions): OutputOptions | null {
    if (this.#makesDeclarations) return null
    const sourcemap = this.tsdown.own(output.sourcemap)
    const now = t`output.sourcemap is ${sourcemap}`
    const labels = { now, hidden: "output.sourcemap: 'hidden'" }
    const decision = decideMaps(rollupMapSetting(sourcemap), this.build.options.deleteAfterUpload, labels)
    this.#mapProblems.push(...decision.problems)
    if (!decision.deletes) this.#kept.add(this.#placeOf(output))
    return decision.hide ? { ...output, sourcemap: 'hidden' } : null
  }

  /**
   * Reports problems with the map settings.
   * @throws SymupError if the plugin is in `output.plugins`. Rollup does not call the start and end hooks of such plugins.
   */
  startOutput(): void {
    if (this.build.state === 'idle') throw misplaced('output.plugins')
    const problems = this.#mapProblems.splice(0)
    if (this.build.state === 'open') logProblems(this.build.log, problems)
  }

  wrote(output: Place, bundle: OutputBundle): void {
    if (this.build.state !== 'open') return
    const { dir, file = '', format } = output
    const directory = resolve(this.#root, dir ?? dirname(file))
    this.build.lostMaps.wrote(bundle)
    const deletes = !this.#kept.has(this.#placeOf(output))
    this.#written.add(directory, bundle, { deletes, ...(format !== undefined && { format }) })
    this.build.wrote(this.#written.outputs)
    this.#callOff()
    this.#callOff = finishWhenIdle({
      finish: () => this.#upload(),
      log: this.build.log,
      tooEarly: t`The bundle was not closed, so nothing is uploaded. Call bundle.close() after bundle.write().`,
    })
  }

  async close(): Promise<void> {
    this.#callOff()
    this.#underWay = Math.max(0, this.#underWay - 1)
    await this.#upload()
  }

  async #upload(): Promise<void> {
    const { onlyDeclarations, ...report } = this.#written.take()
    if (this.#underWay === 0) this.#kept.clear()
    if (onlyDeclarations) tellOnce(this.build.log, declarationsOnly())
    if (report.outputs.length > 0) await this.build.finish(report)
    else this.build.abandon()
  }

  /** Returns the directory of an output, which serves as its key. Outputs in the same directory share the decision about maps. */
  #placeOf({ dir, file }: Place): string {
    return resolve(this.#root, dir ?? file ?? '')
  }
}
