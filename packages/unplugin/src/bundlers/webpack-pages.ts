import type { Compiler } from './webpack-types.ts'

const NAME = 'symup release'
const PAGE = /\.html?(?:\?|$)/

/**
 * Changes the pages that plugins generate (HtmlWebpackPlugin, HtmlRspackPlugin, Rsbuild) before other plugins compress or hash them. Copied
 * pages stay unchanged because they are the user's own. Pages with a hash in their name stay unchanged because the hash would no longer
 * match.
 * @param page returns the new content.
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
