import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import symup from '@symup/unplugin/vite'
import { build, createServer, type InlineConfig } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { printedLines } from '../support/printed.ts'

const intake = useIntake()
const place = useDirectory()
beforeAll(() => {
  output = printedLines()
  writeFileSync(join(place, 'index.html'), '<script type="module" src="./main.js"></script>')
  writeFileSync(join(place, 'main.js'), 'console.log("hello", location.href)\n')
})
afterAll(() => {
  vi.restoreAllMocks()
})

let output: string[]

function config(options: Parameters<typeof symup>[0], extra: InlineConfig = {}): InlineConfig {
  output.length = 0
  const named = { apiKey: 'dev-api-key', service: 's', version: '1', ...options }
  return { root: place, configFile: false, plugins: [symup(named)], ...extra }
}

describe('a Vite build', () => {
  it('uploads nothing while watching, and reports it once', async () => {
    const watcher = await build(config({ endpoint: intake.url }, { build: { watch: {} } }))
    if (!('on' in watcher)) throw new Error('vite did not watch')
    const built = (number: number) =>
      new Promise<void>((done) => {
        watcher.on('event', (event) => {
          if (event.code === 'END' && --number === 0) done()
        })
      })
    await built(1)
    const rebuilt = built(1)
    writeFileSync(join(place, 'main.js'), 'console.log("again", location.href)\n')
    await rebuilt
    await watcher.close()
    expect(await intake.uploads()).toEqual([])
    expect(output.filter((text) => text.includes('nothing is uploaded'))).toHaveLength(1)
  })

  it('uploads nothing in the dev server, which needs no key', async () => {
    const server = await createServer(config({ endpoint: intake.url, apiKey: '' }, { server: { port: 0 } }))
    await server.listen()
    await fetch(new URL('/main.js', server.resolvedUrls?.local[0])).then((response) => response.text())
    await server.close()
    expect(await intake.uploads()).toEqual([])
    expect(output).toEqual([])
  })

  it('uploads nothing if the plugin is turned off, or in a dry run, which shows the plan', async () => {
    await build(config({ endpoint: intake.url, enabled: false }))
    await build(config({ endpoint: intake.url, dryRun: true }))
    expect(output.join('\n')).toContain('/assets/index-')
    expect(await intake.uploads()).toEqual([])
  })
})

describe('the prefix in a Vite build', () => {
  it.each([
    ['a relative base', { base: './' }, "Vite's base is relative ('./')."],
    [
      'URLs from a function',
      { experimental: { renderBuiltUrl: (file: string) => `https://cdn.example.com/${file}` } },
      'experimental.renderBuiltUrl in the Vite config determines the URLs',
    ],
  ])('infers no prefix from %s, and asks for it before the build', async (_, extra, reason) => {
    const load = vi.fn()
    const given = config({ endpoint: intake.url }, extra)
    const built = build({ ...given, plugins: [...(given.plugins ?? []), { name: 'other', load }] })
    await expect(built).rejects.toThrow('prefix-missing')
    await expect(built).rejects.toThrow(reason)
    expect(load).not.toHaveBeenCalled()
  })
})
