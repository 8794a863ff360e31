// Tests that need a separate process: exit codes, signals, standard input and output, and the version of Node.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startIntake } from '@symup/intake'
import { beforeAll, describe, expect, it } from 'vitest'
import { symup, symupArguments } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const place = useDirectory()
const intake = useIntake()
const KEY = 'dev-api-key'
const UPLOAD = ['web', 'upload', 'dist', '--service', 'shop', '--minified-path-prefix', '/', '--no-config-file']

beforeAll(() => {
  mkdirSync(join(place, 'dist'))
  writeFileSync(join(place, 'dist/a.js'), 'throw 1\n//# sourceMappingURL=a.js.map\n')
  writeFileSync(
    join(place, 'dist/a.js.map'),
    '{"version":3,"sources":["a.ts"],"sourcesContent":["throw 1"],"names":[],"mappings":"AAAA"}',
  )
})

it.each([
  ['20.9.0', 2, 'symup needs Node 20.19 or newer; this is 20.9.0.\n'],
  ['22.3.0', 0, ''],
])('exits on Node %s with %i', async (node, exitCode, stderr) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`
  const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(pretend).toString('base64')}`
  expect(await symup(['schema'], { cwd: place, env: { NODE_OPTIONS } })).toMatchObject({ exitCode, stderr })
})

it('reads the stack from standard input in explain, and leaves no temporary files', async () => {
  const temporary = mkdtempSync(join(place, 'temporary-'))
  const env = { TMPDIR: temporary, TEMP: temporary, TMP: temporary }
  const input = 'Error: x\n    at x (https://h/a.js:1:1)\n'
  const args = ['explain', '-', '--no-config-file', '--dir', 'dist', '--minified-path-prefix', 'https://h']
  const { exitCode, stdout } = await symup(args, { cwd: place, env, input })
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('a.ts:1:1')])
  expect(readdirSync(temporary)).toEqual([])
})

it('ends explain after a signal while the stack is pasted, and leaves no temporary files', async () => {
  const temporary = mkdtempSync(join(place, 'temporary-'))
  const args = symupArguments(['explain', '-', '--service', 'shop', '--release-version', '1', '--dir', 'dist'])
  const child = spawn(process.execPath, args, { cwd: place, env: { ...process.env, TMPDIR: temporary } })
  const ended = once(child, 'exit')
  // More than fits into the pipe, so the command is still reading it.
  child.stdin.write('x'.repeat(1024 * 1024))
  await once(child.stdin, 'drain')
  child.kill('SIGHUP')
  expect(await ended).toEqual([null, 'SIGHUP'])
  expect(readdirSync(temporary)).toEqual([])
})

const SEED = `
accounts:
  - account_id: 7
    name: Seven
    members: [{ person_id: 70, name: Zoe, role: admin }]
    app_keys: [{ key: zoes-app-key, person_id: 70, permissions: [Audit Read] }]
    upload_keys: [zoes-upload-key]
    channels: [{ channel_id: 9007199254740993, channel_name: Far }]
`

describe('symup intake', () => {
  it('prints the intake URL first, serves the accounts of a seed, logs no key, keeps its data, and exits with 0 after SIGTERM', async () => {
    const [dataDir, seed] = [join(place, 'data'), join(place, 'seed.yaml')]
    writeFileSync(seed, SEED)
    const flags = ['--port', '0', '--data', dataDir, '--seed', seed, '--log-level', 'info']
    const child = spawn(process.execPath, symupArguments(['intake', ...flags]))
    const printed = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (printed.stdout += chunk))
    child.stderr.on('data', (chunk) => (printed.stderr += chunk))
    const ended = once(child, 'close')
    const [firstLine] = (await once(createInterface(child.stdout), 'line')) as [string]
    expect(firstLine).toMatch(/^symup intake listening on http:\/\/127\.0\.0\.1:\d+$/)
    const url = `${firstLine.split(' ').at(-1)}`

    const upload = [...UPLOAD, '--release-version', '1', '--endpoint', url]
    expect((await symup(upload, { cwd: place, env: { SYMUP_API_KEY: 'zoes-upload-key' } })).exitCode).toBe(0)
    const listed = await channelsOf(url, 'zoes-app-key')
    expect(await listed.text()).toContain('"channel_id":9007199254740993,"channel_name":"Far"')
    expect((await channelsOf(url, 'dev-app-key')).status).toBe(401)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])

    const requests = printed.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const reqId = listed.headers.get('service-request-id')
    expect(requests.find((it) => it.res && it.reqId === reqId)).toMatchObject({ res: { statusCode: 200 } })
    expect(printed.stdout + printed.stderr).not.toMatch(/zoes-|dev-/)
    const again = await startIntake({ dataDir })
    expect(await again.uploads()).toHaveLength(1)
    await again.close()
  })
})

const channelsOf = (url: string, key: string) =>
  fetch(`${url}/channel/list?app_key=${key}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"is_brief":true}',
  })

/** Runs an upload whose standard output and error go to a file descriptor, or to a pipe that is closed at once. */
async function uploadInto(stdout: number | 'closed', version: string, error: number | 'closed' | 'read' = 'read') {
  // With --json, the command sends its prose to standard error.
  const json = error === 'closed' ? ['--json'] : []
  const args = symupArguments([...UPLOAD, '--release-version', version, ...json])
  const env = { PATH: process.env.PATH, SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
  const child = spawn(process.execPath, args, {
    cwd: place,
    env,
    stdio: ['ignore', ...[stdout, error].map((to) => (typeof to === 'number' ? to : 'pipe'))],
  })
  child.stdout?.destroy()
  if (error === 'closed') child.stderr?.destroy()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exitCode = await new Promise((done) => child.once('close', done))
  const uploads = (await intake.uploads()).filter(({ event }) => event.version === version)
  return { exitCode, stderr, uploads: uploads.length }
}

describe('output that cannot be written', () => {
  it('does not stop the upload, which exits with 0, if the reader closes the pipe early', async () => {
    // On a slow machine, the command also prints progress.
    const stderr = expect.not.stringMatching(/error|EPIPE|written/i)
    expect(await uploadInto('closed', 'unread')).toEqual({ exitCode: 0, stderr, uploads: 1 })
    // The reader closes both outputs, as in `2>&1 | head`.
    expect(await uploadInto('closed', 'both-unread', 'closed')).toEqual({ exitCode: 0, stderr: '', uploads: 1 })
  })

  it.runIf(existsSync('/dev/full'))(
    'does not stop the upload, which exits with 1, if it goes to a full disk',
    async () => {
      const full = openSync('/dev/full', 'w')
      const stderr = expect.stringContaining('symup: could not write to standard output (ENOSPC)\n')
      expect(await uploadInto(full, 'full-disk')).toEqual({ exitCode: 1, stderr, uploads: 1 })
      // Both outputs go to the full disk, as in `> log 2>&1`.
      expect(await uploadInto(full, 'both-full', full)).toEqual({ exitCode: 1, stderr: '', uploads: 1 })
      closeSync(full)
    },
  )
})
