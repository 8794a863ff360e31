import type { Plugin } from 'vite'
import { type Build, openBuild } from './build.ts'
import type { MiniProgramOptions } from './options.ts'
import { tellNotMiniProgram } from './upload.ts'

/** The part of Taro's plugin context that is used. */
export interface TaroContext {
  paths: { appPath: string; outputPath: string }
  /** Flags and arguments of the command. */
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

/** What the hooks `modifyWebpackChain` and `modifyViteConfig` may change; each has one of the two. */
interface RunnerConfig {
  chain: WebpackChain
  viteConfig: { plugins: Plugin[] }
}

interface WebpackChain {
  output: {
    get(name: 'devtoolModuleFilenameTemplate'): unknown
    devtoolModuleFilenameTemplate(template: (info: { namespace: string; resourcePath: string }) => string): unknown
  }
}

/** Of Taro's hooks, which have stage 0. */
const AFTER_TARO = 100

/**
 * The plugin for Taro 4, with the webpack and the Vite runner: `plugins: [['@symup/mini-program/taro', { service, version }]]`. A normal
 * `taro build --type weapp` then ends with the source maps packed and uploaded. Builds for other than mini programs are left alone.
 */
export function symupTaro(context: TaroContext, options: MiniProgramOptions = {}): void {
  const root = context.paths.appPath
  const sourceNames = new Map<string, string>()
  let build: Build | undefined
  let makesMaps = false

  context.onBuildStart(() => {
    if (isWatch(context) || options.enabled === false) return
    if (!isMiniProgram()) {
      tellNotMiniProgram()
      return
    }
    build = openBuild(options, { framework: 'taro', root, sourceNames })
  })
  context.modifyRunnerOpts(({ opts }) => {
    if (isWatch(context) || options.enabled === false || !isMiniProgram()) return
    // With the default of either there are no maps, or maps of one segment.
    opts.enableSourceMap ??= true
    opts.sourceMapType ??= 'source-map'
    makesMaps = opts.enableSourceMap
  })
  // For WeChat's tools Taro writes `src_a_b.ts` for both `src/a_b.ts` and `src/a/b.ts`: what is packed gets the true names.
  context.register({
    name: 'modifyWebpackChain',
    stage: AFTER_TARO,
    fn: ({ chain: { output } }) => {
      if (!isMiniProgram()) return
      const theirs = output.get('devtoolModuleFilenameTemplate')
      if (typeof theirs !== 'function') return
      output.devtoolModuleFilenameTemplate((info) => {
        const name = theirs(info)
        sourceNames.set(name, `webpack://${info.namespace}/${info.resourcePath}`)
        return name
      })
    },
  })
  // @tarojs/plugin-framework-vue3 4.2 turns maps off in Vite's config, whatever enableSourceMap is.
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
  // Comes when the build has succeeded, and is waited for (onBuildFinish is not).
  context.onBuildComplete(() => build?.finish(context.paths.outputPath))
}

/** Taro says the kind of platform before the command begins: `mini` for those of plugins, too. What is not a mini program is packed by nobody, and its maps would ship. */
function isMiniProgram(): boolean {
  return !/^(?:web|rn|harmony)$/.test(process.env.TARO_PLATFORM ?? '')
}

function isWatch({ runOpts }: TaroContext): boolean {
  return Boolean(runOpts.isWatch ?? runOpts.watch ?? runOpts.options?.isWatch ?? runOpts.options?.watch)
}

export type { MiniProgramOptions, OnError } from './options.ts'
export default symupTaro
/** @internal So that `require('@symup/mini-program/taro')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { symupTaro as 'module.exports' }
