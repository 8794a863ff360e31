import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { buildViteApp, VITE_APP } from '../support/build-fixture.ts'
import { symup, symupArguments } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { useServer } from '../support/server.ts'

/**
 * Searches all output and files from a run for the keys, in any form. Other tests check their own outputs. `symup()`
 * and `buildViteApp()` do so for each of their runs.
 */
const API_KEY = `upload-${randomBytes(12).toString('hex')}`
const APP_KEY = `app-${randomBytes(12).toString('hex')}`

const root = useDirectory()
const kept = join(root, 'outputs')
mkdirSync(kept)

/** The key in the forms in which programs write text. */
function formsOf(key: string): Buffer[] {
  const bytes = Buffer.from(key)
  // In other base64, the key starts at one of three offsets. Its first and last characters depend on the surrounding text.
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return text.slice(offset === 0 ? 0 : 4, -4)
  })
  return [key, bytes.toString('hex'), bytes.toString('utf16le'), ...base64].map((form) => Buffer.from(form))
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path).isFile())
}

const leaks = (directory: string) =>
  filesBelow(directory).filter((path) => {
    const content = readFileSync(path)
    return [API_KEY, APP_KEY].flatMap(formsOf).some((form) => content.includes(form))
  })

/** A server that echoes everything it receives. */
const echo = useServer(({ headers, url }, response) => {
  const key = headers['dd-api-key']
  response.setHeader('X-Echo', 'yes').writeHead(url?.startsWith('/moved') ? 308 : 400, {
    'Content-Type': 'application/json',
    'Service-Request-Id': String(key),
    Location: `http://example.com/${key}`,
  })
  response.end(JSON.stringify({ error: { code: 'InvalidParameter', message: `Key ${key} of ${url} is unknown` } }))
})

async function startIntake() {
  const args = ['intake', '--port', '0', '--data', join(root, 'data')]
  const child = spawn(process.execPath, symupArguments(args))
  let printed = ''
  child.stdout.on('data', (text) => (printed += text))
  child.stderr.on('data', (text) => (printed += text))
  const line = await new Promise<string>((done) => createInterface(child.stdout).once('line', done))
  const stop = async () => {
    const closed = new Promise((done) => child.once('close', done))
    child.kill('SIGTERM')
    await closed
    writeFileSync(join(kept, 'intake.log'), printed)
  }
  return { url: line.split(' ').at(-1) as string, stop }
}

it('finds a key in every form that the search covers', () => {
  for (const form of [API_KEY, Buffer.from(API_KEY).toString('hex'), Buffer.from(`x${API_KEY}yz`).toString('base64')]) {
    writeFileSync(join(kept, 'bait'), `… ${form} …`)
    expect(leaks(kept)).toEqual([join(kept, 'bait')])
  }
  rmSync(join(kept, 'bait'))
})

it('writes no key to output, ledgers, reports, logs, pages or built files', { timeout: 120_000 }, async () => {
  const intake = await startIntake()
  const project = join(root, 'project')
  mkdirSync(join(project, 'dist'), { recursive: true })
  writeFileSync(join(project, 'dist/a.js'), 'throw 1')
  writeFileSync(join(project, 'dist/a.js.map'), '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}')
  writeFileSync(join(project, 'stack.txt'), 'Error\n    at a (http://h/a.js:1:1)\n')
  const common = ['--service', 's', '--release-version', '1', '--minified-path-prefix', '/']
  const upload = ['web', 'upload', 'dist', ...common, '--attempts', '1', '--ledger', 'ledger.jsonl']
  const at = (url: string) => ['--endpoint', url]
  const ask = ['explain', 'stack.txt', '--service', 's', '--release-version', '1', '--app-key', APP_KEY]
  const runs: string[][] = [
    [...upload, ...at(intake.url)],
    [...upload, ...at(intake.url), '--json'],
    [...upload, ...at(intake.url), '--dry-run', '--json'],
    [...upload, ...at(intake.url), '--resume'],
    [...upload, ...at(echo.url), '--json'],
    [...upload, ...at(echo.url), '--output', 'problems.sarif'],
    [...upload, ...at(`${echo.url}/moved`), '--output', 'quality.json'],
    [...upload, ...at('http://127.0.0.1:1'), '--policy', 'ci'],
    [...upload, ...at(intake.url), '--proxy', `http://${API_KEY}:${APP_KEY}@127.0.0.1:1`],
    [...upload, ...at(`http://${API_KEY}@127.0.0.1:1`)],
    ['doctor', ...common, ...at(echo.url), '--json'],
    ['doctor', ...common, ...at(intake.url)],
    [...ask, '--intake', echo.url],
    [...ask, '--intake', intake.url, '--json'],
    [...ask, '--intake', 'http://127.0.0.1:1'],
  ]
  for (const [index, args] of runs.entries()) {
    const env = { SYMUP_API_KEY: API_KEY, GITHUB_ACTIONS: index % 2 === 0 ? 'true' : '' }
    const { stdout, stderr } = await symup(args, { cwd: project, env })
    writeFileSync(join(kept, `${index}.txt`), `${stdout}\n${stderr}`)
  }
  const page = await fetch(intake.url)
  writeFileSync(join(kept, 'inspector.html'), await page.text())
  const build = await buildViteApp({ SYMUP_API_KEY: API_KEY, SYMUP_ENDPOINT: echo.url })
  writeFileSync(join(kept, 'vite.txt'), build.output)
  cpSync(join(VITE_APP, 'dist'), join(kept, 'dist'), { recursive: true })
  await intake.stop()
  expect(readdirSync(project)).toEqual(expect.arrayContaining(['ledger.jsonl', 'problems.sarif', 'quality.json']))
  expect(leaks(root)).toEqual([])
})
