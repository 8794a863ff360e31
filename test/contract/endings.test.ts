import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { SymupOptions } from '../../packages/unplugin/src/options.ts'
import { outputOf } from '../../packages/unplugin/src/output.ts'
import { openSession } from '../../packages/unplugin/src/session.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { runSymup } from '../support/run-symup.ts'

/*
 * Whichever way a run ends, its source maps do not ship unnoticed, and its output is searched for the API key: failure × adapter × what it was told
 * to do about failures.
 */

const KEY = 'k-of-some-length'
/** As the watch over our own tests would find it as it is. */
const LEAK = `fetch("/",{headers:{k:"${Buffer.from(KEY).toString('base64')}"}})\n`
const MAP = { version: 3, sources: ['a.ts'], sourcesContent: ['fetch()\n'], names: [], mappings: 'AAAA' }

let root: string
let server: Server
let endpoint: string
let answer: number
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(isKeyCheck(request) && answer !== 401 ? 400 : answer).end('{}'))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-endings-'))
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'dist/app.js'), LEAK)
  writeFileSync(join(root, 'dist/app.js.map'), JSON.stringify(MAP))
  writeFileSync(join(root, 'no.pem'), 'none')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

interface Failure {
  env?: Record<string, string>
  answer?: number
  config?: string
  /** The command does not begin: as a flag that does not exist, it ends with 2. */
  isUsage?: true
  /** Known before the build starts, which a plugin then refuses unless it is told to warn. */
  isEarly?: true
  /** Without a key there is nothing to search for. */
  hasNoKey?: true
  /** No map can be moved away, so it stays and is an error. */
  keeps?: true
}

const FAILURES: Record<string, Failure> = {
  'a CA file that is missing': { env: { SYMUP_CA: 'none.pem' } },
  'a CA file that is not PEM': { env: { SYMUP_CA: 'no.pem' } },
  'a CA file that is a directory': { env: { SYMUP_CA: 'dist' } },
  'a proxy that speaks SOCKS': { env: { SYMUP_PROXY: 'socks5://127.0.0.1:1' } },
  'a proxy that is no address': { env: { http_proxy: '::::' } },
  'a config file that is no JSON': { config: '{', isEarly: true },
  'a language that is not there': { env: { SYMUP_LANG: 'xx' }, isEarly: true, isUsage: true },
  'an endpoint with a query': { env: { SYMUP_ENDPOINT: 'http://h/?key=1' }, isEarly: true },
  'no key': { env: { SYMUP_API_KEY: '' }, isEarly: true, hasNoKey: true },
  'an intake that is away': { env: { SYMUP_ENDPOINT: 'http://127.0.0.1:1' } },
  'a refused key': { answer: 401 },
  'an artifact that is too large': { answer: 413 },
  'a broken intake': { answer: 500 },
  'a cache below /proc': { env: { SYMUP_CACHE_DIR: '/proc/symup/cache' }, answer: 500, keeps: true },
}

interface Cell {
  exitCode: number
  mapsLeft: boolean
  warned: boolean
  keySearched: boolean
}

function endOf(exitCode: number, output: string): Cell {
  return {
    exitCode,
    mapsLeft: existsSync(join(root, 'dist/app.js.map')),
    warned: /Do not deploy|map-not-deleted/.test(output),
    keySearched: /the API key is in/.test(output),
  }
}

function useEnvironmentOf({ env = {}, answer: given = 200, config }: Failure): Record<string, string> {
  answer = given
  if (config !== undefined) writeFileSync(join(root, 'symup.json'), config)
  return {
    ...{ SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: endpoint, SYMUP_CACHE_DIR: join(root, 'cache'), CI: '' },
    ...env,
  }
}

async function plugin(failure: Failure, options: SymupOptions): Promise<Cell | 'before the build'> {
  for (const [name, value] of Object.entries(useEnvironmentOf(failure))) vi.stubEnv(name, value)
  const said: string[] = []
  const log = ({ text }: { text: string }) => void said.push(text)
  const release = {
    service: 's',
    version: '1',
    minifiedPathPrefix: '/',
    git: false,
    attempts: 1,
    logLevel: 'silent' as const,
  }
  let session: ReturnType<typeof openSession>
  try {
    session = openSession({ ...release, ...options }, { bundler: 'vite', root, log })
  } catch {
    return 'before the build'
  }
  const output = outputOf(join(root, 'dist'), ['app.js', 'app.js.map'], { deletes: true })
  const error = await session.finish({ outputs: [output] }).then(
    () => undefined,
    (failed: Error) => failed.message,
  )
  return endOf(error === undefined ? 0 : 1, [...said, error].join('\n'))
}

async function command(failure: Failure, ...flags: string[]): Promise<Cell> {
  const release = ['--service', 's', '--release-version', '1', '--minified-path-prefix', '/', '--disable-git']
  const args = ['web', 'upload', 'dist', ...release, '--attempts', '1', ...flags]
  const { exitCode, stdout, stderr } = await runSymup(args, { cwd: root, env: useEnvironmentOf(failure) })
  return endOf(exitCode ?? 0, stdout + stderr)
}

const DELETE = '--delete-after-upload'

const COLUMNS: [string, (failure: Failure) => Promise<Cell | 'before the build'>][] = [
  ["plugin, onError: 'warn'", (failure) => plugin(failure, { onError: 'warn' })],
  ['plugin', (failure) => plugin(failure, {})],
  ["plugin, onError: 'fail'", (failure) => plugin(failure, { onError: 'fail' })],
  ["plugin, 'warn', failOnFindings", (failure) => plugin(failure, { onError: 'warn', failOnFindings: true })],
  ['command', (failure) => command(failure, DELETE)],
  ['command, --policy local', (failure) => command(failure, DELETE, '--policy', 'local')],
  ['command, --policy ci', (failure) => command(failure, DELETE, '--policy', 'ci')],
  [
    'command, all but config',
    (failure) => command(failure, DELETE, '--policy', 'local,config=warn,auth=warn,leak=warn'),
  ],
  ['command, --skip-without-key', (failure) => command(failure, DELETE, '--policy', 'local', '--skip-without-key')],
]

it.each(COLUMNS.flatMap(([adapter, run]) => Object.keys(FAILURES).map((name) => [name, adapter, run] as const)))(
  '%s, %s: no map ships unnoticed, and the key is found',
  async (name, adapter, run) => {
    const failure = FAILURES[name] as Failure
    const cell = await run(failure)
    if (cell === 'before the build') {
      expect(failure.isEarly).toBe(true)
      return
    }
    const isPlugin = adapter.startsWith('plugin')
    expect(cell.mapsLeft).toBe(!isPlugin || failure.keeps === true)
    if (failure.isUsage && !isPlugin) {
      expect(cell.exitCode).toBe(2)
      return
    }
    expect(cell.warned).toBe(cell.mapsLeft)
    expect(cell.keySearched).toBe(!failure.hasNoKey)
  },
)

it.each(Object.keys(FAILURES).filter((name) => !FAILURES[name]?.isUsage && !FAILURES[name]?.hasNoKey))(
  '%s, command that keeps the maps: the key is found',
  async (name) => {
    const cell = await command(FAILURES[name] as Failure)
    expect(cell).toMatchObject({ mapsLeft: true, keySearched: true })
  },
)
