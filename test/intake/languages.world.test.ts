import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { symupArguments } from '../support/command.ts'
import { needs } from '../support/tool.ts'

const run = promisify(execFile)
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/testing.md'), 'utf8')

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

const isThere = (tool: string, ...args: string[]) => spawnSync(tool, args).status === 0
const LANGUAGES = [
  {
    language: 'python',
    file: 'client.py',
    command: ['python3', 'client.py'],
    tool: needs('python3', isThere('python3', '--version'), 'Debian: python3'),
  },
  {
    language: 'go',
    file: 'client.go',
    command: ['go', 'run', 'client.go'],
    tool: needs('go', isThere('go', 'version'), 'Debian: golang-go'),
  },
  {
    language: 'java',
    file: 'Uploads.java',
    command: ['java', 'Uploads.java'],
    tool: needs('java', isThere('java', '-version'), 'Debian: openjdk-17-jdk-headless'),
  },
]

for (const { language, file, command, tool } of LANGUAGES) {
  it.runIf(tool.isThere)(
    `runs the page's ${language} example against symup intake${tool.reason}`,
    async () => {
      const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\n\`\`\``).exec(PAGE) ?? []
      expect(code).toBeDefined()
      writeFileSync(join(place, file), code ?? '')
      const [program = '', ...rest] = command
      const env = { PATH: process.env.PATH, HOME: place, INTAKE: url, GOCACHE: join(place, 'go'), GO111MODULE: 'off' }
      await run(program, rest, { cwd: place, env })
    },
    240_000,
  )
}

it('applies rate limits on request', async () => {
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
