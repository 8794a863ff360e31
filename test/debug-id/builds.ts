import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'vite'
import { sri as viteSri } from 'vite-plugin-sri3'
import webpack, { type Compiler, type Configuration } from 'webpack'
import { SubresourceIntegrityPlugin as WebpackSri } from 'webpack-subresource-integrity'
import { rollupDebugIds } from '../../packages/unplugin/src/debug-id/rollup.ts'
import { injectDebugIds } from '../../packages/unplugin/src/debug-id/webpack.ts'

export interface Build {
  /** Directory with the app's sources. */
  root: string
  outDir: string
  debugIds: boolean
}

export type Builds = Readonly<Record<string, (build: Build) => Promise<void>>>

/** An entry and a chunk that it loads later. */
export function writeApp(root: string, comment = ''): void {
  mkdirSync(join(root, 'src'), { recursive: true })
  const entry = "document.title = 'shop'\nimport('./lazy.js').then(({ pay }) => pay({ total: 3 }))\n"
  const lazy = `${comment}export function pay(order) {\n  if (!order.address) throw new TypeError('no address for ' + order.total)\n}\n`
  writeFileSync(join(root, 'src/main.js'), entry)
  writeFileSync(join(root, 'src/lazy.js'), lazy)
  writeFileSync(join(root, 'index.html'), '<!doctype html><script type="module" src="/src/main.js"></script>')
}

function vite(sri: boolean) {
  return async ({ root, outDir, debugIds }: Build) => {
    const ours = debugIds ? rollupDebugIds() : []
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      build: { outDir, sourcemap: 'hidden' },
      plugins: [
        ...ours.map((hooks) => ({ name: 'debug-ids', ...hooks, enforce: 'post' as const })),
        ...(sri ? [viteSri()] : []),
      ] as never,
    })
  }
}

export function compilerRun(
  run: (done: (error: Error | null, stats: { hasErrors(): boolean } | undefined) => void) => void,
): Promise<void> {
  return new Promise((done, fail) => {
    run((error, stats) => (error ? fail(error) : stats?.hasErrors() ? fail(new Error(String(stats))) : done()))
  })
}

export function compilerOptions({ root, outDir, debugIds }: Build) {
  return {
    mode: 'production' as const,
    devtool: 'source-map' as const,
    context: root,
    entry: './src/main.js',
    target: 'web' as const,
    output: { path: outDir, filename: '[name]-[contenthash].js', crossOriginLoading: 'anonymous' as const },
    plugins: debugIds ? [{ apply: (compiler: unknown) => injectDebugIds(compiler as Compiler) }] : [],
  }
}

/** Builds of the fast tier. */
export const BUILDS: Builds = {
  'vite 8': vite(false),
  'vite 8 + SRI': vite(true),
  webpack: (build) => compilerRun((done) => webpack(compilerOptions(build) as Configuration, done)),
  'webpack + SRI': (build) => {
    const options = compilerOptions(build)
    return compilerRun((done) =>
      webpack({ ...options, plugins: [new WebpackSri(), ...options.plugins] } as Configuration, done),
    )
  },
  'webpack without real content hashes': (build) =>
    compilerRun((done) =>
      webpack({ ...compilerOptions(build), optimization: { realContentHash: false } } as Configuration, done),
    ),
}

/** Every file below a directory by its path. */
export function readOutput(directory: string, below = directory): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const name of readdirSync(below)) {
    const path = join(below, name)
    if (statSync(path).isDirectory()) for (const [file, bytes] of readOutput(directory, path)) files.set(file, bytes)
    else files.set(relative(directory, path), readFileSync(path))
  }
  return files
}
