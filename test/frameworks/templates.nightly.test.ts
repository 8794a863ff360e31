import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { runIn } from '../commands/terminals.ts'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { useChromium } from '../support/chromium.ts'
import { symup } from '../support/command.ts'
import { useDirectory, writeIn } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { installNode, NODE_22 } from '../support/old-node.ts'
import { enrich } from '../support/resolve.ts'
import { serve, serveBy } from '../support/serve.ts'
import type { Site } from '../support/server.ts'
import { needsChromium } from '../support/tool.ts'
import { expectNoMaps } from './own-files.ts'
import { TEMPLATES, type Template } from './templates.ts'

/**
 * The output of `npm create`, used as a newcomer would: `npm install`, `symup init`, `npm run build`, and an error in
 * Chromium. The versions are the current ones within a major version, so that template changes are noticed.
 */

const chromium = needsChromium()
const withPage = useChromium(['--allow-file-access-from-files'])

const TOTAL = `export function total(price) {
  if (price < 0) throw new RangeError('below zero: ' + price)
  return price
}
`
const TYPED = TOTAL.replace('(price)', '(price: number)')
// The call is written in a way that prevents minifiers from inlining it.
const FAILING = `Object.assign(window, { total })
try {
  Reflect.get(window, 'total')(-document.title.length - 1)
} catch (error) {
  Object.assign(window, { stack: error })
}
`

const intake = useIntake()
const place = useDirectory()
beforeAll(async () => {
  await buildPackages()
}, 300_000)

const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env
const QUIET = {
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  NUXT_TELEMETRY_DISABLED: '1',
  TANSTACK_CLI_TELEMETRY_DISABLED: '1',
}

/** Runs a command as in a user's terminal, but without questions. */
async function run(command: string, cwd: string, path = PATH): Promise<void> {
  const [program = '', ...args] = command.split(' ')
  const env = { PATH: path, HOME, NODE_EXTRA_CA_CERTS, CI: '1', ...QUIET }
  const running = promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 })
  running.child.stdin?.end()
  await running
}

/** Puts a package there the way an install does: its dependencies are its own, and its peer dependencies are the app's. */
function put(place: string, from: string): void {
  cpSync(from, place, { recursive: true, filter: (path) => !/^(?:node_modules|src)$/.test(basename(path)) })
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const to = join(place, 'node_modules', name)
    mkdirSync(dirname(to), { recursive: true })
    symlinkSync(realpathSync(join(from, 'node_modules', name)), to)
  }
}

async function projectOf({ create, files = {}, isApp }: Template, path: string): Promise<string> {
  const at = mkdtempSync(join(place, 'of-'))
  const app = join(at, 'app')
  if (create !== undefined) await run(`npx --yes ${create}`, at, path)
  for (const [path, text] of Object.entries(files)) writeIn(app, path, text)
  await run('npm pkg set version=1.2.3', app)
  // Electron's package downloads its program from another site in a script.
  await run(`npm install --no-audit --no-fund${isApp ? ' --ignore-scripts' : ''}`, app, path)
  for (const [name, of] of [
    ['@symup/unplugin', 'unplugin'],
    ['@symup/angular', 'angular'],
    ['symup', 'cli'],
  ] as const)
    put(join(app, 'node_modules', name), join(ROOT, 'packages', of))
  // npm makes the command executable when it installs.
  const command = join(ROOT, 'packages/cli/dist/main.js')
  writeFileSync(join(app, 'node_modules/.bin/symup'), `#!/bin/sh\nexec node '${command}' "$@"\n`, { mode: 0o755 })
  return app
}

/** Makes the page throw an error while loading. */
function addError(app: string, main: string): string {
  const isTyped = /\.tsx?$/.test(main)
  const total = join(dirname(main), `total.${isTyped ? 'ts' : 'js'}`)
  writeFileSync(join(app, total), isTyped ? TYPED : TOTAL)
  const text = readFileSync(join(app, main), 'utf8')
  writeFileSync(join(app, main), `import { total } from './total'\n${text}\n${FAILING}`)
  return total
}

const stackIn = (url: string) =>
  withPage(url, async (page) => {
    await page.waitForFunction(() => 'stack' in globalThis, undefined, { timeout: 20_000 })
    return page.evaluate(() => (globalThis as unknown as { stack: Error }).stack.stack as string)
  })

/** Serves the app with its own server, a plain one, or none. */
async function serving({ server, isApp }: Template, app: string, output: string, node: string): Promise<Site> {
  if (isApp) return { url: pathToFileURL(join(output, 'index.html')).href, close: async () => undefined }
  if (!server) return serve(output, '/')
  return serveBy(app, node, server)
}

/** Builds the app as its user would, and makes the page throw an error. */
async function buildAndThrow(
  template: Template,
  app: string,
  args: readonly string[],
  total: string,
  node: string,
): Promise<void> {
  const output = join(app, template.output ?? 'dist')
  const env = {
    SYMUP_ENDPOINT: intake.url,
    SYMUP_API_KEY: 'dev-api-key',
    NO_COLOR: '1',
    PATH: `${dirname(node)}:${PATH}`,
    ...QUIET,
  }
  const built = await runIn('no terminal', ['npm', 'run', 'build', ...args], app, env)
  expect(built.exitCode, built.output).toBe(0)
  expect(built.output).toMatch(/Uploaded \d+ artifacts?/)
  // The template is not in a repository, so a warning about git is allowed.
  expect(built.output).not.toMatch(/^\[symup\] (?:warning|error) (?!git-incomplete)/m)
  expectNoMaps(output, false)

  const site = await serving(template, app, output, node)
  try {
    const stack = await stackIn(site.url)
    const frames = await enrich(intake, stack, 'app')
    expect(frames[0], JSON.stringify(stack)).toMatchObject({ line: 2 })
    // Create React App's source names start at `src`.
    const named = frames.map(({ file }) => basename(file))
    expect(named[0]).toBe(basename(total))
    expect(named).toContain(basename(template.main))
  } finally {
    await site.close()
  }
}

describe.skipIf(!chromium.isThere)(`project templates${chromium.reason}`, () => {
  it.each(TEMPLATES)(
    '$name: installs, initializes, builds and resolves an error',
    { timeout: 900_000 },
    async (template) => {
      const node = template.needsNode22 ? installNode(NODE_22) : process.execPath
      const app = await projectOf(template, `${dirname(node)}:${PATH}`)
      try {
        const init = await symup(['init', '--yes'], { cwd: app })
        expect([init.exitCode, init.stderr]).toEqual([0, ''])
        const total = addError(app, template.main)
        for (const args of template.builds ?? [[]]) {
          await buildAndThrow(template, app, args, total, node)
          // The next build must not find files from this one.
          await rm(join(app, (template.output ?? 'dist').split('/', 1)[0] as string), { recursive: true, force: true })
        }
      } finally {
        // An app's directory contains tens of thousands of files.
        await rm(dirname(app), { recursive: true, force: true })
      }
    },
  )
})
