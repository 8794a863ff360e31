import { t, useLocale } from '@symup/core/internal'
import type { PluginOption } from 'vite'
import { prefixFrom, withRest } from '../bundlers/public-path.ts'
import { viteWithin } from '../bundlers/vite.ts'
import type { SymupOptions } from '../options.ts'
import type { BuildPrefix } from '../session.ts'
import { asLeft } from './output-below.ts'

type Sourcemap = boolean | 'inline' | 'hidden' | undefined

/** The part of Astro's config that is read here. */
interface AstroConfig {
  base: string
  build: { assets: string; assetsPrefix?: string | Record<string, string> | undefined }
  vite: {
    build?: { sourcemap?: Sourcemap } | undefined
    environments?: Record<string, { build?: { sourcemap?: Sourcemap } }> | undefined
  }
}

/** An integration, as Astro's `integrations` takes it. */
interface AstroIntegration {
  name: string
  hooks: {
    'astro:config:setup'?: (setup: {
      command: string
      logger: { options?: { level?: string } }
      updateConfig(config: { vite?: { plugins: PluginOption[] }; integrations?: AstroIntegration[] }): unknown
    }) => void
    'astro:config:done'?: (done: { config: AstroConfig }) => void
    'astro:build:done'?: () => Promise<void>
  }
}

/** Astro's integration: `astro build` uploads source maps when all pages are made and all other integrations are done. */
export function symupAstro(options: SymupOptions = {}): AstroIntegration {
  if (options.enabled === false) return { name: 'symup', hooks: {} }
  useLocale()
  let config: AstroConfig | undefined
  let level: string | undefined
  const waiting: (() => Promise<void>)[] = []
  const plugin = viteWithin(options, {
    sourcemap: () => config?.vite.environments?.client?.build?.sourcemap ?? config?.vite.build?.sourcemap,
    prefix: () => config && prefixOf(config),
    logLevel: () => level,
    finish: (session, outputs) => void waiting.push(() => session.finish(outputs.map((output) => asLeft(output)))),
  })
  const uploads: AstroIntegration = {
    name: 'symup:upload',
    hooks: {
      async 'astro:build:done'() {
        for (const upload of waiting.splice(0)) await upload()
      },
    },
  }
  return {
    name: 'symup',
    hooks: {
      'astro:config:setup'({ command, logger, updateConfig }) {
        if (command !== 'build' && command !== 'dev') return
        level = logger.options?.level
        // Integrations are called in their order: this one comes after all others, which may still write service workers or compress.
        updateConfig({ vite: { plugins: [plugin] }, integrations: [uploads] })
      },
      'astro:config:done'(done) {
        config = done.config
      },
    },
  }
}

/** `assetsPrefix` takes the place of the base; it may say one for each kind of file. */
function prefixOf({ base, build: { assets, assetsPrefix } }: AstroConfig): BuildPrefix | undefined {
  const ofScripts = typeof assetsPrefix === 'object' ? (assetsPrefix.js ?? assetsPrefix.fallback) : assetsPrefix
  if (ofScripts) return withRest(prefixFrom(ofScripts, t`Astro's build.assetsPrefix`), assets, base)
  return prefixFrom(base, t`Astro's base`)
}
