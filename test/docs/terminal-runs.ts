import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { ProblemCode } from '../../packages/core/src/problems/problems.ts'
import { runSymup } from '../support/run-symup.ts'

/** What a terminal shows for a problem. */
export interface Shown {
  command: string
  output: string
}

/** A run that ends with the problem. */
interface Run {
  code: ProblemCode
  args: string
  /** Changes the directory `dist` of a good build. Default: the build is good. */
  change?(dist: string): void
  env?: NodeJS.ProcessEnv
}

const CART = `export function total(items) {
  if (items.length === 0) throw new Error('cart is empty')
  const sum = items.reduce((all, item) => all + item.price, 0)
  if (sum < 0) throw new RangeError('negative total')
  localStorage.setItem('sum', String(sum))
  document.querySelector('button').addEventListener('click', () => { throw new TypeError('no payment') })
  return fetch('/pay', { method: 'POST', body: JSON.stringify({ sum }) }).then((answer) => answer.json())
}
`
const MAIN = `window.addEventListener('error', (event) => console.error(event.message))
const items = JSON.parse(localStorage.getItem('items') ?? '[]')
document.querySelector('main').textContent = items.map((item) => item.title).join(', ')
if (items.length > 99) throw new RangeError('too many items')
navigator.sendBeacon('/count', String(items.length))
`
const KEY = 'a-key-of-some-length'
const RELEASE = '--service shop --release-version 1.2.3 --minified-path-prefix /shop'
/** An address without a server. */
const NOWHERE = 'http://127.0.0.1:1'

const edit = (path: string, change: (text: string) => string) => writeFileSync(path, change(readFileSync(path, 'utf8')))
const appendTo = (file: string, text: string) => (dist: string) => appendFileSync(join(dist, file), text)
const remove =
  (...files: string[]) =>
  (dist: string) => {
    for (const file of files) rmSync(join(dist, file))
  }

const CHECKS: readonly Run[] = [
  { code: 'no-map', args: 'check dist', change: remove('main.js.map', 'cart.js.map') },
  {
    code: 'map-offset',
    args: 'check dist',
    change: (dist) => edit(join(dist, 'main.js'), (text) => `/* Copyright */\n${text}`),
  },
  {
    code: 'map-stale',
    args: 'check dist',
    change: (dist) => cpSync(join(dist, 'cart.js.map'), join(dist, 'main.js.map')),
  },
  {
    code: 'map-incomplete',
    args: 'check dist',
    change: (dist) => edit(join(dist, 'cart.js.map'), (text) => text.replace(/("mappings": "[^"]{60})[^"]*/, '$1')),
  },
  {
    code: 'map-missing',
    args: 'check dist',
    change: (dist) => {
      appendTo('main.js', '//# sourceMappingURL=main.js.map\n')(dist)
      remove('main.js.map')(dist)
    },
  },
  {
    code: 'map-invalid',
    args: 'check dist',
    change: (dist) => edit(join(dist, 'main.js.map'), (text) => text.slice(0, 99)),
  },
  { code: 'map-orphan', args: 'check dist', change: remove('main.js') },
  {
    code: 'map-inline',
    args: 'check dist',
    change: appendTo('main.css', 'a{}/*# sourceMappingURL=data:application/json,{} */'),
  },
  { code: 'leak-map', args: 'check dist', change: appendTo('main.js', '//# sourceMappingURL=main.js.map\n') },
  {
    code: 'leak-reference',
    args: 'check dist',
    change: appendTo('main.css', 'a{}/*# sourceMappingURL=main.css.map */'),
  },
  {
    code: 'leak-api-key',
    args: 'check dist',
    env: { SYMUP_API_KEY: KEY },
    change: appendTo('main.js', `fetch('/', '${Buffer.from(KEY).toString('base64')}')`),
  },
  {
    code: 'nothing-found',
    args: 'check dist',
    change: remove('main.js', 'cart.js', 'main.js.map', 'cart.js.map'),
  },
]

const UPLOADS: readonly Run[] = [
  ...(['api-key-missing', 'service-missing', 'version-missing', 'prefix-missing'] as const).map((code) => ({
    code,
    args: 'web upload dist',
  })),
  {
    code: 'directory-unreadable',
    args: `web upload build ${RELEASE}`,
    env: { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: NOWHERE },
  },
  { code: 'git-incomplete', args: `web upload dist ${RELEASE} --dry-run` },
  {
    code: 'unreachable',
    args: `web upload dist ${RELEASE}`,
    env: { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: NOWHERE },
  },
  { code: 'unauthorized', args: `web upload dist ${RELEASE}`, env: { SYMUP_API_KEY: KEY } },
]

/** Runs the command for frequent problems. @returns its output for each problem. */
export async function terminalRuns(): Promise<ReadonlyMap<string, Shown>> {
  const root = mkdtempSync(join(tmpdir(), 'symup-terminal-'))
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(401).end('{"error":{"message":"You are unauthorized."}}'))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await writeBuild(root)
    const shown = new Map<string, Shown>()
    for (const { code, args, change, env } of [...CHECKS, ...UPLOADS]) {
      cpSync(join(root, 'good'), join(root, 'dist'), { recursive: true })
      change?.(join(root, 'dist'))
      const cache = { SYMUP_CACHE_DIR: join(root, 'cache') }
      const flags = args.startsWith('web') ? ['--attempts', '1'] : []
      const { stdout, stderr } = await runSymup([...args.split(' '), ...flags], {
        cwd: root,
        env: { SYMUP_ENDPOINT: endpoint, ...cache, ...env },
      })
      rmSync(join(root, 'dist'), { recursive: true })
      const output = blockOf(code, `${stdout}\n${stderr}`.replaceAll(endpoint, 'http://127.0.0.1:8642'))
      shown.set(code, { command: `npx symup ${args}`, output })
    }
    return shown
  } finally {
    server.close()
    rmSync(root, { recursive: true })
  }
}

async function writeBuild(root: string): Promise<void> {
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/cart.js'), CART)
  writeFileSync(join(root, 'src/main.js'), MAIN)
  const entryPoints = ['cart', 'main'].map((name) => join(root, `src/${name}.js`))
  const options = { bundle: true, format: 'esm', minify: true, sourcemap: 'external' } as const
  await build({ entryPoints, outdir: join(root, 'good'), ...options })
}

const ROWS: Readonly<Record<string, string>> = {
  'map-inline': 'inline map',
  'leak-map': 'source map',
  'leak-reference': 'reference',
  'leak-api-key': 'API key',
}

/** The lines of a problem, without the link to the page that shows them. */
function blockOf(code: string, output: string): string {
  const lines = output.split('\n').filter((line) => !line.startsWith('  see: '))
  const isStart = (line: string) => new RegExp(`^(?:error|warning|info) ${code}: `).test(line)
  const row = ROWS[code]
  const start = lines.findIndex(row === undefined ? isStart : (line) => line.startsWith(`  ${row} `))
  if (start === -1) throw new Error(`The run for ${code} prints no such problem:\n${output}`)
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('  '))
  const block = lines.slice(start, end === -1 ? undefined : end)
  if (row === undefined) return block.join('\n')
  const fix = block.findIndex((line) => line.startsWith('  fix: '))
  return ['Content in the output that anyone can read:', ...block.slice(0, fix + 1)].join('\n')
}
