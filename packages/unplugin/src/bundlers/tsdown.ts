interface TsdownConfig {
  sourcemap?: unknown
}

/** tsdown passes plugins the config and the command's flags before it fills in `sourcemap: false`. */
export interface TsdownHooks {
  tsdownConfig(user: TsdownConfig, flags: TsdownConfig): void
}

export class TsdownSetting {
  #isLeftOut: boolean | undefined

  /** The command's flags contain `sourcemap: false` even if the user did not pass the flag. */
  read({ sourcemap }: TsdownConfig, flags: TsdownConfig): void {
    this.#isLeftOut = sourcemap === undefined || (sourcemap === false && flags.sourcemap === false && !hasMapFlag())
  }

  /**
   * tsdown before 0.21 does not call `tsdownConfig`. It is then unknown whether the user set `false`; the maps are deleted at the end in
   * any case.
   */
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
