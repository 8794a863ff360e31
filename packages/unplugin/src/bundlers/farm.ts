import { resolve } from 'node:path'
import { t } from '@symup/core/internal'
import { decideMaps, type MapDecision, type MapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { type BundleOutput, openSession, type Session } from '../session.ts'
import { logTo } from '../terminal.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { logProblems, watching } from './messages.ts'
import { prefixFrom } from './public-path.ts'
import { emptyOutput } from './written.ts'

/** The part of Farm's config and hooks that is used here. */
interface FarmConfig {
  root?: string
  compilation?: {
    mode?: string
    sourcemap?: unknown
    watch?: unknown
    output?: { path?: string; publicPath?: string }
  }
}

interface FarmHooks {
  config(config: FarmConfig): FarmConfig
  configResolved(config: FarmConfig): void
  writeResources: { executor(written: { resourcesMap: Record<string, { name: string }> }): Promise<void> }
}

export const farm = defineBundler({
  label: 'Farm',
  debugIds: false,
  hooks: (options) => [hooksFor(options)],
  // As much of Farm's type as a config needs: its own is not a package that every user has.
  plugin: throughUnplugin<{ name: string }>('farm'),
})

/** `writeResources` is called after the files are on disk. */
function hooksFor(options: SymupOptions): FarmHooks {
  let session: Session | undefined
  let maps: MapDecision | undefined
  let directory = ''
  const log = logTo(options)

  return {
    config(config) {
      const { sourcemap } = config.compilation ?? {}
      const words = { now: t`compilation.sourcemap is ${sourcemap}` }
      maps = decideMaps(settingOf(sourcemap, options.deleteAfterUpload), options.deleteAfterUpload, words)
      // With `true` it makes none of scripts that hold only packages.
      return maps.hide ? { ...config, compilation: { ...config.compilation, sourcemap: 'all' } } : config
    },

    configResolved({ root = process.cwd(), compilation = {} }) {
      if (compilation.mode === 'development') return
      if (compilation.watch) return log(watching())
      directory = resolve(root, compilation.output?.path ?? 'dist')
      const prefix = prefixFrom(compilation.output?.publicPath, 'compilation.output.publicPath')
      session = openSession(options, { bundler: 'farm', root, log, prefix })
      if (session && maps) logProblems(log, maps.problems)
    },

    writeResources: {
      async executor({ resourcesMap }) {
        // Other builds and scripts write into the directory, too.
        const output: BundleOutput = { ...emptyOutput(directory), shared: true }
        for (const { name } of Object.values(resourcesMap)) {
          output.files.add(name)
          if (maps?.deletes && name.endsWith('.map')) output.deletable.add(name)
        }
        await session?.finish([output])
      },
    },
  }
}

/** Farm has no maps without the comment that names them: where they are deleted, there is nothing to change. */
function settingOf(sourcemap: unknown, isDeleted = false): MapSetting {
  if (sourcemap === undefined) return 'unset'
  if (sourcemap === false) return 'none'
  if (sourcemap === 'inline' || sourcemap === 'all-inline') return 'inline'
  return isDeleted ? 'hidden' : 'linked'
}
