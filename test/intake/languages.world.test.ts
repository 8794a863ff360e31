import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { symupArguments } from '../support/command.ts'

const run = promisify(execFile)
const README = readFileSync(join(import.meta.dirname, '../../packages/intake/README.md'), 'utf8')

let intake: ChildProcess
let url = ''
const place = mkdtempSync(join(tmpdir(), 'symup-languages-'))
beforeAll(async () => {
  intake = spawn(process.execPath, symupArguments(['intake', '--port', '0', '--rate-limit', 'none']))
  if (!intake.stdout) throw new Error('no output')
  const [line] = (await once(createInterface(intake.stdout), 'line')) as string[]
  url = line?.split(' ').at(-1) ?? ''
}, 60_000)
afterAll(async () => {
  const ended = once(intake, 'exit')
  intake.kill('SIGTERM')
  await ended
  rmSync(place, { recursive: true, force: true })
})

const LANGUAGES = [
  { language: 'python', file: 'client.py', command: ['python3', 'client.py'], version: ['python3', '--version'] },
  { language: 'go', file: 'client.go', command: ['go', 'run', 'client.go'], version: ['go', 'version'] },
  { language: 'java', file: 'Uploads.java', command: ['java', 'Uploads.java'], version: ['java', '-version'] },
] as const

it.each(LANGUAGES)(
  "the README's $language example runs against symup intake",
  async (of) => {
    const [, code] = new RegExp(`\`\`\`${of.language}\\n([\\s\\S]*?)\n\`\`\``).exec(README) ?? []
    expect(code).toBeDefined()
    const [tool = '', ...asked] = of.version
    const isThere = await run(tool, asked).then(
      () => true,
      () => false,
    )
    // CI has all three; elsewhere what is not installed is passed over.
    if (!isThere && process.env.CI !== 'true') return
    writeFileSync(join(place, of.file), code ?? '')
    const [command = '', ...rest] = of.command
    const env = { PATH: process.env.PATH, HOME: place, INTAKE: url, GOCACHE: join(place, 'go'), GO111MODULE: 'off' }
    await run(command, rest, { cwd: place, env })
  },
  240_000,
)

it('has limits where it is told to', async () => {
  const limited = spawn(
    process.execPath,
    symupArguments(['intake', '--port', '0', '--rate-limit', '1', '--no-test-routes']),
  )
  const [line] = (await once(createInterface(limited.stdout), 'line')) as string[]
  const address = line?.split(' ').at(-1)
  const post = (path: string) =>
    fetch(`${address}${path}?app_key=dev-app-key`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await post('/channel/list')).status))
  expect(statuses).toContain(429)
  expect((await post('/__test/reset')).status).toBe(404)
  const ended = once(limited, 'exit')
  limited.kill('SIGTERM')
  await ended
}, 60_000)
