import { resolve } from 'node:path'
import type { Line } from '@symup/core'
import type { Plugin, ResolvedConfig } from 'vite'
import type { SymupOptions } from '../options.ts'
import { type BuildOutput, openSession, type Session } from '../session.ts'

/** Vite's hooks: the settings are found when the config is known, the upload comes after the last output is written. */
export function viteHooks(options: SymupOptions): Partial<Plugin> {
  let config: ResolvedConfig
  let session: Session | undefined
  let failed = false
  const outputs = new Map<string, BuildOutput>()

  return {
    apply: 'build',
    enforce: 'post',

    config({ build }) {
      // 'hidden' makes the maps and leaves no trace of them in what ships. What the user has set stays.
      if (build?.sourcemap === undefined) return { build: { sourcemap: 'hidden' } }
      return undefined
    },

    configResolved(resolved) {
      config = resolved
      const log = (line: Line) => logThroughVite(config, line)
      if (config.build.watch) {
        log({ severity: 'info', text: 'Watching: nothing is uploaded.' })
        return
      }
      session = openSession(options, { bundler: 'vite', root: config.root, log, prefix: prefixFromBase(config.base) })
      if (session && config.build.sourcemap === false) {
        log({
          severity: 'warning',
          text: 'warning sourcemaps-off: build.sourcemap is false, so there is nothing to upload.',
        })
        log({ severity: 'warning', text: "  fix: Remove the option, or set it to 'hidden'." })
      }
    },

    buildStart() {
      failed = false
      outputs.clear()
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
        const directory = resolve(config.root, dir ?? config.build.outDir)
        const output = outputs.get(directory) ?? { directory, files: new Set(), mapOf: new Map() }
        outputs.set(directory, output)
        for (const file of Object.values(bundle)) {
          output.files.add(file.fileName)
          if (file.type === 'chunk' && file.sourcemapFileName) output.mapOf.set(file.fileName, file.sourcemapFileName)
        }
      },
    },

    closeBundle: {
      order: 'post',
      // Other plugins write and rewrite files in this hook; ours is to see what they leave.
      sequential: true,
      async handler() {
        if (!session || failed || outputs.size === 0) return
        const written = [...outputs.values()]
        outputs.clear()
        await session.finish(written)
      },
    },
  }
}

/** `base` says where the app is deployed, unless it is relative (`''` or `./`). */
function prefixFromBase(base: string): { value: string; from: string } | undefined {
  return base === '' || base.startsWith('.') ? undefined : { value: base, from: "Vite's base" }
}

function logThroughVite({ logger }: ResolvedConfig, { severity, text }: Line): void {
  const message = `[symup] ${text}`
  if (severity === 'error') logger.error(message)
  else if (severity === 'warning') logger.warn(message)
  else logger.info(message)
}
