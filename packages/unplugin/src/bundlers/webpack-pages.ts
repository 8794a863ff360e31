import type { Compiler } from './webpack-types.ts'

const NAME = 'symup release'
const PAGE = /\.html?(?:\?|$)/

/**
 * Changes the pages that plugins make (HtmlWebpackPlugin, HtmlRspackPlugin, Rsbuild's), before others compress them or list their hashes. One that was copied is the
 * user's own, and of one whose name has its hash another page would be wanted.
 * @param page what is written in place of a page.
 */
export function changePages(
  { webpack, hooks }: Pick<Compiler, 'webpack' | 'hooks'>,
  page: (html: string) => string,
): void {
  const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE + 1
  hooks.thisCompilation.tap(NAME, (compilation) => {
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
