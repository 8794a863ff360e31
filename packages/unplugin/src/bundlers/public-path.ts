import { encodePrefix, isUsablePrefix, minifiedUrl, nameBelow } from '@symup/core'
import { t } from '@symup/core/text'
import type { BuildPrefix } from '../prefix.ts'
import { nameOf } from './webpack-devtool.ts'

/**
 * Returns the bundler's public path as the prefix, encoded as in browsers. If the path is a function, is relative, or contains a
 * placeholder such as `[fullhash]`, returns the reason why it is unusable.
 */
export function prefixFrom(publicPath: unknown, from: string): BuildPrefix | undefined {
  if (typeof publicPath === 'function') return { because: t`${from} is a function` }
  if (typeof publicPath !== 'string') return undefined
  if (/\[\w+(?::\w+)*\]/.test(publicPath)) return { because: t`${from} contains a placeholder (${quoted(publicPath)})` }
  if (isUsablePrefix(publicPath)) return { value: encodePrefix(publicPath), from }
  const isRelative = publicPath !== 'auto' && !/^(?:\/|[a-z][a-z\d+.-]*:)/i.test(publicPath)
  return { because: isRelative ? t`${from} is relative (${quoted(publicPath)})` : t`${from} is ${quoted(publicPath)}` }
}

/**
 * Splits a prefix for frameworks that load their own assets from another address, such as a CDN. Other files, such as service workers, must
 * be on the page's origin.
 * @param assets the directory of the framework's assets below the output directory, with or without surrounding slashes.
 * @param base the path of the pages.
 */
export function withRest(prefix: BuildPrefix | undefined, assets: string, base: string): BuildPrefix | undefined {
  if (prefix === undefined || 'because' in prefix) return prefix
  const rest = prefixFrom(base, '')
  if (rest === undefined || 'because' in rest) return prefix
  const made = `${assets.replace(/^\/+|\/+$/g, '')}/`
  return { ...prefix, exceptionFor: (file) => (file.startsWith(made) ? undefined : rest.value) }
}

/**
 * Returns the output directory of an Electron Forge webpack build, or undefined for other builds. The path relative to the project is the
 * same as the path relative to the installed app.
 * @param context the project directory.
 */
export function forgePlaceOf({ path }: { path?: string }, context: string): string | undefined {
  const place = nameBelow(context, path ?? context)
  return /^\.webpack\/(?:main|renderer)$/.test(place) ? place : undefined
}

/** Returns the public path, unless the page loads its initial scripts from another path. */
export function webpackPrefix({ output, plugins }: WebpackOptions, context: string): BuildPrefix | undefined {
  const inApp = forgePlaceOf(output, context)
  if (inApp !== undefined) return prefixFrom(`app:///${inApp}`, t`the directory with the Electron app's scripts`)
  const own = prefixFrom(output.publicPath, 'output.publicPath')
  const page = plugins.find((plugin) => nameOf(plugin) === 'HtmlWebpackPlugin') as HtmlPlugin | undefined
  const ofPage = page?.userOptions?.publicPath
  if (typeof ofPage !== 'string' || !isUsablePrefix(ofPage)) return own
  if (own === undefined || 'because' in own) return prefixFrom(ofPage, t`HtmlWebpackPlugin's publicPath`)
  const isSame = minifiedUrl(ofPage, '') === minifiedUrl(own.value, '')
  return isSame
    ? own
    : { because: t`HtmlWebpackPlugin's publicPath differs from output.publicPath (${ofPage}, ${own.value})` }
}

interface WebpackOptions {
  output: { publicPath?: unknown; path?: string }
  plugins: readonly unknown[]
}

interface HtmlPlugin {
  userOptions?: { publicPath?: unknown }
}

function quoted(text: string): string {
  return `'${text}'`
}
