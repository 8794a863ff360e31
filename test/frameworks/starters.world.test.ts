import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Intake, startIntake } from '@symup/intake'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runIn } from '../commands/terminals.ts'
import { findChromium, withPage } from '../support/browser.ts'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { enrich, positionOf } from '../support/resolve.ts'
import { serve } from '../support/serve.ts'
import { needs } from '../support/tool.ts'
import { addOwnFiles, expectNoMaps, filesBelow } from './own-files.ts'

/** What starters make, with servers: built by the tool's own command, twice, then thrown in Chromium and in Node. */

const STARTERS = join(ROOT, 'fixtures/commands/starters')
const executable = findChromium()
const chromium = needs('Chromium', executable !== undefined, 'Debian: chromium')

interface Starter {
  name: string
  /** The build command's script, below `node_modules`, and its arguments. */
  build: readonly [string, ...string[]]
  /** What the build writes, and of it what browsers get. */
  output: string
  deployed: string
  /** What is copied into it as it is. */
  statics: string
  /** A script below `node_modules` or the app, and its arguments, that serves it; it is told the port. Default: any web server. */
  server?(port: number): readonly [string, ...string[]]
  /** Services as the config names them: for browsers, and for the server if its stacks are uploaded too. */
  service: string
  serverService?: string
  /** Where `total` is, and who calls it. */
  total: string
  caller: string
  /** Files that the user has in the static directory, as something else wrote them into the app. */
  extra?: readonly (readonly [from: string, to: string])[]
}

const FOR_VITE = ['vite/bin/vite.js', 'build'] as const

const ALL: readonly Starter[] = [
  {
    name: 'qwik',
    // It builds for browsers, then its preview server, and checks the types of the config with the TypeScript of the starter, 5.4.
    build: ['@builder.io/qwik/qwik-cli.cjs', 'build', 'preview'],
    output: 'dist',
    deployed: '',
    statics: 'public',
    server: (port) => ['vite/bin/vite.js', 'preview', '--strictPort', '--host', '127.0.0.1', '--port', `${port}`],
    service: 'qwik',
    total: 'src/lib/total.ts',
    caller: 'src/routes/index.tsx',
  },
  {
    name: 'react-router',
    build: ['@react-router/dev/bin.js', 'build'],
    output: 'build',
    deployed: 'client',
    statics: 'public',
    server: () => ['@react-router/serve/bin.js', 'build/server/index.js'],
    service: 'react-router',
    serverService: 'react-router-server',
    total: 'app/total.ts',
    caller: 'app/home.tsx',
  },
  {
    name: 'sveltekit',
    build: FOR_VITE,
    output: 'build',
    deployed: 'client',
    statics: 'static',
    server: () => ['./build/index.js'],
    service: 'sveltekit-node',
    serverService: 'sveltekit-server',
    total: 'src/lib/total.ts',
    caller: 'src/routes/+page.svelte',
  },
  {
    name: 'bulletproof',
    build: FOR_VITE,
    output: 'dist',
    deployed: '',
    statics: 'public',
    service: 'bulletproof',
    total: 'src/features/cart/total.ts',
    caller: 'src/app/routes/cart.tsx',
    extra: [['msw/lib/mockServiceWorker.js', 'mockServiceWorker.js']],
  },
]

let intake: Intake
const made: string[] = []
const running: ChildProcess[] = []
const closing: (() => Promise<void>)[] = []
beforeAll(async () => {
  await Promise.all([buildPackages(), install(STARTERS)])
  intake = await startIntake()
}, 300_000)
afterAll(async () => {
  for (const server of running) server.kill()
  for (const close of closing) await close()
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
  await intake.close()
})

/** The starter, below what is installed, with files of its user's. */
function copyOf({ name, statics, extra = [] }: Starter): string {
  const directory = mkdtempSync(join(STARTERS, '.build-'))
  made.push(directory)
  cpSync(join(STARTERS, name), directory, { recursive: true })
  addOwnFiles(join(directory, statics))
  for (const [from, to] of extra) cpSync(join(STARTERS, 'node_modules', from), join(directory, statics, to))
  return directory
}

