import type { Plugin } from 'vite'
import { type Build, openBuild } from './build.ts'
import type { MiniProgramOptions } from './options.ts'
import { tellNotMiniProgram } from './upload.ts'

export interface TaroContext {
  paths: { appPath: string; outputPath: string }
  runOpts: { options?: { isWatch?: boolean; watch?: boolean }; isWatch?: boolean; watch?: boolean }
  onBuildStart(hook: () => unknown): void
  modifyRunnerOpts(hook: (input: { opts: RunnerOptions }) => unknown): void
  register(hook: { name: string; stage?: number; fn: (input: RunnerConfig) => unknown }): void
  onBuildComplete(hook: () => unknown): void
}

interface RunnerOptions {
  enableSourceMap?: boolean
  sourceMapType?: string
}

interface RunnerConfig {
  viteConfig: { plugins: Plugin[] }
}

/** Runs after Taro's own hooks, which have stage 0. */
const AFTER_TARO = 100

/**
 * Plugin for Taro 4 with the webpack or Vite runner: `plugins: [['@symup/mini-program/taro', { service, version }]]`. At the end of the
 * build, `taro build --type weapp` packs and uploads the source maps. Builds for targets other than mini programs are ignored.
 */
export function symupTaro(context: TaroContext, options: MiniProgramOptions = {}): void {
  const root = context.paths.appPath
  let build: Build | undefined
  let makesMaps = false

  context.onBuildStart(() => {
    if (isWatch(context) || options.enabled === false) return
    if (!isMiniProgram()) {
      tellNotMiniProgram()
      return
    }
    build = openBuild(options, { framework: 'taro', root })
  })
  context.modifyRunnerOpts(({ opts }) => {
    if (isWatch(context) || options.enabled === false || !isMiniProgram()) return
    // By default, Taro generates either no maps or maps with only one segment, so source maps are enabled here.
    opts.enableSourceMap ??= true
    opts.sourceMapType ??= 'source-map'
    makesMaps = opts.enableSourceMap
  })
  // @tarojs/plugin-framework-vue3 4.2 disables source maps in Vite's config, regardless of enableSourceMap.
  context.register({
    name: 'modifyViteConfig',
    stage: AFTER_TARO,
    fn: ({ viteConfig }) => {
      if (makesMaps)
        viteConfig.plugins.push({
          name: 'symup:taro',
          enforce: 'post',
          config: () => ({ build: { sourcemap: true } }),
        })
    },
  })
  // Unlike onBuildFinish, this hook is called only after a successful build, and Taro awaits it.
  context.onBuildComplete(() => build?.finish(context.paths.outputPath))
}

/**
 * Returns whether the build is for a mini program. Taro sets the platform type before the command starts. `mini` also includes platforms
 * from plugins. The plugin does not enable source maps in other builds, because those maps would be deployed.
 */
function isMiniProgram(): boolean {
  return !/^(?:web|rn|harmony)$/.test(process.env.TARO_PLATFORM ?? '')
}

function isWatch({ runOpts }: TaroContext): boolean {
  return Boolean(runOpts.isWatch ?? runOpts.watch ?? runOpts.options?.isWatch ?? runOpts.options?.watch)
}

export type { MiniProgramOptions, OnError } from './options.ts'
export default symupTaro
/**
 * @internal Makes `require('@symup/mini-program/taro')` return the function itself. TypeScript versions before 5.6 cannot parse such an
 * export name, so the declarations omit it.
 */
export { symupTaro as 'module.exports' }
