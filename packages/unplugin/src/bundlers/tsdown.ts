import { pluginsIn } from '../plugin-list.ts'

interface TsdownConfig {
  sourcemap?: unknown
}

/** tsdown shows its plugins the config and the command's flags before it fills in `sourcemap: false`. */
export interface TsdownHooks {
  tsdownConfig(user: TsdownConfig, flags: TsdownConfig): void
}

/** Whether `sourcemap: false` is tsdown's own, as its user set nothing. */
export class TsdownSetting {
  #isLeftOut: boolean | undefined

  /** The command has `sourcemap: false` among its flags when nobody gave that flag. */
  read({ sourcemap }: TsdownConfig, flags: TsdownConfig): void {
    this.#isLeftOut = sourcemap === undefined || (sourcemap === false && flags.sourcemap === false && !hasMapFlag())
  }

  /** Older tsdowns do not call `tsdownConfig`. Whether their user set `false` is not known then; the maps are deleted in the end anyhow. */
  guess(plugins: unknown): void {
    if (isTsdown(plugins)) this.#isLeftOut ??= !hasMapFlag()
  }

  /** What the user set of an output's `sourcemap`. */
  own<T>(sourcemap: T): T | undefined {
    return this.#isLeftOut && sourcemap === false ? undefined : sourcemap
  }
}

function hasMapFlag(): boolean {
  return process.argv.some((word) => /^--(?:no-)?sourcemap(?:=|$)/.test(word))
}

function isTsdown(plugins: unknown): boolean {
  return pluginsIn(plugins).some(({ name }) => typeof name === 'string' && name.startsWith('tsdown:'))
}
