import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRsbuild } from '@rsbuild/core'
import { rspack } from '@rspack/core'
import symupEsbuild from '@symup/unplugin/esbuild'
import symupRollup from '@symup/unplugin/rollup'
import symupRsbuild from '@symup/unplugin/rsbuild'
import symupRspack from '@symup/unplugin/rspack'
import symupVite, { type SymupOptions } from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import * as esbuild from 'esbuild'
import { rollup } from 'rollup'
import * as vite from 'vite'
import { describe, expect, it } from 'vitest'
import webpack from 'webpack'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { isScript, optionsFor, temporaryOutput } from './bundle.ts'

// `injectRelease`: the release stands in the page, and no script differs from one release to the next.

const intake = useIntake()

const HTML = '<!doctype html>\n<html><!-- <head> --><head lang="en"><title>shop</title></head><body></body></html>\n'
const OTHERS = '<!doctype html><title>legal</title>'

interface App {
  root: string
  out: string
}

interface Compilation {
  emitAsset(name: string, source: object, info?: object): void
  hooks: { processAssets: { tap(options: object, handler: () => void): void } }
}

/** Emits a page as HtmlWebpackPlugin does, one that was copied, and one with its hash in its name. */
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

type Stats = { hasErrors(): boolean; toString(options: object): string } | null | undefined
type Runs = { run(done: (error: Error | null, stats?: Stats) => void): void; close(done: () => void): void }

function run(compiler: Runs): Promise<void> {
  return new Promise((done, fail) => {
    compiler.run((error, stats) => {
      const failed = error ?? (stats?.hasErrors() ? new Error(stats.toString({})) : undefined)
      compiler.close(() => (failed ? fail(failed) : done()))
    })
  })
}

const packed = ({ root, out }: App) => ({
  mode: 'production' as const,
  context: root,
  entry: './src/main.js',
  output: { path: out, publicPath: '/shop/', filename: '[name].[contenthash].js' },
})

const BUILDS: Record<string, (app: App, options: SymupOptions) => Promise<unknown>> = {
  vite: ({ root, out }, options) =>
    vite.build({ configFile: false, root, base: '/shop/', build: { outDir: out }, plugins: [symupVite(options)] }),
  webpack: (app, options) =>
    run(webpack({ ...packed(app), plugins: [pages, symupWebpack(options)] }) as unknown as Runs),
  rspack: (app, options) => {
    const template = join(app.root, 'index.html')
    const plugins = [new rspack.HtmlRspackPlugin({ template }), symupRspack(options)]
    return run(rspack({ ...packed(app), plugins }) as unknown as Runs)
  },
  rsbuild: async ({ root, out }, options) => {
    const rsbuild = await createRsbuild({
      cwd: root,
      rsbuildConfig: {
        logLevel: 'warn',
        source: { entry: { index: './src/main.js' } },
        output: { distPath: { root: out }, assetPrefix: '/shop/' },
        html: { template: './index.html' },
        plugins: [symupRsbuild(options)],
      },
    })
    const { close } = await rsbuild.build()
    await close()
  },
}

function makeApp(out: string): App {
  const root = join(out, '..', `${out.split('/').at(-1)}-app`)
  mkdirSync(join(root, 'src'), { recursive: true })
  writeFileSync(join(root, 'src/main.js'), 'console.log(document.title.length)\n')
  writeFileSync(
    join(root, 'index.html'),
    HTML.replace('</body>', '<script type="module" src="/src/main.js"></script></body>'),
  )
  return { root, out: join(root, 'dist') }
}

const metasIn = (html: string) => [...html.matchAll(/<meta name="release" content="([^"]*)">/g)].map(([, it]) => it)
const decoded = (text = '') =>
  text.replace(/&(quot|lt|gt|amp);/g, (_, name: string) => ({ quot: '"', lt: '<', gt: '>', amp: '&' })[name] as string)

describe.each(Object.keys(BUILDS))('%s', (name) => {
  it('writes the release into the page, and into nothing else', async () => {
    using made = temporaryOutput()
    const app = makeApp(made.path)
    const builds: Record<string, string>[] = []
    for (const version of ['1.2.3', '1.2.4+"<b>&amp;']) {
      const options = optionsFor(intake, `release-${name}`, { version, injectRelease: true })
      const said = await logged(() => BUILDS[name]?.(app, options) as Promise<unknown>)
      expect(said).not.toContain('release-not-injected')
      const files = filesBelow(app.out)
      const page = readFileSync(join(app.out, 'index.html'), 'utf8')
      const [meta, ...others] = metasIn(page)
      expect(others).toEqual([])
      expect(JSON.parse(decoded(meta)), page).toEqual({ service: `release-${name}`, version })
      // In the head that is no comment.
      expect(page.replace(/<!--.*?-->/g, '')).toMatch(/<head[^>]*>\s*<meta name="release"/)
      const scripts = files.filter(isScript)
      expect(scripts).not.toEqual([])
      builds.push(Object.fromEntries(scripts.map((file) => [file, readFileSync(join(app.out, file), 'utf8')])))
      if (name !== 'webpack') continue
      for (const file of ['legal.html', 'old.1a2b3c.html'])
        expect(readFileSync(join(app.out, file), 'utf8')).toBe(OTHERS)
    }
    expect(builds[1]).toEqual(builds[0])
  })

  it('is off by default', async () => {
    using made = temporaryOutput()
    const app = makeApp(made.path)
    await logged(() => BUILDS[name]?.(app, optionsFor(intake, `plain-${name}`)) as Promise<unknown>)
    expect(metasIn(readFileSync(join(app.out, 'index.html'), 'utf8'))).toEqual([])
  })
})

it('stands in the page too where nothing is uploaded for want of a key', async () => {
  using made = temporaryOutput()
  const app = makeApp(made.path)
  const options: SymupOptions = { service: 'keyless', version: '9', onError: 'warn', ignoreConfigFile: true }
  await logged(() => BUILDS.vite?.(app, { ...options, injectRelease: true }) as Promise<unknown>)
  const [meta] = metasIn(readFileSync(join(app.out, 'index.html'), 'utf8'))
  expect(JSON.parse(decoded(meta))).toEqual({ service: 'keyless', version: '9' })
})

it('a dev server serves the page as it is', async () => {
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

describe('a build that writes no page says so', () => {
  const NO_PAGE: Record<string, (app: App, options: SymupOptions) => Promise<unknown>> = {
    esbuild: ({ root, out }, options) =>
      esbuild.build({
        absWorkingDir: root,
        entryPoints: ['src/main.js'],
        bundle: true,
        outdir: out,
        publicPath: '/shop/',
        plugins: [symupEsbuild(options)],
      }),
    rollup: async ({ root, out }, options) => {
      const plugins = [symupRollup({ ...options, minifiedPathPrefix: '/shop/' })]
      const bundle = await rollup({ input: join(root, 'src/main.js'), plugins })
      await bundle.write({ dir: out })
      await bundle.close()
    },
    webpack: (app, options) => run(webpack({ ...packed(app), plugins: [symupWebpack(options)] }) as unknown as Runs),
  }
  it.each(Object.keys(NO_PAGE))('%s', async (name) => {
    using made = temporaryOutput()
    const options = optionsFor(intake, `no-page-${name}`, { injectRelease: true })
    const said = await logged(() => NO_PAGE[name]?.(makeApp(made.path), options) as Promise<unknown>)
    expect(said).toMatch(/warning release-not-injected: The build wrote no HTML page/)
    expect(said).toContain('docs/recipes/release.md')
    expect(said).toContain('Uploaded 1 of 1')
  })
})
