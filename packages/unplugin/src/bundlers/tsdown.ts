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

  own<T>(sourcemap: T): T | undefined {
    return this.#isLeftOut && sourcemap === false ? undefined : sourcemap
  }
}

function hasMapFlag(): boolean {
  return process.argv.some((word) => /^--(?:no-)?sourcemap(?:=|$)/.test(word))
}
