import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type RspackOptions, rspack } from '@rspack/core'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { minify } from 'terser'
import webpack, { type Configuration } from 'webpack'
import { ROOT } from '../support/build-fixture.ts'

const fromSymbolicate = createRequire(join(ROOT, 'packages/symbolicate/package.json'))

/** Well-known code that needs no loader: a parser. */
export function writeEntry(directory: string): string {
  const entry = join(directory, 'entry.mjs')
  const parser = fromSymbolicate.resolve('acorn').replace(/\.js$/, '.mjs')
  writeFileSync(entry, `export * from ${JSON.stringify(parser)}\n`)
  return entry
}

export async function withEsbuild(entry: string, file: string): Promise<void> {
  await esbuild({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    sourcemap: 'external',
    format: 'esm',
    outfile: file,
    logLevel: 'silent',
  })
}

export async function withRolldown(entry: string, file: string): Promise<void> {
  const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' })
  await bundle.write({ file, sourcemap: 'hidden', minify: true })
  await bundle.close()
}

/** Rollup and then terser, like Vite 6 and others: the map of a map. */
export async function withRollupAndTerser(entry: string, file: string): Promise<void> {
  const bundle = await rollup({ input: entry, logLevel: 'silent' })
  const { output } = await bundle.generate({ sourcemap: true })
  const [{ code, map }] = output
  const result = await minify(code, { module: true, sourceMap: { content: String(map), filename: file } })
  writeFileSync(file, String(result.code))
  writeFileSync(`${file}.map`, String(result.map))
}

export function withWebpack(entry: string, file: string, devtool = 'hidden-source-map'): Promise<void> {
  const options: Configuration = { mode: 'production', devtool, entry, target: 'node', output: outputOf(file) }
  return new Promise((done, fail) => {
    webpack(options, (error, stats) =>
      error ? fail(error) : stats?.hasErrors() ? fail(new Error(stats.toString())) : done(),
    )
  })
}

export function withRspack(entry: string, file: string): Promise<void> {
  const options: RspackOptions = {
    mode: 'production',
    devtool: 'hidden-source-map',
    entry,
    target: 'node',
    output: outputOf(file),
  }
  return new Promise((done, fail) => {
    rspack(options, (error, stats) =>
      error ? fail(error) : stats?.hasErrors() ? fail(new Error(stats.toString())) : done(),
    )
  })
}

function outputOf(file: string) {
  return {
    path: dirname(file),
    filename: file.slice(dirname(file).length + 1),
    library: { type: 'commonjs2' as const },
  }
}
