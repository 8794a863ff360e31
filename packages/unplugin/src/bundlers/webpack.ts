import { t } from '@symup/core/text'
import type { Compiler } from 'webpack'
import { injectDebugIds } from '../debug-id/webpack.ts'
import type { SymupOptions } from '../options.ts'
import { serverOf } from '../server.ts'
import { type CompilerPlugin, defineBundler, throughUnplugin } from './bundler.ts'
import { enterGroup } from './compiler-group.ts'
import { tellOnce, tooOld, watching } from './messages.ts'
import { webpackPrefix } from './public-path.ts'
import { hideMaps, nextSideOf } from './webpack-config.ts'
import { changePages } from './webpack-output.ts'
import { buildOf, type Framework, isRelease, type WebpackLike, WebpackSession } from './webpack-session.ts'

export const webpack = defineBundler({
  label: 'webpack',
  debugIds: true,
  hooks: (options) => [(compiler: object) => applyToWebpack(compiler as Compiler, options)],
  plugin: throughUnplugin<CompilerPlugin>('webpack'),
})

/** @throws SymupError for webpack versions before 5, which lack the `initialize` hook and do not assign maps to scripts. */
function applyToWebpack(compiler: Compiler, options: SymupOptions): void {
  if (!('initialize' in compiler.hooks)) throw tooOld('webpack', '5.76')
  applyToCompiler(compiler, options, 'webpack')
}

/** The stage just before PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER, where plugins compress assets. */
const BEFORE_TRANSFER = 2999
/** Stage of the plugin's `done` hook. It must run last, because other plugins may still rewrite files. */
const LAST = 1_000_000

/**
 * Adds the hooks for webpack and Rspack. Both call `run` for a build, but `watchRun` in watch mode and for the dev server. Therefore, only
 * `run` leads to an upload.
 */
export function applyToCompiler(
  compiler: Compiler,
  options: SymupOptions,
  bundler: WebpackLike,
  framework: Framework = {},
): void {
  if (nextSideOf(compiler.options) === 'server') {
    leaveServerAlone(compiler, options, bundler, framework)
    return
  }
  const session = new WebpackSession(compiler, options, bundler, framework)
  if (isRelease(compiler)) changeBuild(compiler, options, session)
  enterGroup(compiler)
  const { hooks } = compiler
  hooks.run.tapPromise('symup', async () => session.start())
  hooks.watchRun.tap('symup', () => session.build.ignore(watching()))
  hooks.thisCompilation.tap('symup', (compilation) => {
    const { processAssets } = compilation.hooks
    processAssets.tapPromise({ name: 'symup', stage: BEFORE_TRANSFER }, async () => session.beforeTransfer(compilation))
    processAssets.tapPromise({ name: 'symup', stage: LAST }, () => session.emit(compilation))
  })
  hooks.done.tapPromise({ name: 'symup', stage: LAST }, (stats) => session.done(stats))
  hooks.failed?.tap('symup', () => session.failed())
}

function changeBuild(compiler: Compiler, options: SymupOptions, session: WebpackSession): void {
  if (session.maps.hide) hideMaps(compiler)
  if (options.debugIds) injectDebugIds(compiler)
  if (options.injectRelease) changePages(compiler, (html) => session.build.page(html))
}

/**
 * Ignores a server compiler of Next.js, because browsers never report its addresses. This compiler runs first, so it reports an unusable
 * configuration before anything is compiled.
 */
function leaveServerAlone(compiler: Compiler, options: SymupOptions, bundler: WebpackLike, framework: Framework): void {
  const build = buildOf(compiler, options, bundler, framework)
  compiler.hooks.run.tapPromise('symup', async () => {
    if (!isRelease(compiler)) return
    const { context: root } = compiler
    if (options.onError !== 'warn') build.open({ root, prefix: webpackPrefix(compiler.options, root) })
    const why = serverOf(options)
      ? t`the server option has no effect in Next.js if only the webpack plugin is used`
      : t`browser stacks never contain server code`
    tellOnce(build.log, t`symup does not upload Next.js server output because ${why}.`)
  })
}
