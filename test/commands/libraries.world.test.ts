import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { useIntake } from '../support/intake.ts'
import { outputOf } from './project.ts'
import { runIn } from './terminals.ts'

const FIXTURE = join(ROOT, 'fixtures/commands/libraries')
// Below node_modules, TypeScript generates no declarations.
const SOURCES = readdirSync(FIXTURE).filter((name) => !/^(?:node_modules|dist|\.build-.*)$/.test(name))
const DECLARATIONS = /\[symup\] This build writes only type declarations, so nothing is uploaded\./g

const intake = useIntake()
beforeAll(() => Promise.all([buildPackages(), install(FIXTURE)]), 300_000)

/** Runs a library's own build command in a copy below the fixture, where the packages can be resolved. */
async function build(
  command: readonly [script: string, ...args: string[]],
  service: string,
  env: NodeJS.ProcessEnv = {},
) {
  const directory = mkdtempSync(join(FIXTURE, '.build-'))
  try {
    for (const name of SOURCES) cpSync(join(FIXTURE, name), join(directory, name), { recursive: true })
    const settings = { SYMUP_ENDPOINT: intake.url, SYMUP_API_KEY: 'dev-api-key', NO_COLOR: '1' }
    const [script, ...args] = command
    const program = [process.execPath, join(FIXTURE, 'node_modules', script), ...args]
    const ended = await runIn('no terminal', program, directory, { ...settings, ...env })
    expect(ended.exitCode, ended.output).toBe(0)
    const uploads = (await intake.uploads()).filter((upload) => upload.service === service)
    return { output: ended.output, files: outputOf(directory), uploads: uploads.length }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

it('uploads and reports only the script in `rollup -c` if a rollup-plugin-dts build also has the plugin', async () => {
  const { output, files, uploads } = await build(['rollup/dist/bin/rollup', '-c'], 'library')
  expect(files).toEqual(['index.d.ts', 'total.js'])
  expect(output.match(DECLARATIONS)).toHaveLength(1)
  expect(output.match(/Uploaded \d+ artifacts?/g)).toHaveLength(1)
  expect(output).not.toContain('nothing-found')
  expect(uploads).toBe(1)
}, 240_000)

it('uploads nothing in `rolldown -c` with only type declarations, and reports it once', async () => {
  const { output, files, uploads } = await build(['rolldown/bin/cli.mjs', '-c'], 'declarations')
  expect(files).toEqual(['index.d.ts'])
  expect(output.match(DECLARATIONS)).toHaveLength(1)
  expect(output).not.toMatch(/nothing-found|Uploaded/)
  expect(uploads).toBe(0)
}, 240_000)

it('uploads the script in `tsdown` with declaration maps, and keeps declarations and their maps unchanged', async () => {
  const { output, files } = await build(['tsdown/dist/run.mjs'], 'tsdown-library', { DECLARATION_MAPS: '1' })
  expect(output).toMatch(/Uploaded 1 artifact/)
  expect(files.filter((file) => file.endsWith('.d.mts'))).toEqual(['index.d.mts'])
  expect(files.filter((file) => file.includes('.d.') && file.endsWith('.map'))).toEqual(['index.d.mts.map'])
}, 120_000)

it('uploads each file once in `tsdown` with two concurrent formats, and leaves no map', async () => {
  const { output, files } = await build(['tsdown/dist/run.mjs'], 'tsdown-library', { FORMATS: 'esm,cjs' })
  const scripts = files.filter((file) => /\.[mc]?js$/.test(file))
  expect(scripts).toEqual(['index.cjs', 'index.mjs', 'total.cjs', 'total.mjs'])
  expect(files.filter((file) => /\.[mc]?js\.map$/.test(file))).toEqual([])
  const uploaded = [...output.matchAll(/Uploaded (\d+) artifacts?/g)].map(([, count]) => Number(count))
  expect(
    uploaded.reduce((sum, count) => sum + count, 0),
    output,
  ).toBe(4)
  expect(output).not.toMatch(/error [a-z-]+:|map-(?:missing|not-deleted)/)
}, 240_000)

it('uploads the output of `tsup`, which writes the files itself, and leaves neither maps nor references to them', async () => {
  const { output, files, uploads } = await build(['tsup/dist/cli-default.js'], 'tsup-library')
  expect(output).toMatch(/Uploaded 1 artifact/)
  expect(output).toContain('Removed 1 source map from outputFiles.')
  expect(files).toEqual(['index.js'])
  expect(uploads).toBe(1)
}, 120_000)

it('uploads the script of a library in `vite build` with vite-plugin-dts, and keeps declarations unchanged', async () => {
  const { output, files, uploads } = await build(['vite/bin/vite.js', 'build'], 'vite-library')
  expect(output).toMatch(/Uploaded 1 artifact/)
  expect(files.filter((file) => file.endsWith('.d.ts'))).toEqual(['index.d.ts'])
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
  expect(uploads).toBe(1)
}, 240_000)
