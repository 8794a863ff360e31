import symupEsbuild from '@symup/unplugin/esbuild'
import symupRolldown from '@symup/unplugin/rolldown'
import symupRollup from '@symup/unplugin/rollup'
import symupVite from '@symup/unplugin/vite'
import * as esbuild from 'esbuild'
import * as rolldown from 'rolldown'
import * as rollup from 'rollup'
import * as vite from 'vite'
import { expect, it } from 'vitest'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'

// Browsers do not look at how a script's name ends, and a bundler can be told to use any.

const intake = useIntake()
const input = source('single.js')
const options = (service: string) => optionsFor(intake, service, { git: false, minifiedPathPrefix: BASE })

/** Name of the script, whose ending is given with its dot. */
type Build = (dir: string, ending: string, service: string) => Promise<unknown>

const written: readonly [name: string, build: Build][] = [
  [
    'vite',
    (outDir, ending, service) =>
      vite.build({
        configFile: false,
        root: WEB_APP,
        plugins: [symupVite(options(service))],
        build: { outDir, rollupOptions: { input, output: { entryFileNames: `[name]${ending}` } } },
      }),
  ],
  [
    'rollup',
    async (dir, ending, service) => {
      const plugins = [symupRollup(options(service))]
      const bundle = await rollup.rollup({ input, plugins })
      await bundle.write({ dir, entryFileNames: `[name]${ending}` })
      await bundle.close()
    },
  ],
  [
    'rolldown',
    async (dir, ending, service) => {
      const plugins = [symupRolldown(options(service))]
      const bundle = await rolldown.rolldown({ input, plugins: plugins as rolldown.RolldownPluginOption[] })
      await bundle.write({ dir, entryFileNames: `[name]${ending}` })
      await bundle.close()
    },
  ],
  [
    'esbuild',
    (outdir, ending, service) =>
      esbuild.build({
        entryPoints: [input],
        outdir,
        bundle: true,
        logLevel: 'silent',
        plugins: [symupEsbuild(options(service))],
        ...(ending !== '' && { outExtension: { '.js': ending } }),
      }),
  ],
]

it.each(
  written.flatMap(([name, build]) =>
    ['', '.es6', '.MJS'].flatMap((ending) =>
      name === 'esbuild' && ending === '' ? [] : [[name, ending, build] as const],
    ),
  ),
)('%s: a script that ends in %j is uploaded, and its map deleted', async (name, ending, build) => {
  using directory = temporaryOutput()
  const service = `${name}-${ending.slice(1)}`
  const output = await logged(() => build(directory.path, ending, service))
  expect((await uploadedOf(intake, service)).map(({ url }) => url)).toEqual([`${BASE}single${ending}`])
  expect(output).toContain('Uploaded 1 of 1 artifacts')
  expect(output).not.toMatch(/\b(?:warning|error)\b|no use for/)
  expect(filesBelow(directory.path)).toEqual([`single${ending}`])
})
