import { dirname, resolve } from 'node:path'
import type { Line } from '@symup/core'
import type { OutputOptions, Plugin, PluginContext } from 'rollup'
import type { SymupOptions } from '../options.ts'
import { openSession, type Session } from '../session.ts'
import { sourcemapsOff, WATCHING } from './messages.ts'
import { Written } from './written.ts'

/**
 * Hooks for Rollup and Rolldown, which agree on all that is used here. A build is one `rollup()`: its outputs are uploaded
 * together when the bundle is closed. (The command does that; whoever calls the JavaScript API has to call `bundle.close()`.)
 */
export function rollupHooks(options: SymupOptions, bundler: 'rollup' | 'rolldown'): Partial<Plugin> {
  const root = process.cwd()
  const written = new Written()
  let session: Session | undefined
  let failed = false
  let saidWatching = false

  return {
    buildStart() {
      failed = false
      if (this.meta.watchMode) {
        if (!saidWatching) logThrough(this, WATCHING)
        saidWatching = true
        session = undefined
        return
      }
      session = openSession(options, { bundler, root, log: (line) => logThrough(this, line) })
    },

    outputOptions(output): OutputOptions | null {
      // 'hidden' makes the maps and leaves no trace of them in what ships. What the user has set stays.
      if (output.sourcemap === undefined) return { ...output, sourcemap: 'hidden' }
      if (output.sourcemap === false && session) {
        const off = sourcemapsOff('output.sourcemap is false', "Remove the option, or set it to 'hidden'.")
        for (const line of off) logThrough(this, line)
      }
      return null
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
      handler({ dir, file }, bundle) {
        if (session) written.add(resolve(root, dir ?? dirname(file ?? '')), bundle)
      },
    },

    closeBundle: {
      order: 'post',
      // Other plugins write and rewrite files in this hook; ours is to see what they leave.
      sequential: true,
      async handler() {
        const outputs = written.take()
        if (session && !failed && outputs.length > 0) await session.finish(outputs)
      },
    },
  }
}

/** `this.error` would end the build; whether it does is decided by `onError`. */
function logThrough(context: Pick<PluginContext, 'info' | 'warn'>, { severity, text }: Line): void {
  if (severity === 'error' || severity === 'warning') context.warn(text)
  else context.info(text)
}
