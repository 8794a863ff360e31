import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runIn } from '../commands/terminals.ts'
import { buildPackages } from '../support/build-package.ts'
import { useChromium } from '../support/chromium.ts'
import { filesBelow } from '../support/files-below.ts'
import { install } from '../support/install.ts'
import { useIntake } from '../support/intake.ts'
import { installNode } from '../support/old-node.ts'
import { enrich, positionOf } from '../support/resolve.ts'
import { serve, serveBy } from '../support/serve.ts'
import { needsChromium } from '../support/tool.ts'
import { wanted } from './majors.ts'
import { addOwnFiles, expectNoMaps } from './own-files.ts'
import { ALL, STARTERS, type Starter } from './starters.ts'

/** Starter projects with servers. The tool's own command builds each project twice, and then errors are thrown in Chromium and in Node. */

const chromium = needsChromium()
const withPage = useChromium()

const intake = useIntake()
const made: string[] = []
const closing: (() => Promise<void>)[] = []
beforeAll(() => Promise.all([buildPackages(), install(STARTERS)]), 300_000)
afterAll(async () => {
  for (const close of closing) await close()
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

/** The directory in which the packages of a starter are installed. Its own packages get a directory for each set of versions. */
async function installed({ name, packages }: Starter): Promise<string> {
  if (!packages) return STARTERS
  const directory = join(
    STARTERS,
    `.${name}-${createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 8)}`,
  )
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies: wanted(packages) }))
  await install(directory)
  return directory
}

/** The starter, below the installed packages, with files from its user. */
function copyOf({ name, statics, changes = {}, extra = [] }: Starter, packages: string): string {
  const directory = mkdtempSync(join(packages, '.build-'))
  made.push(directory)
  cpSync(join(STARTERS, name), directory, { recursive: true })
  for (const [file, text] of Object.entries(changes)) {
    if (text === undefined) rmSync(join(directory, file))
    else writeFileSync(join(directory, file), text)
  }
  addOwnFiles(join(directory, statics))
  for (const [from, to] of extra) cpSync(join(packages, 'node_modules', from), join(directory, statics, to))
  return directory
}

/** The arguments for a starter's Node that run a script. */
const scriptOf = (directory: string, script: string) =>
  script.startsWith('./') ? script : join(dirname(directory), 'node_modules', script)

const programOf = ({ node }: Starter) => (node ? installNode(node) : process.execPath)

async function build(starter: Starter, directory: string): Promise<string> {
  const [script, ...args] = starter.build
  const program = programOf(starter)
  const env = {
    SYMUP_ENDPOINT: intake.url,
    SYMUP_API_KEY: 'dev-api-key',
    NO_COLOR: '1',
    NODE_ENV: 'production',
    // Qwik reads this variable to choose the package manager that runs package.json scripts.
    npm_config_user_agent: 'npm/10.0.0 node/v20.0.0 linux x64',
    PATH: `${dirname(program)}:${process.env.PATH}`,
  }
  rmSync(join(directory, starter.output), { recursive: true, force: true })
  const ended = await runIn('no terminal', [program, scriptOf(directory, script), ...args], directory, env)
  expect(ended.exitCode, ended.output).toBe(0)
  return ended.output
}

/** Starts the app's own server, or a plain one. @returns its URL. */
async function serving(starter: Starter, directory: string): Promise<string> {
  const { server, output, deployed } = starter
  const site = server
    ? await serveBy(directory, programOf(starter), (port) => {
        const [script, ...args] = server(port)
        return [scriptOf(directory, script), ...args]
      })
    : await serve(join(directory, output, deployed), '/')
  closing.push(site.close)
  return site.url
}

const stackIn = (url: string) =>
  withPage(url, async (page) => {
    const isThrown = async () => {
      await page.click('#fail', { timeout: 5_000 })
      return page.evaluate(() => 'stack' in globalThis)
    }
    // Waits until the page's code listens to its button.
    await expect.poll(isThrown, { timeout: 20_000 }).toBe(true)
    return page.evaluate(() => (globalThis as unknown as { stack: string }).stack)
  })

const shownOf = ({ name, packages, with: other }: Starter) =>
  [name, packages && Object.values(packages)[0], other && `with ${other}`].filter(Boolean).join(' ')

describe.skipIf(!chromium.isThere)(`starter projects${chromium.reason}`, () => {
  it.each(ALL.map((one) => ({ shown: shownOf(one), ...one })))(
    '$shown: resolves errors in browser and server after two builds, and changes no other files',
    async (starter) => {
      const { output, deployed, service, serverService, total, caller } = starter
      const directory = copyOf(starter, await installed(starter))
      const first = await build(starter, directory)
      expect(first).toMatch(/Uploaded \d+ artifacts?/)
      const files = filesBelow(join(directory, output))
      const again = await build(starter, directory)
      expect(again).toMatch(/Uploaded \d+ artifacts?/)
      expect(filesBelow(join(directory, output))).toEqual(files)

      expectNoMaps(join(directory, output, deployed), true)
      // SvelteKit's adapter writes files with their own maps.
      if (!starter.keepsServerMaps) expect(files.filter((file) => /\/.*\.map$/.test(file))).toHaveLength(1)
      expect(`${first}${again}`).not.toMatch(/\bwarning (?:no-map|map-stale|map-incomplete|maps-linked)\b/)

      if (starter.precaches !== undefined) {
        expect(readFileSync(join(directory, output, deployed, starter.precaches), 'utf8')).not.toMatch(/\.js\.map\b/)
        const own = (await intake.uploads()).filter((upload) => upload.service === service)
        const urls = own.map(({ event }) => 'minified_url' in event && event.minified_url)
        expect(urls).toContain(`/${starter.precaches}`)
      }

      const url = await serving(starter, directory)
      const thrown = positionOf(join(directory, total), 'throw new RangeError', directory)
      const place = ({ file, line }: { file: string; line: number }) =>
        `${file.replace(/^.*?(?=(?:src|app)\/)/, '')}:${line}`
      const stack = await stackIn(url)
      const frames = (await enrich(intake, stack, service)).map(place)
      expect(frames[0], `${stack}\n${frames.join('\n')}`).toBe(place(thrown))
      // Minifiers inline the call, so its frame may have another index.
      expect(frames.join('\n'), stack).toContain(caller)

      if (serverService === undefined) return
      const onServer = (await (await fetch(`${url}fail`)).text()).replaceAll(directory, '/app')
      const [innermost] = (await enrich(intake, onServer, serverService)).map(place)
      expect(innermost, onServer).toBe(place(thrown))
    },
    600_000,
  )
})
