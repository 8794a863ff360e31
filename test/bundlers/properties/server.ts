import { execFile } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestIntake } from '@symup/intake/testing'
import type { SymupOptions } from '@symup/unplugin/vite'
import { expect, it } from 'vitest'
import { filesBelow } from '../../support/files-below.ts'
import { logged } from '../../support/printed.ts'
import { enrich } from '../../support/resolve.ts'
import { optionsFor, temporaryOutput, uploadedOf } from '../bundle.ts'
import { runCompiler } from '../bundlers.ts'
import type { CompilerKind } from './compilers.ts'

const PRICE = `export function priceOf(text) {
  // A comment that is not in the bundle.
  if (text === 'free') throw new RangeError('nothing is free')
  return text.length
}
`
const SERVER = `import { priceOf } from './price.js'

try {
  priceOf('free')
} catch (error) {
  console.log(error.stack)
}
`

export function writeSources(root: string): void {
  mkdirSync(join(root, 'src'))
  for (const [file, text] of Object.entries({ 'price.js': PRICE, 'server.js': SERVER }))
    writeFileSync(join(root, 'src', file), text)
}

export const THROWN = PRICE.slice(0, PRICE.indexOf('throw')).split('\n').length

/** A config for `webpack()` and `rspack()`. */
export const configOf = (root: string, plugin: unknown, target: 'node' | 'web' = 'node') => ({
  mode: 'production' as const,
  context: root,
  target,
  entry: './src/server.js',
  output: { path: join(root, 'dist'), filename: target === 'node' ? 'server.cjs' : 'web.js' },
  infrastructureLogging: { level: 'error' as const },
  plugins: [plugin as never],
})

export type Build = (root: string, options: SymupOptions) => Promise<unknown>

/** Builds for Node, with a bundler that knows the target. */
export function buildsForNode(name: string, build: Build, intake: TestIntake): void {
  it('under the service and the directory of the option server', async () => {
    using directory = temporaryOutput()
    writeSources(directory.path)
    const place = join(directory.path, 'app')
    const server = { service: `${name}-server`, minifiedPathPrefix: place }
    await logged(() => build(directory.path, optionsFor(intake, `${name}-web`, { server })))
    expect(filesBelow(join(directory.path, 'dist'))).toEqual(['server.cjs'])
    renameSync(join(directory.path, 'dist'), place)
    const { stdout } = await promisify(execFile)(process.execPath, [join(place, 'server.cjs')])
    expect((await enrich(intake, stdout, `${name}-server`))[0]).toMatchObject({ file: 'src/price.js', line: THROWN })
    expect(await uploadedOf(intake, `${name}-web`)).toEqual([])
  })

  it('as the message suggests if there is no such option', async () => {
    using directory = temporaryOutput()
    writeSources(directory.path)
    const options = optionsFor(intake, `${name}-plain`, { minifiedPathPrefix: '/app/dist' })
    await logged(() => build(directory.path, options))
    expect((await uploadedOf(intake, `${name}-plain`)).map(({ url }) => url)).toEqual(['/app/dist/server.cjs'])
  })

  it('explains what to set if neither a prefix nor that option is set', async () => {
    using directory = temporaryOutput()
    writeSources(directory.path)
    const building = build(directory.path, optionsFor(intake, `${name}-none`))
    await expect(building).rejects.toThrow(/prefix-missing[\s\S]*symup\.json[\s\S]*set `server: true`/)
  })
}

/** Configs for Node, for webpack or bundlers with its interface. */
export function configuresNode({ name, compile, plugin }: CompilerKind, intake: TestIntake): void {
  it('detects a Node build by its target, even if Node modules are not external', async () => {
    using directory = temporaryOutput()
    writeSources(directory.path)
    const server = { service: `${name}-internals-server`, minifiedPathPrefix: '/app/dist' }
    const config = configOf(directory.path, plugin(optionsFor(intake, `${name}-internals`, { server })))
    const output = { ...config.output, publicPath: '/shop/' }
    // Gatsby renders its pages like this.
    const internals = { target: 'node14.15', externalsPresets: { node: false } }
    await logged(() => runCompiler(compile({ ...config, ...internals, output } as never) as never))
    expect((await uploadedOf(intake, `${name}-internals-server`)).map(({ url }) => url)).toEqual([
      '/app/dist/server.cjs',
    ])
    expect(await uploadedOf(intake, `${name}-internals`)).toEqual([])
  })

  it('reports which of several configs has no prefix, by its name or directory', async () => {
    using directory = temporaryOutput()
    writeSources(directory.path)
    const refusal = (own: object) => {
      const node = { ...configOf(directory.path, plugin(optionsFor(intake, 'several'))), ...own }
      const web = { ...configOf(directory.path, undefined, 'web'), plugins: [plugin(optionsFor(intake, 'several'))] }
      web.output = { ...web.output, publicPath: '/shop/' } as never
      return runCompiler(compile([web, node] as never) as never)
    }
    await expect(refusal({ name: 'api' })).rejects.toThrow(/prefix-missing[^\n]*\(config "api"\)/)
    await expect(refusal({})).rejects.toThrow(/prefix-missing[^\n]*\(config "dist"\)/)
  })
}
