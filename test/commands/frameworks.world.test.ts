import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { expectOutcome, runCell, TELLING } from './cell.ts'
import { FRAMEWORKS, FRAMEWORKS_INSTALLED, frameworkNamed, withConfig } from './frameworks.ts'
import { type Intakes, startIntakes } from './intakes.ts'
import type { Tool } from './tools.ts'

/**
 * Frameworks' own commands, like the bundlers' in test/commands/commands.world.test.ts: each in a separate process, in
 * a project outside the workspace.
 */
let intakes: Intakes
beforeAll(async () => {
  await Promise.all([buildPackages(), install(FRAMEWORKS_INSTALLED)])
  intakes = await startIntakes()
}, 300_000)
afterAll(() => intakes.close())

const isMap = (file: string) => /\.(?:[mc]?js|css)\.map$/.test(file)
/** Bundlers' commands cover the leak: frameworks use the same leak guard. */
const SITUATIONS = TELLING.filter(([condition]) => condition !== 'leak')

/** The directory that a framework deploys for browsers, inside its output. */
const DEPLOYED: Readonly<Record<string, string>> = {
  'react-router': 'client/',
  sveltekit: '',
  astro: 'client/',
  nuxt: 'public/',
  next: 'static/',
}

/** Our own lines, without a tool's prefix and box. */
const ownLines = (output: string) =>
  stripVTControlCharacters(output)
    .split(/\r?\n/)
    .flatMap((line) => /(?:\[symup\]|::\w+ title=symup).*/.exec(line)?.[0] ?? [])

describe.each(FRAMEWORKS)(
  '$name',
  (tool) => {
    it.each(SITUATIONS)('%s, %s', async (...situation) => {
      const cell = await runCell(tool, situation, intakes)
      expectOutcome(cell, situation)
      const { files, output } = cell
      const own = ownLines(output)
      expect(own.length, output).toBeGreaterThan(0)
      expect(own).toEqual([...new Set(own)])
      const deployed = files.filter((file) => file.startsWith(DEPLOYED[tool.name] as string))
      expect(deployed.filter(isMap), output).toEqual([])
      // An unusable configuration costs no build time.
      if (situation[0] === 'no key')
        expect(
          deployed.filter((file) => file.endsWith('.js')),
          output,
        ).toEqual([])
    })
  },
  600_000,
)

/** Builds once. @returns the output and what the intake received. */
async function build(tool: Tool, service: string) {
  const named = withConfig(tool, "service: 'shop'", `service: '${service}'`)
  const cell = await runCell(named, ['right', 'no terminal'], intakes)
  const uploads = (await intakes.real.uploads()).filter((upload) => upload.service === service)
  return { ...cell, urls: uploads.map(({ event }) => String('minified_url' in event ? event.minified_url : '')).sort() }
}

/** The server's directory, and where the framework keeps it. */
const SERVERS = [
  ['react-router', 'server/', 'build/server'],
  ['astro', 'server/', 'dist/server'],
] as const

describe('what runs on a server', () => {
  it.concurrent.for(SERVERS)(
    '%s: is not changed, including user maps, and reported once',
    async ([name, below, shown], { expect }) => {
      const tool = withConfig(
        withConfig(frameworkNamed(name), 'build: {', "build: { sourcemap: 'hidden', "),
        "version: '1.2.3'",
        "version: '1.2.3', deleteAfterUpload: true",
      )
      const { files, output, urls } = await build(tool, `${name}-own`)
      expect(output.split(`${shown} runs on a server and is not uploaded`), output).toHaveLength(2)
      expect(files.filter(isMap).length).toBeGreaterThan(0)
      expect(files.filter(isMap).every((file) => file.startsWith(below))).toBe(true)
      expect(urls.length).toBeGreaterThan(0)
      expect(urls.filter((url) => !/^\/(?:assets|_astro)\//.test(url))).toEqual([])
    },
  )

  it.concurrent.for([...SERVERS, ['nuxt', 'server/', '.nuxt/dist/server']] as const)(
    '%s: is uploaded if the option server is set',
    async ([name], { expect }) => {
      const { output, urls } = await build(
        withConfig(frameworkNamed(name), "version: '1.2.3'", "version: '1.2.3', server: true"),
        `${name}-all`,
      )
      expect(output).not.toContain('is not uploaded')
      expect(urls.filter((url) => !/^\/(?:assets|_astro|_nuxt)\//.test(url)).length, output).toBeGreaterThan(0)
    },
  )
}, 600_000)

it('Next.js with webpack: `withSymup` uploads browser scripts and leaves none of their maps', async () => {
  const next = frameworkNamed('next')
  const config = `import withSymup from '@symup/unplugin/next'

export default withSymup(async () => ({ basePath: '/shop' }), { service: 'shop', version: '1.2.3' })
`
  const { exitCode, files, output, urls } = await build(
    { ...next, args: ['build', '--webpack'], files: { ...next.files, 'next.config.mjs': config } },
    'next-with-symup',
  )
  expect(exitCode, output).toBe(0)
  expect(output).toMatch(/Uploaded \d+ artifacts?/)
  expect(output.split('.next/server runs on a server and is not uploaded'), output).toHaveLength(2)
  expect(
    urls.some((url) => /^\/shop\/_next\/static\/chunks\/app\/page-\w+\.js$/.test(url)),
    urls.join('\n'),
  ).toBe(true)
  expect(urls.filter((url) => !url.startsWith('/shop/_next/static/'))).toEqual([])
  expect(files.filter((file) => file.startsWith('static/')).filter(isMap)).toEqual([])
}, 600_000)

it("Nuxt's own plugins make no maps unless configured, and the plugin explains how", async () => {
  const tool = withConfig(frameworkNamed('nuxt'), "sourcemap: { client: 'hidden', server: true },", '')
  const { output } = await runCell(tool, ['right', 'no terminal'], intakes)
  expect(output).toContain("sourcemaps-off: Nuxt's sourcemap.client is false")
  expect(output).toContain("fix: Set sourcemap: { client: 'hidden' } in nuxt.config")
}, 600_000)
