import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import symup from '@symup/unplugin/vite'
import legacy from '@vitejs/plugin-legacy'
import * as vite from 'vite'
import { expect, it } from 'vitest'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, isScript, optionsFor, source, temporaryOutput, WEB_APP } from './bundle.ts'
import { expectUploadedOnce, isMap, newService } from './properties/build.ts'

const intake = useIntake()

/** Builds into a directory. @returns the output. */
const build = (
  outDir: string,
  service: string,
  rollupOptions: vite.BuildOptions['rollupOptions'],
  others: vite.PluginOption[] = [],
) =>
  logged(() =>
    vite.build({
      configFile: false,
      root: WEB_APP,
      base: BASE,
      plugins: [symup(optionsFor(intake, service, { git: false, onError: 'warn' })), ...others],
      worker: { format: 'es' },
      build: { outDir, ...(rollupOptions && { rollupOptions }) },
    }),
  )

const addressesIn = (directory: string) =>
  filesBelow(directory)
    .filter(isScript)
    .map((file) => `${BASE}${file}`)

it('uploads the legacy chunks of plugin-legacy too', async () => {
  using directory = temporaryOutput()
  const service = newService('legacy')
  const others = [legacy({ targets: 'defaults', polyfills: false })]
  const output = await build(directory.path, service, { input: source('main.js') }, others)
  const addresses = addressesIn(directory.path)
  expect(addresses.filter((file) => file.includes('-legacy')).length).toBeGreaterThan(2)
  await expectUploadedOnce(intake, service, addresses)
  expect(output.match(/Uploaded \d+ artifacts?/g)).toHaveLength(1)
})

it('removes the map of a script that a plugin inlined into a page, and names the script without a warning', async () => {
  using directory = temporaryOutput()
  const service = newService('inlined')
  const inliner: vite.Plugin = {
    name: 'inliner',
    generateBundle(_, bundle) {
      for (const [file, output] of Object.entries(bundle))
        if (output.type === 'chunk' && output.name === 'single') delete bundle[file]
    },
  }
  const input = { main: source('main.js'), single: source('single.js') }
  const output = await build(directory.path, service, { input }, [inliner])
  const leftovers = filesBelow(directory.path).filter((file) => isMap(file) || file.includes('single'))
  expect(leftovers).toEqual([])
  await expectUploadedOnce(intake, service, addressesIn(directory.path))
  expect(output).toMatch(
    /info map-orphan: \S*assets\/single-\S+\.js\.map: The script was not uploaded because it was removed or inlined into a page or another script/,
  )
  expect(output).not.toMatch(/\b(?:warning|error)\b/)
})

it('names scripts from plugins without a map, and does not warn about them', async () => {
  using directory = temporaryOutput()
  const code = 'self.check=function(a){if(!a)throw new Error("nothing");return a};self.check(1)'
  const others: vite.Plugin = {
    name: 'others',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'emitted.js', source: code })
    },
    writeBundle: () => writeFileSync(join(directory.path, 'written.js'), code),
  }
  const output = await build(directory.path, newService('others'), { input: source('single.js') }, [others])
  expect(output).toMatch(
    /info no-map: \S+\/emitted\.js: A plugin or another build step wrote or copied this script without providing a source map\./,
  )
  // The bundler does not list this file, so its origin is unknown.
  expect(output).not.toContain('written.js')
  expect(output).toMatch(/Uploaded 1 artifact/)
  expect(output).not.toMatch(/\b(?:warning|error)\b/)
})

// Browsers ignore a script's extension, and a bundler can be configured to use any.
it.each(['', '.es6', '.MJS'])('uploads a script with the extension %j, and deletes its map', async (ending) => {
  using directory = temporaryOutput()
  const service = newService('ending')
  const rollupOptions = { input: source('single.js'), output: { entryFileNames: `[name]${ending}` } }
  const output = await build(directory.path, service, rollupOptions)
  await expectUploadedOnce(intake, service, [`${BASE}single${ending}`])
  expect(output).not.toMatch(/\b(?:warning|error)\b|does not need/)
  expect(filesBelow(directory.path)).toEqual([`single${ending}`])
})

it.each<[string, (plugin: vite.PluginOption) => vite.UserConfig]>([
  ['build.rollupOptions', (own) => ({ build: { rollupOptions: { plugins: own } } })],
  ['build.rollupOptions', (own) => ({ build: { rollupOptions: { output: { plugins: own } } } })],
  ['worker.plugins', (own) => ({ worker: { format: 'es', plugins: () => [own] } })],
])('refuses to run in %s, before any file is written', async (place, withPlugin) => {
  using directory = temporaryOutput()
  const { build: own, ...config } = withPlugin(symup(optionsFor(intake, newService('misplaced'))))
  const { rollupOptions } = { rollupOptions: {}, ...own }
  const run = () =>
    vite.build({
      ...{ configFile: false, root: WEB_APP, base: BASE, logLevel: 'silent', ...config },
      build: { outDir: directory.path, rollupOptions: { input: source('main.js'), ...rollupOptions } },
    })
  await logged(() => expect(run()).rejects.toThrow(`The symup plugin does not work in ${place}`))
  expect(filesBelow(directory.path)).toEqual([])
})