const scriptOf = (script: string) => (script.startsWith('./') ? script : join(STARTERS, 'node_modules', script))

async function build({ build: [script, ...args], output }: Starter, directory: string): Promise<string> {
  const env = {
    SYMUP_ENDPOINT: intake.url,
    SYMUP_API_KEY: 'dev-api-key',
    NO_COLOR: '1',
    NODE_ENV: 'production',
    // Whom Qwik asks to run the scripts of package.json.
    npm_config_user_agent: 'npm/10.0.0 node/v20.0.0 linux x64',
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  }
  rmSync(join(directory, output), { recursive: true, force: true })
  const ended = await runIn('no terminal', [process.execPath, scriptOf(script), ...args], directory, env)
  expect(ended.exitCode, ended.output).toBe(0)
  return ended.output
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}

/** Starts the app's own server, or any. @returns its address. */
async function serving({ server, output, deployed }: Starter, directory: string): Promise<string> {
  if (!server) {
    const site = await serve(join(directory, output, deployed), '/')
    closing.push(site.close)
    return site.url
  }
  const port = await freePort()
  const [script, ...args] = server(port)
  const env = { ...process.env, NODE_ENV: 'production', PORT: `${port}`, HOST: '127.0.0.1' }
  const child = spawn(process.execPath, [scriptOf(script), ...args], { cwd: directory, env })
  running.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text))
  const url = `http://127.0.0.1:${port}/`
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok || said,
      () => said,
    )
  await expect.poll(answers, { timeout: 30_000, interval: 200 }).toBe(true)
  return url
}

const stackIn = (url: string) =>
  withPage(executable as string, url, async (page) => {
    const isThrown = async () => {
      await page.click('#fail', { timeout: 5_000 })
      return page.evaluate(() => 'stack' in globalThis)
    }
    // Until the page's code listens to its button.
    await expect.poll(isThrown, { timeout: 20_000 }).toBe(true)
    return page.evaluate(() => (globalThis as unknown as { stack: string }).stack)
  })

describe.skipIf(!chromium.isThere)(`starters${chromium.reason}`, () => {
  it.each(ALL)(
    '$name: built twice, thrown in browser and server, and nothing else touched',
    async (starter) => {
      const { output, deployed, service, serverService, total, caller } = starter
      const directory = copyOf(starter)
      const first = await build(starter, directory)
      expect(first).toMatch(/Uploaded (\d+) of \1 artifacts/)
      const files = filesBelow(join(directory, output))
      const again = await build(starter, directory)
      expect(again).toMatch(/Uploaded (\d+) of \1 artifacts/)
      expect(filesBelow(join(directory, output))).toEqual(files)

      expectNoMaps(join(directory, output, deployed), true)
      // Files of SvelteKit's adapter come with maps of their own.
      expect(files.filter((file) => /\/.*\.map$/.test(file))).toHaveLength(1)
      expect(`${first}${again}`).not.toMatch(/\b(?:no-map|map-stale|map-incomplete|map-orphan)\b/)

      const url = await serving(starter, directory)
      const thrown = positionOf(join(directory, total), 'throw new RangeError', directory)
      const place = ({ file, line }: { file: string; line: number }) =>
        `${file.replace(/^.*?(?=(?:src|app)\/)/, '')}:${line}`
      const stack = await stackIn(url)
      const frames = (await enrich(intake, stack, service)).map(place)
      expect(frames[0], `${stack}\n${frames.join('\n')}`).toBe(place(thrown))
      // Minifiers inline the call.
      expect(frames.join('\n'), stack).toContain(caller)

      if (serverService === undefined) return
      const onServer = (await (await fetch(`${url}fail`)).text()).replaceAll(directory, '/app')
      const [innermost] = (await enrich(intake, onServer, serverService)).map(place)
      expect(innermost, onServer).toBe(place(thrown))
    },
    240_000,
  )
})
