import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { symup, symupArguments } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { useServer } from '../support/server.ts'
import { needs } from '../support/tool.ts'

const SCRIPT = '/usr/bin/script'
const script = needs('script command', existsSync(SCRIPT), 'Debian: bsdutils')
const ESCAPE = '\u001b'
const KEY = 'dev-api-key'
const UPLOAD = ['web', 'upload', 'dist', '--service', 'shop', '--minified-path-prefix', '/', '--no-config-file']

const place = useDirectory()
const intake = useIntake()
let answered = 0
/** The server answers 503 once, then 201. */
const busyOnce = useServer((request, response) => {
  if (isKeyCheck(request)) return response.writeHead(400).end('{}')
  const nth = ++answered
  const headers = { 'service-request-id': `request-${nth}`, 'retry-after': '1' }
  return response.writeHead(nth === 1 ? 503 : 201, { 'content-type': 'application/json', ...headers }).end('{}')
})

beforeAll(() => {
  mkdirSync(join(place, 'dist'))
  const map = '{"version":3,"sources":["a.ts"],"sourcesContent":["throw 1"],"names":[],"mappings":"AAAA"}'
  for (const name of ['a', 'b']) {
    writeFileSync(join(place, `dist/${name}.js`), 'throw 1\n')
    writeFileSync(join(place, `dist/${name}.js.map`), map)
  }
})

/** The output of the command on a terminal with 80 columns. */
async function onTerminal(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const command = [process.execPath, ...symupArguments(args)].map((word) => `'${word}'`).join(' ')
  const own = { PATH: process.env.PATH, TERM: 'xterm', SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url, ...env }
  const running = promisify(execFile)(SCRIPT, ['-qec', command, '/dev/null'], { cwd: place, env: own })
  const { stdout } = await running.catch((error) => error as { stdout: string })
  expect(stdout).not.toContain(KEY)
  return stdout
}

const upload = (version: string, ...flags: string[]) => [...UPLOAD, '--release-version', version, ...flags]

describe.skipIf(!script.isThere)(`output on a terminal${script.reason}`, () => {
  it('shows the progress of web upload, and the last line in green', async () => {
    const output = await onTerminal(upload('tty'))
    expect(output).toMatch(new RegExp(`\\r${ESCAPE}\\[K {2}█{20} 2/2 sent`))
    expect(output.trimEnd().split('\n').at(-1)).toContain(`${ESCAPE}[32mUploaded 2 artifacts`)
  })

  it.each([
    ['--no-color although FORCE_COLOR is set', ['--no-color'], { FORCE_COLOR: '1' }],
    ['NO_COLOR', [], { NO_COLOR: '1' }],
  ])('prints no colors with %s', async (_, flags, env) => {
    const output = await onTerminal(upload('plain', ...flags), env)
    expect(output).toContain('Uploaded 2 artifacts')
    // The only control sequence in the output rewrites the progress line.
    expect(output.replaceAll(`${ESCAPE}[K`, '')).not.toContain(ESCAPE)
  })
})

describe('output in a log', () => {
  it('logs each request, retries and phases with --verbose, but not the key', async () => {
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: busyOnce.url }
    const flags = ['--verbose', '--concurrency', '1', '--no-ledger']
    const { exitCode, stdout, stderr } = await symup(upload('verbose', ...flags), { cwd: place, env })
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('version = verbose ← --release-version\n')])
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(
        /^dist\/a\.js: attempt 1 of 5, unsuccessful \(server-error\) after [\d.]+ m?s, request request-1, next attempt in 1\.0 s$/,
      ),
      expect.stringMatching(/^ {2}0\/2 sent, retrying \(attempt 2 of 5\), /),
      expect.stringMatching(/^dist\/a\.js: attempt 2 of 5, accepted after [\d.]+ m?s, request request-2$/),
      expect.stringMatching(/^dist\/b\.js: attempt 1 of 5, accepted after [\d.]+ m?s, request request-3$/),
      expect.stringMatching(
        /^Time: key check [\d.]+ m?s, collect [\d.]+ m?s, git [\d.]+ m?s, check and send [\d.]+ m?s, clean up [\d.]+ m?s$/,
      ),
      '',
    ])
    expect(stdout + stderr).not.toContain(KEY)
  })

  it('the settings take no line where all were given, and one each with --verbose', async () => {
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url, SYMUP_CACHE_DIR: join(place, 'cache') }
    const settingsOf = async (version: string, ...flags: string[]) =>
      (await symup([...upload(version), ...flags], { cwd: place, env })).stdout
        .split('\n')
        .filter((line) => line.includes('←'))
    expect(await settingsOf('1.0.0')).toEqual([])
    expect(await settingsOf('1.0.1', '--verbose')).toContain('version = 1.0.1 ← --release-version')
  })
})
