import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rspack } from '@rspack/core'
import symupEsbuild from '@symup/unplugin/esbuild'
import symupRspack from '@symup/unplugin/rspack'
import symup from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import * as esbuild from 'esbuild'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import webpack from 'webpack'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { enrich } from '../support/resolve.ts'
import { optionsFor, temporaryOutput, uploadedOf } from './bundle.ts'
import { runCompiler } from './bundlers.ts'

const intake = useIntake()

const PRICE = `export function priceOf(text) {
  // A comment that the bundle does not have.
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

function writeSources(root: string): void {
  mkdirSync(join(root, 'src'))
  for (const [file, text] of Object.entries({ 'price.js': PRICE, 'server.js': SERVER }))
    writeFileSync(join(root, 'src', file), text)
}

/** Builds a server with Vite, and gives the stack that Node prints of it where it then lies. */
async function stackOf(root: string, service: string, format: 'es' | 'cjs', server: object | true, runsIn = 'dist') {
  writeSources(root)
  const output = await logged(() =>
    build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [symup(optionsFor(intake, service, { server, logLevel: 'info' }))],
      build: {
        ssr: 'src/server.js',
        outDir: 'dist',
        rollupOptions: { output: { format, entryFileNames: format === 'es' ? 'server.mjs' : 'server.cjs' } },
      },
    }),
  )
  if (runsIn !== 'dist') renameSync(join(root, 'dist'), join(root, runsIn))
  const [entry = ''] = filesBelow(join(root, runsIn)).filter((file) => file.startsWith('server.'))
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, runsIn, entry)])
  return { stack: stdout, output }
}

const THROWN = PRICE.slice(0, PRICE.indexOf('throw')).split('\n').length

describe('a stack of Node', () => {
  it.each(['es', 'cjs'] as const)(
    'of %s resolves where the server runs from the directory of the build',
    async (format) => {
      using directory = temporaryOutput()
      const { stack, output } = await stackOf(directory.path, `node-${format}`, format, true)
      expect(stack).toContain(format === 'es' ? 'file://' : `(${directory.path}`)
      expect(output).toContain('Uploaded 1 of 1 artifacts')
      const [frame] = await enrich(intake, stack, `node-${format}`)
      expect(frame, stack).toMatchObject({ file: 'src/price.js', line: THROWN })
      // Only the plugin asked for maps.
      expect(filesBelow(join(directory.path, 'dist')).filter((file) => file.endsWith('.map'))).toEqual([])
    },
  )

  it('resolves under the service and the directory that the option gives', async () => {
    using directory = temporaryOutput()
    const place = join(directory.path, 'app')
    const server = { service: 'node-own', minifiedPathPrefix: `file://${place}` }
    const { stack, output } = await stackOf(directory.path, 'node-browsers', 'es', server, 'app')
    expect(output).toContain(`On the server: service = node-own, minifiedPathPrefix = file://${place}`)
    expect(stack).toContain(place)
    expect((await enrich(intake, stack, 'node-own'))[0]).toMatchObject({ file: 'src/price.js', line: THROWN })
    expect(await uploadedOf(intake, 'node-browsers')).toEqual([])
    expect(readFileSync(join(place, 'server.mjs'), 'utf8')).not.toContain('sourceMappingURL')
  })
})

/** As `webpack()` and `rspack()` take it. */
const configOf = (root: string, plugin: unknown, target: 'node' | 'web' = 'node') => ({
  mode: 'production' as const,
  context: root,
  target,
  entry: './src/server.js',
  output: { path: join(root, 'dist'), filename: target === 'node' ? 'server.cjs' : 'web.js' },
  infrastructureLogging: { level: 'error' as const },
  plugins: [plugin as never],
})

const BUILDS: Record<string, (root: string, options: object) => Promise<unknown>> = {
  webpack: (root, options) => runCompiler(webpack(configOf(root, symupWebpack(options))) as never),
  rspack: (root, options) => runCompiler(rspack(configOf(root, symupRspack(options))) as never),
  esbuild: (root, options) =>
    esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/server.js'],
      outfile: 'dist/server.cjs',
      bundle: true,
      platform: 'node',
      plugins: [symupEsbuild(options)],
    }),
}

describe.each(Object.entries(BUILDS))('%s builds for Node', (name, build) => {
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

  it('as it says where there is no such option', async () => {
    using directory = temporaryOutput()
    writeSources(directory.path)
    const options = optionsFor(intake, `${name}-plain`, { minifiedPathPrefix: '/app/dist' })
    await logged(() => build(directory.path, options))
    expect((await uploadedOf(intake, `${name}-plain`)).map(({ url }) => url)).toEqual(['/app/dist/server.cjs'])
  })

  it('says what to set where neither a prefix nor that option is', async () => {
    using directory = temporaryOutput()
    writeSources(directory.path)
    const building = build(directory.path, optionsFor(intake, `${name}-none`))
    await expect(building).rejects.toThrow(/prefix-missing[\s\S]*symup\.json[\s\S]*set the option `server: true`/)
  })
})

const COMPILERS = [
  ['webpack', webpack as unknown as typeof rspack, symupWebpack as (options: object) => unknown],
  ['rspack', rspack, symupRspack as (options: object) => unknown],
] as const

it.each(COMPILERS)(
  "%s builds for Node by its target, also where Node's modules are no externals",
  async (name, ...it) => {
    using directory = temporaryOutput()
    writeSources(directory.path)
    const [compile, plugin] = it
    const server = { service: `${name}-internals-server`, minifiedPathPrefix: '/app/dist' }
    const config = configOf(directory.path, plugin(optionsFor(intake, `${name}-internals`, { server })))
    const output = { ...config.output, publicPath: '/shop/' }
    // As Gatsby renders its pages.
    const internals = { target: 'node14.15', externalsPresets: { node: false } }
    await logged(() => runCompiler(compile({ ...config, ...internals, output } as never) as never))
    expect((await uploadedOf(intake, `${name}-internals-server`)).map(({ url }) => url)).toEqual([
      '/app/dist/server.cjs',
    ])
    expect(await uploadedOf(intake, `${name}-internals`)).toEqual([])
  },
)

it.each(COMPILERS)(
  'of several configs of %s it says which one has no prefix, by its name or its directory',
  async (_, compile, plugin) => {
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
  },
)

it('compilers for browsers and for Node that write into one directory go to their own places', async () => {
  using directory = temporaryOutput()
  writeSources(directory.path)
  const { path: root } = directory
  const server = { service: 'multi-server', minifiedPathPrefix: '/app/dist' }
  const options = optionsFor(intake, 'multi-web', { server, minifiedPathPrefix: 'https://h/js' })
  const configs = (['web', 'node'] as const).map((target) => configOf(root, symupWebpack(options), target))
  await logged(() => runCompiler(webpack(configs) as never))
  expect((await uploadedOf(intake, 'multi-web')).map(({ url }) => url)).toEqual(['https://h/js/web.js'])
  expect((await uploadedOf(intake, 'multi-server')).map(({ url }) => url)).toEqual(['/app/dist/server.cjs'])
  expect(filesBelow(join(root, 'dist'))).toEqual(['server.cjs', 'web.js'])
})
