import { resolve } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import { type Build, openBuild } from './build.ts'
import type { MiniProgramOptions } from './options.ts'
import { tellNotMiniProgram } from './upload.ts'

/**
 * Plugin for uni-app (Vue 3, Vite). List this plugin after uni-app's own plugin: `plugins: [uni(), symup({ service, version })]`. At the
 * end of the build, `uni build -p mp-weixin` packs and uploads the source maps. Builds for other targets are ignored, with a message.
 */
const symupUniApp = (options: MiniProgramOptions = {}): Plugin => {
  let config: ResolvedConfig
  let build: Build | undefined
  let failed = false
  const isMiniProgram = process.env.UNI_PLATFORM?.startsWith('mp-') === true
  const isOn = options.enabled !== false

  return {
    name: 'symup:uni-app',
    apply: 'build',
    enforce: 'post',

    config({ build }) {
      if (!isOn || !isMiniProgram || build?.watch) return undefined
      // uni-app's own transforms generate maps only if UNI_APP_SOURCEMAP is set. By default, it is not set in production builds.
      process.env.UNI_APP_SOURCEMAP ??= 'true'
      return { build: { sourcemap: 'hidden' } }
    },

    configResolved(resolved) {
      config = resolved
      if (!isOn || config.build.watch) return
      if (!isMiniProgram) {
        tellNotMiniProgram()
        return
      }
      build = openBuild(options, { framework: 'uni-app', root: config.root })
    },

    buildEnd(error) {
      if (error) failed = true
    },

    renderError() {
      failed = true
    },

    closeBundle: {
      // uni-app moves the maps in its own `closeBundle` hook, which must run first.
      order: 'post',
      sequential: true,
      async handler() {
        if (failed) return
        await build?.finish(process.env.UNI_OUTPUT_DIR ?? resolve(config.root, config.build.outDir))
      },
    },
  }
}

export type { MiniProgramOptions, OnError } from './options.ts'
export { symupUniApp }
export default symupUniApp
/**
 * @internal Makes `require('@symup/mini-program/uni-app')` return the function itself. TypeScript versions before 5.6 cannot parse such an
 * export name, so the declarations omit it.
 */
export { symupUniApp as 'module.exports' }
