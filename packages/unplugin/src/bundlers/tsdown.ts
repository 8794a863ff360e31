interface TsdownConfig {
  sourcemap?: unknown
}

/** tsdown shows its plugins the config and the command's flags before it fills in `sourcemap: false`. */
export interface TsdownHooks {
  tsdownConfig(user: TsdownConfig, flags: TsdownConfig): void
}

export class TsdownSetting {
  #isLeftOut: boolean | undefined

  /** The command has `sourcemap: false` among its flags when nobody gave that flag. */
  read({ sourcemap }: TsdownConfig, flags: TsdownConfig): void {
    this.#isLeftOut = sourcemap === undefined || (sourcemap === false && flags.sourcemap === false && !hasMapFlag())
  }

  /** tsdown before 0.21 does not call `tsdownConfig`. Whether its user set `false` is not known then; the maps are deleted in the end anyhow. */
  guess(plugins: unknown): void {
    if (isTsdown(plugins)) this.#isLeftOut ??= !hasMapFlag()
  }

  own<T>(sourcemap: T): T | undefined {
    return this.#isLeftOut && sourcemap === false ? undefined : sourcemap
  }
}

function isTsdown(plugins: unknown): boolean {
  return [plugins].flat(Number.POSITIVE_INFINITY).some((plugin) => {
    const name: unknown = (plugin as { name?: unknown } | null | undefined)?.name
    return typeof name === 'string' && name.startsWith('tsdown:')
  })
}

function hasMapFlag(): boolean {
  return process.argv.some((word) => /^--(?:no-)?sourcemap(?:=|$)/.test(word))
}
