import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { SymupOptions } from '../../packages/unplugin/src/options.ts'
import { outputOf } from '../../packages/unplugin/src/output.ts'
import { openSession } from '../../packages/unplugin/src/session.ts'
import { useDirectory } from '../support/directory.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { runSymup } from '../support/run-symup.ts'
import { CELLS, COLUMNS, FAILURES, type Failure } from './endings-table.ts'

/*
 * However a run ends, its source maps are not deployed unnoticed, and its output is searched for the API key. The table
 * combines failures, adapters and the adapters' reactions.
 */

const KEY = 'k-of-some-length'
/** The key is encoded, because the watch over our own tests would find the plain key. */
const PLANTED = `fetch("/",{headers:{k:"${Buffer.from(KEY).toString('base64')}"}})\n`
const MAP = { version: 3, sources: ['a.ts'], sourcesContent: ['fetch()\n'], names: [], mappings: 'AAAA' }

const root = useDirectory('each')
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
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'dist/app.js'), 'fetch("/")\n')
  writeFileSync(join(root, 'dist/app.js.map'), JSON.stringify(MAP))
  writeFileSync(join(root, 'no.pem'), 'none')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

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
    keySearched: /the API key was found in/.test(output),
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
  const lines: string[] = []
  const log = ({ text }: { text: string }) => void lines.push(text)
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
  return endOf(error === undefined ? 0 : 1, [...lines, error].join('\n'))
}

async function command(failure: Failure, ...flags: string[]): Promise<Cell> {
  const release = ['--service', 's', '--release-version', '1', '--minified-path-prefix', '/', '--disable-git']
  const args = ['web', 'upload', 'dist', ...release, '--attempts', '1', ...flags]
  const { exitCode, stdout, stderr } = await runSymup(args, { cwd: root, env: useEnvironmentOf(failure) })
  return endOf(exitCode ?? 0, stdout + stderr)
}

const DELETE = '--delete-after-upload'

const RUN: Readonly<Record<(typeof COLUMNS)[number], (failure: Failure) => Promise<Cell | 'before the build'>>> = {
  "plugin, onError: 'warn'": (failure) => plugin(failure, { onError: 'warn' }),
  plugin: (failure) => plugin(failure, {}),
  "plugin, onError: 'fail'": (failure) => plugin(failure, { onError: 'fail' }),
  "plugin, 'warn', failOnFindings": (failure) => plugin(failure, { onError: 'warn', failOnFindings: true }),
  command: (failure) => command(failure, DELETE),
  'command, --policy local': (failure) => command(failure, DELETE, '--policy', 'local'),
  'command, --policy ci': (failure) => command(failure, DELETE, '--policy', 'ci'),
  'command, all but config': (failure) => command(failure, DELETE, '--policy', 'local,config=warn,auth=warn,leak=warn'),
  'command, --skip-without-key': (failure) => command(failure, DELETE, '--policy', 'local', '--skip-without-key'),
}

const RUNS = Object.keys(FAILURES).flatMap((name) => COLUMNS.map((column, nth) => [name, column, nth] as const))

it.each(RUNS)(
  '%s, %s: returns the exit code from the table, and reports every remaining map',
  async (name, column, nth) => {
    const cell = await RUN[column](FAILURES[name] as Failure)
    expect(textOf(cell)).toBe(CELLS[name]?.[nth])
  },
)

it.each(RUNS)('%s, %s: finds the API key in the output, and fails if a leak must fail', async (name, column, nth) => {
  const failure = FAILURES[name] as Failure
  writeFileSync(join(root, 'dist/app.js'), PLANTED)
  const cell = await RUN[column](failure)
  if (cell === 'before the build') return
  const isSearched = !failure.hasNoKey && !(failure.isUsage && column.startsWith('command'))
  expect(cell.keySearched).toBe(isSearched)
  if (isSearched && !LEAK_PASSES.has(column)) expect(cell.exitCode).toBeGreaterThan(0)
  else expect(cell.exitCode).toBe(Number.parseInt(CELLS[name]?.[nth] ?? '', 10))
})

/** In these columns of the table, a leak is only a warning. */
const LEAK_PASSES: ReadonlySet<string> = new Set(["plugin, onError: 'warn'", 'command, all but config'])

/** Every remaining map causes a warning, unless the command never started. */
function textOf(cell: Cell | 'before the build'): string {
  if (cell === 'before the build') return 'before'
  const { exitCode, mapsLeft, warned } = cell
  return `${exitCode}${mapsLeft ? ' left' : ''}${mapsLeft === warned ? '' : ' (no warning)'}`
}

it.each(Object.keys(FAILURES).filter((name) => !FAILURES[name]?.isUsage && !FAILURES[name]?.hasNoKey))(
  '%s, command that keeps the maps: finds the API key',
  async (name) => {
    writeFileSync(join(root, 'dist/app.js'), PLANTED)
    const cell = await command(FAILURES[name] as Failure)
    expect(cell).toMatchObject({ mapsLeft: true, keySearched: true })
  },
)
