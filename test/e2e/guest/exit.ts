// Builds an app in a process where something calls `process.exit(0)`: `exit.ts <bundler> <when> <directory>`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const [bundler = '', when = '', outDir = ''] = process.argv.slice(2)
const input = join(import.meta.dirname, '../../../fixtures/web-app/src/main.js')
const options = { onError: process.env.ON_ERROR as 'warn' | undefined, git: false, minifiedPathPrefix: '/shop/' }

// The test creates the file when the upload has arrived. The upload is never answered.
if (when === 'upload') setInterval(() => existsSync(join(outDir, '../arrived')) && process.exit(0), 5)
const exits = () => when === 'end' && process.exit(0)

const BUILDS: Record<string, () => Promise<unknown>> = {
  async vite() {
    const { build } = await import('vite')
    const { default: symup } = await import('@symup/unplugin/vite')
    const plugins = [{ name: 'exit', closeBundle: () => void exits() }, symup(options)]
    await build({
      configFile: false,
      root: join(input, '..'),
      build: { outDir, emptyOutDir: true, rollupOptions: { input } },
      plugins,
    })
  },
  async webpack() {
    const { default: webpack } = await import('webpack')
    const { default: symup } = await import('@symup/unplugin/webpack')
    const exit = {
      apply: (compiler: import('webpack').Compiler) => compiler.hooks.done.tap('exit', () => void exits()),
    }
    const output = { path: outDir }
    const plugins = [exit, symup(options) as typeof exit]
    await new Promise((done) =>
      webpack({ mode: 'production', context: join(input, '..'), entry: input, output, plugins }, done),
    )
  },
  async rollup() {
    const { rollup } = await import('rollup')
    const { default: symup } = await import('@symup/unplugin/rollup')
    const bundle = await rollup({ input, plugins: [symup(options)] })
    await bundle.write({ dir: outDir })
    exits()
    await bundle.close()
  },
  async esbuild() {
    const { build } = await import('esbuild')
    const { default: symup } = await import('@symup/unplugin/esbuild')
    await build({ entryPoints: [input], bundle: true, outdir: outDir, plugins: [symup(options)] })
  },
}

await BUILDS[bundler]?.()
