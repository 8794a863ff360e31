interface Source {
  source(): string | Buffer
}

/** The part of webpack 5 and Rspack that is used here. */
export interface PagesCompiler {
  webpack: {
    sources: { RawSource: new (text: string) => Source }
    Compilation: { PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE: number }
  }
  hooks: { thisCompilation: { tap(name: string, handler: (compilation: unknown) => void): void } }
}

interface Compilation {
  getAssets(): readonly { name: string; source: Source; info: { copied?: boolean; immutable?: boolean } }[]
  updateAsset(name: string, source: Source): void
  hooks: { processAssets: { tap(options: { name: string; stage: number }, handler: () => void): void } }
}

const NAME = 'symup release'
const PAGE = /\.html?(?:\?|$)/

/**
 * Changes the pages that plugins make (HtmlWebpackPlugin, HtmlRspackPlugin, Rsbuild's), before others compress them or list their hashes. One that was copied is the
 * user's own, and of one whose name has its hash another page would be wanted.
 * @param page what is written in place of a page.
 */
export function changePages({ webpack, hooks }: PagesCompiler, page: (html: string) => string): void {
  const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE + 1
  hooks.thisCompilation.tap(NAME, (given) => {
    const compilation = given as Compilation
    compilation.hooks.processAssets.tap({ name: NAME, stage }, () => {
      for (const { name, source, info } of compilation.getAssets()) {
        if (!PAGE.test(name) || info.copied || info.immutable) continue
        const html = String(source.source())
        const changed = page(html)
        if (changed !== html) compilation.updateAsset(name, new webpack.sources.RawSource(changed))
      }
    })
  })
}
