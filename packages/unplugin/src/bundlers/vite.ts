import { resolve } from 'node:path'
import type { Line } from '@symup/core'
import type { Plugin, ResolvedConfig, ViteBuilder } from 'vite'
import type { SymupOptions } from '../options.ts'
import { openSession, type Session } from '../session.ts'
import { prefixFrom, sourcemapsOff, WATCHING } from './messages.ts'
import { Written } from './written.ts'

/**
 * Who says that the build is over:
 * - `bundle`: each environment's `closeBundle`. `vite build`, `build()`.
 * - `app`: the end of the app builder, which builds several environments.
 * - a number: the app builder hands over to Vite, which then builds each environment that is left; so many are still to come.
 */
type End = 'bundle' | 'app' | number

/**
 * Vite's hooks: the settings are found when the config is known, the upload comes after the last output of the last environment.
 * Two plugins, because both the start and the end of the app builder matter and a plugin has one `buildApp` hook.
 */
export function vitePlugins(options: SymupOptions): Partial<Plugin>[] {
  let config: ResolvedConfig
  let session: Session | undefined
  let openedFor: string | undefined
  let failed = false
  let end: End = 'bundle'
  const written = new Written()

  async function upload(): Promise<void> {
    end = 'bundle'
    openedFor = undefined
    const outputs = written.take()
    if (session && !failed && outputs.length > 0) await session.finish(outputs)
  }

  const beforeApp: Partial<Plugin> = {
    apply: 'build',
    sharedDuringBuild: true,
    buildApp: {
      order: 'pre',
      async handler() {
        end = 'app'
      },
    },
  }

  const main: Partial<Plugin> = {
    apply: 'build',
    enforce: 'post',
    // One instance for all environments of the app builder: it sees them all.
    sharedDuringBuild: true,

    config({ build }) {
      // 'hidden' makes the maps and leaves no trace of them in what ships. What the user has set stays.
      if (build?.sourcemap === undefined) return { build: { sourcemap: 'hidden' } }
      return undefined
    },

    configResolved(resolved) {
      config = resolved
      // Vite 6 has no `buildApp` hook, and no `meta` here by which to tell.
      if (this?.meta?.viteVersion === undefined) wrapAppBuilder(config)
      // The app builder resolves the config again for each environment.
      const build = `${config.root}\n${config.base}`
      if (openedFor === build) return
      openedFor = build
      const log = (line: Line) => logThroughVite(resolved, line)
      if (config.build.watch) {
        session = undefined
        log(WATCHING)
        return
      }
      const prefix = prefixFrom(config.base, "Vite's base")
      session = openSession(options, { bundler: 'vite', root: config.root, log, prefix })
      if (session && config.build.sourcemap === false) {
        sourcemapsOff('build.sourcemap is false', "Remove the option, or set it to 'hidden'.").forEach(log)
      }
    },

    buildStart() {
      failed = false
    },

    buildEnd(error) {
      if (error) failed = true
    },

    renderError() {
      failed = true
    },

    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir }, bundle) {
        written.add(resolve(config.root, dir ?? config.build.outDir), bundle)
      },
    },

    closeBundle: {
      order: 'post',
      // Other plugins write and rewrite files in this hook; ours is to see what they leave.
      sequential: true,
      async handler() {
        if (typeof end === 'number') end--
        if (end === 'bundle' || end === 0) await upload()
      },
    },

    buildApp: {
      order: 'post',
      async handler(builder: ViteBuilder) {
        const environments = Object.values(builder.environments)
        // When nobody has built any, Vite builds them all after this hook.
        if (environments.some(({ isBuilt }) => isBuilt)) await upload()
        else end = environments.length
      },
    },
  }

  function wrapAppBuilder({ builder }: ResolvedConfig): void {
    if (builder === undefined) return
    const { buildApp } = builder
    builder.buildApp = async (appBuilder) => {
      end = 'app'
      await buildApp(appBuilder)
      await upload()
    }
  }

  return [
    { name: 'symup:app', ...beforeApp },
    { name: 'symup', ...main },
  ]
}

function logThroughVite({ logger }: ResolvedConfig, { severity, text }: Line): void {
  const message = `[symup] ${text}`
  if (severity === 'error') logger.error(message)
  else if (severity === 'warning') logger.warn(message)
  else logger.info(message)
}
