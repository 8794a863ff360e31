import type { Plugin, PluginOption, ResolvedConfig, ViteBuilder } from 'vite'
import { viteDebugIds } from '../debug-id/rollup.ts'
import { frameworksIn } from '../frameworks/detect.ts'
import type { ViteHost } from '../frameworks/framework.ts'
import type { SymupOptions } from '../options.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { isServerBuild, requireVite5 } from './vite-config.ts'
import { ViteSession } from './vite-session.ts'

export const vite = defineBundler({
  label: 'Vite',
  debugIds: true,
  hooks: (options) => allHooksFor(options),
  plugin: throughUnplugin<PluginOption>('vite'),
})

export function viteWithin(options: SymupOptions, host: ViteHost): PluginOption {
  return vite.plugin(() => allHooksFor(options, host))()
}

function allHooksFor(options: SymupOptions, host?: ViteHost): Partial<Plugin>[] {
  return [...hooksFor(options, host), ...(options.debugIds ? viteDebugIds() : [])]
}

/**
 * Resolves the settings when the config is known, and uploads after the last output of the last environment. Two plugins are needed,
 * because both the start and the end of the app builder must be handled, and a plugin has only one `buildApp` hook.
 */
function hooksFor(options: SymupOptions, host?: ViteHost): Partial<Plugin>[] {
  const session = new ViteSession(options, host)

  const beforeApp: Partial<Plugin> = {
    apply: 'build',
    sharedDuringBuild: true,
    config: {
      order: 'pre',
      handler({ build, plugins = [], ...user }) {
        const isOn = frameworksIn({ plugins }).some(({ turnsMapsOn }) => turnsMapsOn)
        const isChanged = isOn && !isServerBuild({ ...user, build })
        session.asked = isChanged ? { sourcemap: build?.sourcemap } : undefined
        return isChanged && build?.sourcemap === undefined ? { build: { sourcemap: 'hidden' } } : undefined
      },
    },
    buildApp: {
      order: 'pre',
      async handler() {
        session.appStarts()
      },
    },
  }

  const main: Partial<Plugin> = {
    apply: 'build',
    enforce: 'post',
    // The app builder must use a single plugin instance for all environments.
    sharedDuringBuild: true,

    config: (config) => session.configure(config),

    // Vite 6 and later versions call `configEnvironment` after `config`.
    configEnvironment: (name, environment) => session.configureEnvironment(name, environment),

    configResolved(config) {
      // Vite 6 has no `buildApp` hook and does not set `meta.viteVersion`.
      if (this?.meta?.viteVersion === undefined) wrapAppBuilder(config)
      session.open(config)
    },

    options() {
      requireVite5(this.meta)
    },

    ...(options.injectRelease && {
      transformIndexHtml: { order: 'post', handler: (html: string) => session.build.page(html) },
    }),

    buildStart() {
      return session.start(this)
    },

    onLog: (_, log) => session.build.lostMaps.hear(log),

    buildEnd(error) {
      if (error) session.fail()
    },

    renderStart: () => void session.requireConfig(),

    renderError: () => session.fail(),

    writeBundle: {
      order: 'post',
      sequential: true,
      handler(output, bundle) {
        return session.wrote(this, output, bundle)
      },
    },

    closeBundle: {
      order: 'post',
      // Other plugins write and rewrite files in `closeBundle`, so this handler must run last.
      sequential: true,
      handler() {
        return session.closed(this)
      },
    },

    buildApp: {
      order: 'post',
      async handler(builder: ViteBuilder) {
        const environments = Object.values(builder.environments)
        // If nothing has been built yet, Vite builds all environments after `buildApp`.
        if (environments.some(({ isBuilt }) => isBuilt)) await session.upload()
        else session.appHandsOver(environments.length)
      },
    },
  }

  function wrapAppBuilder({ builder }: ResolvedConfig): void {
    if (builder === undefined) return
    const { buildApp } = builder
    builder.buildApp = async (appBuilder) => {
      session.appStarts()
      await buildApp(appBuilder)
      await session.upload()
    }
  }

  return [
    { name: 'symup:app', ...beforeApp },
    { name: 'symup', ...main },
  ]
}
