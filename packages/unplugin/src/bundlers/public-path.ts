import { encodePrefix, isUsablePrefix, minifiedUrl, nameBelow } from '@symup/core'
import { t } from '@symup/core/text'
import type { BuildPrefix } from '../prefix.ts'

/**
 * A bundler's public path says where the app is deployed, unless it is relative or only known later: a function, or with a placeholder
 * such as `[fullhash]`: then the reason is answered. What browsers encode in addresses is encoded.
 */
export function prefixFrom(publicPath: unknown, from: string): BuildPrefix | undefined {
  if (typeof publicPath === 'function') return { because: t`${from} is a function` }
  if (typeof publicPath !== 'string') return undefined
  if (/\[\w+(?::\w+)*\]/.test(publicPath)) return { because: t`${from} has a placeholder (${quoted(publicPath)})` }
  if (isUsablePrefix(publicPath)) return { value: encodePrefix(publicPath), from }
  const isRelative = publicPath !== 'auto' && !/^(?:\/|[a-z][a-z\d+.-]*:)/i.test(publicPath)
  return { because: isRelative ? t`${from} is relative, ${quoted(publicPath)}` : t`${from} is ${quoted(publicPath)}` }
}

/**
 * A framework takes the files that it made from another place, such as a CDN, than all else, such as service workers, which browsers take only from
 * where the page is.
 * @param assets directory of what it made, below the output directory; slashes around it do not matter.
 * @param base path of the pages.
 */
export function withRest(prefix: BuildPrefix | undefined, assets: string, base: string): BuildPrefix | undefined {
  if (prefix === undefined || 'because' in prefix) return prefix
  const rest = prefixFrom(base, '')
  if (rest === undefined || 'because' in rest) return prefix
  const made = `${assets.replace(/^\/+|\/+$/g, '')}/`
  return { ...prefix, elsewhere: (file) => (file.startsWith(made) ? undefined : rest.value) }
}

/**
 * Directory in which Electron Forge's webpack plugin has a part of an app built, below the project's, as the installed app has it too; undefined where it is
 * not building.
 * @param context directory of the project.
 */
export function forgePlaceOf({ path }: { path?: string }, context: string): string | undefined {
  const place = nameBelow(context, path ?? context)
  return /^\.webpack\/(?:main|renderer)$/.test(place) ? place : undefined
}

/** The public path, unless the page has its own for its first scripts. */
export function webpackPrefix({ output, plugins }: WebpackOptions, context: string): BuildPrefix | undefined {
  const inApp = forgePlaceOf(output, context)
  if (inApp !== undefined) return prefixFrom(`app:///${inApp}`, t`the directory of the Electron app's scripts`)
  const own = prefixFrom(output.publicPath, 'output.publicPath')
  const page = plugins.find((plugin) => plugin?.constructor?.name === 'HtmlWebpackPlugin') as HtmlPlugin | undefined
  const ofPage = page?.userOptions?.publicPath
  if (typeof ofPage !== 'string' || !isUsablePrefix(ofPage)) return own
  if (own === undefined || 'because' in own) return prefixFrom(ofPage, t`HtmlWebpackPlugin's publicPath`)
  const isSame = minifiedUrl(ofPage, '') === minifiedUrl(own.value, '')
  return isSame
    ? own
    : { because: t`HtmlWebpackPlugin's publicPath is not output.publicPath (${ofPage}, ${own.value})` }
}

interface WebpackOptions {
  output: { publicPath?: unknown; path?: string }
  plugins: readonly (object | null | undefined)[]
}

interface HtmlPlugin {
  userOptions?: { publicPath?: unknown }
}

function quoted(text: string): string {
  return `'${text}'`
}
