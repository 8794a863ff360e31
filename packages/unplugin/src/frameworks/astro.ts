import { t, useLocale } from '@symup/core/text'
import type { BuildSession } from '../build-session.ts'
import { prefixFrom, withRest } from '../bundlers/public-path.ts'
import { viteWithin } from '../bundlers/vite.ts'
import type { SymupOptions } from '../options.ts'
import type { BundleOutput } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'
import { asLeft } from './output-below.ts'

type Sourcemap = boolean | 'inline' | 'hidden' | undefined

interface AstroConfig {
  base: string
  /** The integrations in call order. */
  integrations: readonly { name: string; hooks: { 'astro:build:done'?: Hook } }[]
  build: { assets: string; assetsPrefix?: string | Record<string, string> | undefined }
  vite: {
    build?: { sourcemap?: Sourcemap } | undefined
    environments?: Record<string, { build?: { sourcemap?: Sourcemap } }> | undefined
  }
}

type Hook = (...given: never[]) => void | Promise<void>

/**
 * An integration for Astro's `integrations`. The types of the hooks contain only the properties that symup reads and are therefore
 * compatible with Astro's own types.
 */
interface AstroIntegration {
  name: string
  hooks: {
    'astro:config:setup'?: (setup: {
      command: string
      logger: { options?: { level?: string } }
      updateConfig(config: { vite?: { plugins?: unknown[] }; integrations?: unknown[] }): unknown
    }) => void
    'astro:config:done'?: (done: { config: AstroConfig }) => void
    'astro:build:done'?: () => Promise<void>
  }
}

/** Vercel's adapter copies the server code to the deployed directory and then removes the original. */
const VERCEL = '@astrojs/vercel'
/** The integration that copies the browser files. Vercel's adapter adds this integration before symup's upload. */
const COPIES = 'astro:copy-vercel-output'

/**
 * The integration for Astro. `astro build` uploads source maps after all pages have been rendered and all other integrations have finished.
 */
export function symupAstro(options: SymupOptions = {}): AstroIntegration {
  if (options.enabled === false) return { name: 'symup', hooks: {} }
  useLocale()
  let config: AstroConfig | undefined
  let level: string | undefined
  const waiting: { build: BuildSession; outputs: readonly BundleOutput[] }[] = []
  const plugin = viteWithin(options, {
    sourcemap: () => config?.vite.environments?.client?.build?.sourcemap ?? config?.vite.build?.sourcemap,
    prefix: () => config && prefixOf(config),
    logLevel: () => level,
    finish: (build, { outputs }) => void waiting.push({ build, outputs }),
  })
  const finish = async (isTaken: (output: BundleOutput) => boolean) => {
    for (const one of waiting) {
      const outputs = one.outputs.filter(isTaken).map((output) => asLeft(output))
      one.outputs = one.outputs.filter((output) => !isTaken(output))
      if (outputs.length > 0) await one.build.finish({ outputs })
    }
  }
  const uploadServers = () => finish(({ target }) => target === 'server')
  const upload = () => finish(() => true)
  const uploads: AstroIntegration = { name: 'symup:upload', hooks: { 'astro:build:done': upload } }
  return {
    name: 'symup',
    hooks: {
      'astro:config:setup'({ command, logger, updateConfig }) {
        if (command !== 'build' && command !== 'dev') return
        level = logger.options?.level
        // Astro runs integrations in order. The upload must run last, because other integrations may still write service workers or
        // compress files.
        updateConfig({ vite: { plugins: [plugin] }, integrations: [uploads] })
      },
      'astro:config:done'(done) {
        config = done.config
        for (const { name, hooks } of config.integrations) {
          const action = { [VERCEL]: uploadServers, [COPIES]: upload }[name]
          if (action) hooks['astro:build:done'] = before(hooks['astro:build:done'], action)
        }
      },
    },
  }
}

function before(hook: Hook | undefined, action: () => Promise<void>): Hook {
  return async (...given) => {
    await action()
    await hook?.(...given)
  }
}

/** `assetsPrefix` replaces the base, and may have one value per file type. */
function prefixOf({ base, build: { assets, assetsPrefix } }: AstroConfig): BuildPrefix | undefined {
  const ofScripts = typeof assetsPrefix === 'object' ? (assetsPrefix.js ?? assetsPrefix.fallback) : assetsPrefix
  if (ofScripts) return withRest(prefixFrom(ofScripts, t`Astro's build.assetsPrefix`), assets, base)
  return prefixFrom(base, t`Astro's base`)
}
