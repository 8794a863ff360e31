import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import symupVite, { type SymupOptions } from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import * as vite from 'vite'
import { describe, expect, it } from 'vitest'
import webpack from 'webpack'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { temporaryOutput } from './bundle.ts'
import { runCompiler } from './bundlers.ts'
import {
  type Build,
  decoded,
  HTML,
  injectsNothing,
  injectsRelease,
  makeApp,
  metasIn,
  OTHERS,
  packed,
} from './properties/release.ts'

const intake = useIntake()

interface Compilation {
  emitAsset(name: string, source: object, info?: object): void
  hooks: { processAssets: { tap(options: object, handler: () => void): void } }
}

/** Emits a page like HtmlWebpackPlugin, a copied page, and a page with its hash in its name. */
const pages = {
  apply(compiler: webpack.Compiler) {
    const { RawSource } = compiler.webpack.sources
    compiler.hooks.thisCompilation.tap('pages', (given) => {
      const compilation = given as unknown as Compilation
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE
      compilation.hooks.processAssets.tap({ name: 'pages', stage }, () => {
        compilation.emitAsset('index.html', new RawSource(HTML))
        compilation.emitAsset('legal.html', new RawSource(OTHERS), { copied: true })
        compilation.emitAsset('old.1a2b3c.html', new RawSource(OTHERS), { immutable: true })
      })
    })
  },
}

const buildVite: Build = ({ root, out }, options) =>
  vite.build({ configFile: false, root, base: '/shop/', build: { outDir: out }, plugins: [symupVite(options)] })

const buildWebpack = (app: Parameters<Build>[0], plugins: webpack.WebpackPluginInstance[]) =>
  runCompiler(webpack({ ...packed(app), plugins }) as never)

describe('the release in a page from Vite', () => injectsRelease('vite', buildVite, intake))

describe('the release in a page from webpack', () => {
  injectsRelease('webpack', (app, options) => buildWebpack(app, [pages, symupWebpack(options)]), intake)
  injectsNothing('webpack', (app, options) => buildWebpack(app, [symupWebpack(options)]), intake)
})

it('writes the release into the page even if nothing is uploaded without a key', async () => {
  using made = temporaryOutput()
  const app = makeApp(made.path)
  const options: SymupOptions = { service: 'keyless', version: '9', onError: 'warn', ignoreConfigFile: true }
  await logged(() => buildVite(app, { ...options, injectRelease: true }))
  const [meta] = metasIn(readFileSync(join(app.out, 'index.html'), 'utf8'))
  expect(JSON.parse(decoded(meta))).toEqual({ service: 'keyless', version: '9' })
})

it('writes no release into a page from a dev server', async () => {
  using made = temporaryOutput()
  const { root } = makeApp(made.path)
  const plugins = [symupVite({ service: 'dev', version: '9', injectRelease: true })]
  await logged(async () => {
    const server = await vite.createServer({ configFile: false, root, plugins, server: { middlewareMode: true } })
    try {
      expect(metasIn(await server.transformIndexHtml('/', HTML))).toEqual([])
    } finally {
      await server.close()
    }
  })
})
