import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { outputOf } from '../../packages/unplugin/src/output.ts'
import { openSession } from '../../packages/unplugin/src/session.ts'
import { useDirectory } from '../support/directory.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { runSymup } from '../support/run-symup.ts'
import { COLUMNS, type Column, KEY, SITUATIONS, type Situation } from './gate-table.ts'

const CART = `export function total(items) {
  if (items.length === 0) throw new Error('cart is empty')
  const sum = items.reduce((all, item) => all + item.price, 0)
  if (sum < 0) throw new RangeError('negative total')
  localStorage.setItem('sum', String(sum))
  return sum
}
export function checkout(sum) {
  document.querySelector('button')?.addEventListener('click', () => { console.log(sum); throw new TypeError('no payment') })
  return fetch('/pay', { method: 'POST', body: JSON.stringify({ sum }) }).then((answer) => answer.json())
}
`
const MAIN = `window.addEventListener('error', (event) => console.error(event.message))
const items = JSON.parse(localStorage.getItem('items') ?? '[]')
document.querySelector('main').textContent = items.map((item) => item.title).join(', ')
if (items.length > 99) throw new RangeError('too many items')
sessionStorage.setItem('count', String(items.length))
navigator.sendBeacon('/count', String(items.length))
`

const root = useDirectory()
let server: Server
let endpoint: string
let arrived: number
beforeAll(async () => {
  writeFileSync(join(root, 'cart.js'), CART)
  writeFileSync(join(root, 'main.js'), MAIN)
  await build({
    entryPoints: [join(root, 'cart.js'), join(root, 'main.js')],
    outdir: join(root, 'good'),
    ...{ bundle: true, format: 'esm', minify: true, sourcemap: 'external' },
  })
  server = createServer((request, response) => {
    const isUpload = !isKeyCheck(request)
    request.resume().on('end', () => {
      if (isUpload) arrived++
      response.writeHead(isUpload ? 200 : 400).end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  arrived = 0
  cpSync(join(root, 'good'), join(root, 'dist'), { recursive: true })
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(join(root, 'dist'), { recursive: true })
  rmSync(join(root, 'cache'), { recursive: true, force: true })
})

interface Result {
  exitCode: number
  output: string
  lastLine: string
}

const environment = () => ({
  SYMUP_API_KEY: KEY,
  SYMUP_ENDPOINT: endpoint,
  SYMUP_CACHE_DIR: join(root, 'cache'),
  CI: '',
})
const RELEASE = ['--service', 's', '--release-version', '1', '--minified-path-prefix', '/', '--disable-git']

async function command(...args: string[]): Promise<Result> {
  const { exitCode, stdout, stderr } = await runSymup(args, { cwd: root, env: environment() })
  return { exitCode: exitCode ?? 0, output: stdout + stderr, lastLine: stdout.trimEnd().split('\n').at(-1) ?? '' }
}

async function plugin(options: { failOnFindings?: boolean; allow?: readonly string[] }): Promise<Result> {
  for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value)
  const lines: string[] = []
  const release = { service: 's', version: '1', minifiedPathPrefix: '/', git: false, logLevel: 'silent' } as const
  const log = ({ text }: { text: string }) => void lines.push(text)
  const session = openSession({ ...release, ...options }, { bundler: 'vite', root, log })
  const output = outputOf(join(root, 'dist'), readdirSync(join(root, 'dist')), { deletes: true })
  const failure = await session.finish({ outputs: [output] }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (failure !== undefined) lines.push(failure)
  return { exitCode: failure === undefined ? 0 : 1, output: lines.join('\n'), lastLine: lines.at(-1) ?? '' }
}

/** @param allow codes that may pass. */
const RUN: Readonly<Record<Column, (allow?: readonly string[]) => Promise<Result>>> = {
  check: (allow) => command('check', 'dist', ...flagsOf(allow)),
  'check --fail-on-warnings': (allow) => command('check', 'dist', '--fail-on-warnings', ...flagsOf(allow)),
  upload: (allow) => command('web', 'upload', 'dist', ...RELEASE, ...flagsOf(allow)),
  'upload --policy strict': (allow) =>
    command('web', 'upload', 'dist', ...RELEASE, '--policy', 'strict', ...flagsOf(allow)),
  plugin: (allow) => plugin({ ...(allow && { allow }) }),
  'plugin, failOnFindings': (allow) => plugin({ failOnFindings: true, ...(allow && { allow }) }),
}
const flagsOf = (allow: readonly string[] = []) => allow.flatMap((code) => ['--allow', code])

const CELLS = SITUATIONS.flatMap((situation) =>
  COLUMNS.map((column, nth) => [situation.name, column, situation, situation.exitCodes[nth] as number] as const),
)

it.each(CELLS)(
  '%s, %s: returns the exit code from the table',
  async (_, column, { change, code, lastLine }, exitCode) => {
    change(join(root, 'dist'))
    const result = await RUN[column]()
    expect(result.exitCode, result.output).toBe(exitCode)
    if (code !== undefined && column === 'check') expect(result.output).toMatch(shown(code))
    if (lastLine === undefined) return
    const isBarred = column === 'upload --policy strict' || column === 'plugin, failOnFindings'
    if (column === 'upload' || column === 'plugin') expect(result.lastLine).toBe(lastLine)
    if (isBarred) expect([result.lastLine, arrived]).toEqual([expect.stringMatching(/Nothing was uploaded/), 0])
  },
)

it.each(CELLS.filter(([, , { lastLine }]) => lastLine !== undefined))(
  '%s, %s: returns 0 if its code is allowed',
  async (_, column, situation) => {
    situation.change(join(root, 'dist'))
    const found = codesIn((await RUN.check()).output)
    const result = await RUN[column]([...found, 'leak-map'])
    expect(result.exitCode, result.output).toBe(0)
    expect(result.lastLine).not.toMatch(/resolve|match/)
  },
)

/** Matches a problem, or a row in the table of leaks. */
function shown(code: Situation['code'] = ''): RegExp {
  return new RegExp(`^(?:error|warning) ${code}: |\\(.*\\b${code}\\b.*\\)\\.$`, 'm')
}

function codesIn(output: string): string[] {
  return [...output.matchAll(/^(?:error|warning) ([a-z-]+): /gm)].map(([, code]) => code as string)
}
