/** A source of webpack's that is one text. */
export class RawSource {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  source() {
    return this.text
  }
}

/** A compiler of webpack's kind with one compilation, whose assets are processed at once; and the options of what was tapped. */
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
