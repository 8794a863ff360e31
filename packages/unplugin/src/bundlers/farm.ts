import { resolve } from 'node:path'
import { t } from '@symup/core/text'
import { BuildSession } from '../build-session.ts'
import { decideMaps, type MapDecision, type MapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { outputOf } from '../output.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { watching } from './messages.ts'
import { prefixFrom } from './public-path.ts'

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
  // Farm's own types are in a package that may not be installed, so they are not imported.
  plugin: throughUnplugin<{ name: string }>('farm'),
})

/** Farm calls `writeResources` after it has written the files, so the upload runs in this hook. */
function hooksFor(options: SymupOptions): FarmHooks {
  const session = new BuildSession(options, 'farm')
  let maps: MapDecision | undefined
  let directory = ''

  return {
    config(config) {
      const { sourcemap } = config.compilation ?? {}
      const labels = { now: t`compilation.sourcemap is ${sourcemap}` }
      maps = decideMaps(settingOf(sourcemap, options.deleteAfterUpload), options.deleteAfterUpload, labels)
      // With `sourcemap: true`, Farm does not generate maps for scripts that contain only code from packages.
      return maps.hide ? { ...config, compilation: { ...config.compilation, sourcemap: 'all' } } : config
    },

    configResolved({ root = process.cwd(), compilation = {} }) {
      if (compilation.mode === 'development') return
      if (compilation.watch) return session.ignore(watching())
      directory = resolve(root, compilation.output?.path ?? 'dist')
      const prefix = prefixFrom(compilation.output?.publicPath, 'compilation.output.publicPath')
      session.open({ root, prefix }, maps?.problems)
    },

    writeResources: {
      executor({ resourcesMap }) {
        const files = Object.values(resourcesMap).map(({ name }) => name)
        // Other builds and scripts may also write to the output directory, so it is marked as shared.
        const output = outputOf(directory, files, { deletes: maps?.deletes ?? false, shared: true })
        return session.finish({ outputs: [output] })
      },
    },
  }
}

/** Farm cannot omit the source map comment. Maps that are deleted anyway count as hidden, so the setting stays unchanged. */
function settingOf(sourcemap: unknown, isDeleted = false): MapSetting {
  if (sourcemap === undefined) return 'unset'
  if (sourcemap === false) return 'none'
  if (sourcemap === 'inline' || sourcemap === 'all-inline') return 'inline'
  return isDeleted ? 'hidden' : 'linked'
}
