/** webpack's source class for a single text. */
export class RawSource {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  source() {
    return this.text
  }
}

/** A minimal webpack compiler with one compilation whose assets are processed at once. Also returns the options of the tapped hooks. */
export function compilerWith(webpack: object, compilation: object) {
  const tapped: object[] = []
  const processAssets = {
    tap(options: object, handler: () => void) {
      tapped.push(options)
      handler()
    },
  }
  const made = { ...compilation, hooks: { processAssets } }
  const thisCompilation = { tap: (_: string, handler: (it: unknown) => void) => handler(made) }
  return { tapped, compiler: { webpack, hooks: { thisCompilation } } as unknown }
}
