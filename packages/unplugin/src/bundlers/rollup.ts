import type { Plugin } from 'rollup'
import { rollupDebugIds } from '../debug-id/rollup.ts'
import type { SymupOptions } from '../options.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { tooOld } from './messages.ts'
import { RollupSession, type TsdownHooks } from './rollup-session.ts'

export const rollup = defineBundler({
  label: 'Rollup',
  debugIds: true,
  hooks: (options) => rollupHooks(options, 'rollup'),
  plugin: throughUnplugin<Plugin>('rollup'),
})

export function rollupHooks(options: SymupOptions, bundler: 'rollup' | 'rolldown'): object[] {
  return [hooksFor(options, bundler), ...(options.debugIds ? rollupDebugIds() : [])]
}

/** Returns the hooks for Rollup and Rolldown, which are compatible in all features that the plugin uses. */
function hooksFor(options: SymupOptions, bundler: 'rollup' | 'rolldown'): Partial<Plugin> & TsdownHooks {
  const session = new RollupSession(options, bundler)
  return {
    tsdownConfig: (user, flags) => session.tsdown.read(user, flags),

    options({ plugins }) {
      session.tsdown.guess(plugins)
    },

    buildStart(input) {
      requireRollup3(this.meta)
      session.start(this, input)
    },

    outputOptions: (output) => session.configureOutput(output),

    renderStart: () => session.startOutput(),

    onLog: (_, log) => session.build.lostMaps.hear(log),

    buildEnd(error) {
      if (error) session.build.fail()
    },

    renderError: () => session.build.fail(),

    writeBundle: {
      order: 'post',
      sequential: true,
      handler: (output, bundle) => session.wrote(output, bundle),
    },

    closeBundle: {
      order: 'post',
      // Other plugins write and rewrite files in `closeBundle`, so this handler must run last.
      sequential: true,
      handler: () => session.close(),
    },
  }
}

/**
 * @throws SymupError for Rollup versions before 3, which do not support object hooks. Without the check, the plugin would fail after the
 * build without a clear reason.
 */
function requireRollup3({ rollupVersion }: { rollupVersion: string }): void {
  if (Number.parseInt(rollupVersion, 10) < 3) throw tooOld('Rollup', '4')
}
