import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { usePrintedLines } from '../../../../test/support/printed.ts'
import { MAP, OPTIONS } from '../dry-run.fixture.ts'
import type { SymupOptions } from '../options.ts'
import { bun } from './bun.ts'

// test/bundlers runs Bun itself. These tests use a config and the end of a build.

const directory = useDirectory('each')
const printed = usePrintedLines()

const FILES = ['a.js', 'a.js.map', 'logo.map.png']

interface Build {
  config?: object
  options?: SymupOptions
  success?: boolean
}

/** Sets up and builds. @returns the config that Bun would use, and the output. */
async function build({ config: own = {}, options = OPTIONS, success = true }: Build = {}) {
  printed.length = 0
  const config: Record<string, unknown> = { outdir: directory, publicPath: '/shop/', ...own }
  const ends: ((result: object) => Promise<void> | void)[] = []
  const onEnd = (end: (result: object) => void) => void ends.push(end)
  const hooks = bun.hooks(options) as unknown as { setup(build: object): void }[]
  for (const { setup } of hooks) setup({ config, onEnd })
  for (const file of FILES) writeFileSync(join(directory, file), file.endsWith('.map') ? MAP : 'fail()')
  const outputs = FILES.map((file) => ({ path: join(directory, file) }))
  for (const end of ends) await end({ success, outputs })
  return { config, output: printed.join('\n') }
}

const ADDRESS = '→ /shop/a.js'

it('uploads the files that Bun reports as written, below its publicPath', async () => {
  const { output } = await build()
  expect(output).toContain('minifiedPathPrefix = /shop/ ← publicPath')
  expect(output).toContain(ADDRESS)
})

it.each([
  ['node', '→ /app/dist/a.js'],
  ['bun', '→ /app/dist/a.js'],
  ['browser', ADDRESS],
])('uploads a build for %s with the server option to %s', async (target, address) => {
  const server = { minifiedPathPrefix: '/app/dist' }
  expect((await build({ config: { target }, options: { ...OPTIONS, server } })).output).toContain(address)
})

it('keeps the files of two simultaneous builds apart', async () => {
  const started = ['one', 'two'].map((name) => {
    const ends: ((result: object) => Promise<void> | void)[] = []
    const config = { outdir: join(directory, 'dist'), publicPath: `/${name}/`, root: directory }
    const hooks = bun.hooks(OPTIONS) as unknown as { setup(build: object): void }[]
    for (const { setup } of hooks) setup({ config, onEnd: (end: (result: object) => void) => void ends.push(end) })
    return { files: [`${name}.js`, `${name}.js.map`], ends }
  })
  mkdirSync(join(directory, 'dist'))
  for (const { files } of started)
    for (const file of files) writeFileSync(join(directory, 'dist', file), file.endsWith('.map') ? MAP : 'fail()')
  for (const { files, ends } of started) {
    const outputs = files.map((file) => ({ path: join(directory, 'dist', file) }))
    for (const end of ends) await end({ success: true, outputs })
  }
  expect(printed.join('\n').match(/→ \/\S+/g)).toEqual(['→ /one/one.js', '→ /two/two.js'])
})

describe('source maps in Bun', () => {
  it.each([
    ['unset', undefined, 'external', ''],
    ['false', false, false, 'sourcemaps-off: sourcemap is false'],
    ['none', 'none', 'none', 'sourcemaps-off: sourcemap is none'],
    ['external', 'external', 'external', ''],
    ['linked', 'linked', 'linked', 'maps-linked: sourcemap is linked'],
    ['inline', 'inline', 'inline', ''],
    ['true', true, true, ''],
  ])('configures source maps if sourcemap is %s', async (_, sourcemap, expected, words) => {
    const { config, output } = await build({ config: { sourcemap } })
    expect(config.sourcemap).toBe(expected)
    expect(output).toContain(words)
    for (const code of ['sourcemaps-off', 'maps-linked']) expect(output.includes(code)).toBe(words.startsWith(code))
    if (words !== '') expect(output).toContain("sourcemap: 'external'")
  })

  it.each([
    ['inline', 'inline', 'map-inline'],
    ['true', true, 'map-inline'],
    ['linked', 'external', 'maps-linked'],
  ])('deletes source maps and reports it if sourcemap is %s', async (sourcemap, expected, code) => {
    const { config, output } = await build({
      config: { sourcemap: sourcemap === 'true' ? true : sourcemap },
      options: { ...OPTIONS, deleteAfterUpload: true },
    })
    expect(config.sourcemap).toBe(expected)
    expect(output).toContain(`${code}: sourcemap is ${sourcemap}`)
  })

  it('deletes hidden source maps without a message', async () => {
    const { output } = await build({
      config: { sourcemap: 'external' },
      options: { ...OPTIONS, deleteAfterUpload: true },
    })
    expect(output).not.toMatch(/maps?-/)
    expect(output).toContain(ADDRESS)
  })

  it.each([
    ['are deleted if only the plugin requested them', undefined, false],
    ['are kept if the user requested them', 'external', true],
  ])('%s, and other files are never deleted', async (_, sourcemap, stays) => {
    // Unsent maps are staged, so the plugin clears maps even without an intake.
    await build({
      config: { sourcemap },
      options: {
        ...{ ...OPTIONS, dryRun: false, apiKey: 'a-key', endpoint: 'http://127.0.0.1:1', proxy: '', attempts: 1 },
        cacheDirectory: join(directory, 'cache'),
      },
    })
    expect(FILES.filter((file) => existsSync(join(directory, file)))).toEqual(
      FILES.filter((file) => stays || file !== 'a.js.map'),
    )
  })
})

describe('a build with Bun', () => {
  it('uploads nothing if Bun has no outdir', async () => {
    const { output, config } = await build({ config: { outdir: undefined } })
    expect(output).toBe('[symup] No outdir is set, so nothing is uploaded.')
    expect(console.warn).toHaveBeenCalledOnce()
    expect(config.sourcemap).toBeUndefined()
  })

  it('uploads nothing if the Bun build failed', async () => {
    const { output } = await build({ success: false })
    expect(output).not.toContain(ADDRESS)
    expect(output).not.toContain('Dry run')
  })
})
