import { resolve } from 'node:path'
import type { SymupOptions } from '../options.ts'
import { openSession, type Session } from '../session.ts'
import { logToConsole, prefixFrom, sourcemapsOff, WATCHING } from './messages.ts'

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

/** Farm's hooks: `writeResources` is called after the files are on disk. */
export function farmHooks(options: SymupOptions): FarmHooks {
  let session: Session | undefined
  let directory = ''

  return {
    config(config) {
      // Farm has no maps without the comment that names them; what the user has set stays.
      if (config.compilation?.sourcemap !== undefined) return config
      return { ...config, compilation: { ...config.compilation, sourcemap: true } }
    },

    configResolved({ root = process.cwd(), compilation = {} }) {
      if (compilation.mode === 'development') return
      if (compilation.watch) return logToConsole(WATCHING)
      directory = resolve(root, compilation.output?.path ?? 'dist')
      const prefix = prefixFrom(compilation.output?.publicPath, 'output.publicPath')
      session = openSession(options, { bundler: 'farm', root, log: logToConsole, prefix })
      if (session && compilation.sourcemap === false) {
        sourcemapsOff('sourcemap is false', 'Remove it, or set it to true.').forEach(logToConsole)
      }
    },

    writeResources: {
      async executor({ resourcesMap }) {
        const files = new Set(Object.values(resourcesMap).map(({ name }) => name))
        await session?.finish([{ directory, files, mapOf: new Map() }])
      },
    },
  }
}
