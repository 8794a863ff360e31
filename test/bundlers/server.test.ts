import { execFile } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import symup from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import webpack from 'webpack'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { enrich } from '../support/resolve.ts'
import { optionsFor, temporaryOutput, uploadedOf } from './bundle.ts'
import { runCompiler } from './bundlers.ts'
import { buildsForNode, configOf, configuresNode, THROWN, writeSources } from './properties/server.ts'

const intake = useIntake()

/** Builds a server with Vite. @returns the stack that Node prints in its deployed location. */
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

describe('a stack from Node', () => {
  it.each(['es', 'cjs'] as const)(
    'resolves in a %s build if the server runs from the build directory',
    async (format) => {
      using directory = temporaryOutput()
      const { stack, output } = await stackOf(directory.path, `node-${format}`, format, true)
      expect(stack).toContain(format === 'es' ? 'file://' : `(${directory.path}`)
      expect(output).toContain('Uploaded 1 artifact')
      const [frame] = await enrich(intake, stack, `node-${format}`)
      expect(frame, stack).toMatchObject({ file: 'src/price.js', line: THROWN })
      // No map remains, because only the plugin requested the maps.
      expect(filesBelow(join(directory.path, 'dist')).filter((file) => file.endsWith('.map'))).toEqual([])
    },
  )

  it('resolves under the service and the directory from the option', async () => {
    using directory = temporaryOutput()
    const place = join(directory.path, 'app')
    const server = { service: 'node-own', minifiedPathPrefix: `file://${place}` }
    const { stack, output } = await stackOf(directory.path, 'node-browsers', 'es', server, 'app')
    expect(output).toContain(`Settings for server code: service = node-own, minifiedPathPrefix = file://${place}`)
    expect(stack).toContain(place)
    expect((await enrich(intake, stack, 'node-own'))[0]).toMatchObject({ file: 'src/price.js', line: THROWN })
    expect(await uploadedOf(intake, 'node-browsers')).toEqual([])
    expect(readFileSync(join(place, 'server.mjs'), 'utf8')).not.toContain('sourceMappingURL')
  })
})

describe('the server option in webpack', () => {
  buildsForNode(
    'webpack',
    (root, options) => runCompiler(webpack(configOf(root, symupWebpack(options))) as never),
    intake,
  )
  configuresNode({ name: 'webpack', compile: webpack, plugin: symupWebpack }, intake)
})

it('uses separate prefixes for browser and Node compilers that write into one directory', async () => {
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
