import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { javascript } from '../kinds/javascript/index.ts'
import { PROBE_BOUNDARY } from '../transport/probe.ts'
import { deliver } from './deliver.ts'
import { parsePolicy } from './policy.ts'

/** Bytes read from each file by name, through any API. */
const counts = vi.hoisted(() => ({ bytes: new Map<string, number>(), paths: new Map<number, string>() }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const counted = (file: number, count: number) => {
    const path = counts.paths.get(file) ?? ''
    counts.bytes.set(path, (counts.bytes.get(path) ?? 0) + count)
  }
  return {
    ...fs,
    openSync: (path: string, ...rest: never[]) => {
      const file = fs.openSync(path, ...(rest as unknown as [number]))
      counts.paths.set(file, String(path))
      return file
    },
    readSync: (file: number, ...rest: never[]) => {
      const count = fs.readSync(file, ...(rest as unknown as [Buffer]))
      counted(file, count)
      return count
    },
    readFileSync: (path: string | number, ...rest: never[]) => {
      const read = fs.readFileSync(path, ...(rest as unknown as ['utf8'])) as string | Buffer
      if (typeof path === 'number') counted(path, read.length)
      else counts.bytes.set(String(path), (counts.bytes.get(String(path)) ?? 0) + read.length)
      return read
    },
  }
})

/** To detect its type, collecting may read this many bytes from both ends of a file. */
const ENDS_BYTES = 10 * 1024

let directory: string
let server: Server
/** The requested paths, in order of arrival. */
let requests: string[]
/** The maps that had been read completely when the first artifact arrived. */
let readAtFirstUpload: number | undefined

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'symup-reads-')))
  requests = []
  readAtFirstUpload = undefined
  server = createServer((request, response) => {
    if (request.headers['content-type']?.endsWith(PROBE_BOUNDARY)) {
      response.writeHead(400).end()
      return
    }
    requests.push(request.url ?? '')
    if (request.url?.endsWith('/upload')) {
      const maps = [...counts.bytes].filter(([path]) => path.endsWith('.map'))
      readAtFirstUpload ??= maps.filter(([, bytes]) => bytes > ENDS_BYTES).length
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const asked = request.url?.endsWith('/missing') ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
      response.setHeader('Accept-Encoding', 'gzip')
      response.end(JSON.stringify({ request_id: 'r', data: asked ? { missing: asked.sha256 } : {} }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
  rmSync(directory, { recursive: true })
})

const CHUNKS = 40

/** Writes more than a megabyte, so that the client asks the intake which parts are missing. */
function writeBuild(): void {
  mkdirSync(join(directory, 'dist'))
  for (let nth = 0; nth < CHUNKS; nth++) {
    const lines = Array.from({ length: 400 }, (_, line) => `throw new Error("chunk ${nth}, line ${line}, is wrong")`)
    const map = {
      version: 3,
      sources: [`a${nth}.js`],
      sourcesContent: [lines.join('\n')],
      names: [],
      mappings: lines.map((_, line) => (line === 0 ? 'AAAA' : 'AACA')).join(';'),
      x_padding: 'x'.repeat(40_000),
    }
    writeFileSync(join(directory, `dist/${nth}.js`), `${lines.join('\n')}\n//# sourceMappingURL=${nth}.js.map\n`)
    writeFileSync(join(directory, `dist/${nth}.js.map`), JSON.stringify(map))
  }
}

async function run(policy: string) {
  const options = {
    apiKey: 'key-of-the-test',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    service: 's',
    version: '1',
    minifiedPathPrefix: '/',
  }
  const shown: string[] = []
  const verdict = await deliver(
    {
      adapter: { name: 'test', version: '0' },
      settings: { options, env: {}, ignoreConfigFile: true, cwd: directory, adapter: 'cli' },
      policy: parsePolicy(policy),
      present: { show: (lines) => shown.push(...lines.map(({ text }) => text)) },
      send: { ledger: join(directory, 'ledger.jsonl') },
    },
    (context) => javascript.collect({ ...context, directory: join(directory, 'dist') }),
  )
  return { verdict, shown }
}

it('reads each file once to check, hash, compress and send it', async () => {
  writeBuild()
  counts.bytes.clear()
  const { verdict, shown } = await run('default')
  expect(verdict.exitCode, shown.join('\n')).toBe(0)
  expect(requests.filter((path) => path.endsWith('/upload'))).toHaveLength(CHUNKS)
  expect(shown.join('\n')).toContain(`resolve to the right line (${CHUNKS} scripts)`)
  const twice = [...counts.bytes].filter(
    ([path, bytes]) => path.includes('/dist/') && bytes > statSync(path).size + ENDS_BYTES,
  )
  expect(twice.map(([path, bytes]) => `${basename(path)}: ${bytes}`)).toEqual([])
  expect([...counts.bytes].filter(([path]) => path.includes('/dist/'))).toHaveLength(2 * CHUNKS)
})

it('sends an artifact before the last one is checked, unless all artifacts must resolve', async () => {
  writeBuild()
  // The last script in the build does not resolve.
  const last = join(directory, 'dist/9.js')
  writeFileSync(last, `${'/* banner */\n'.repeat(80)}${readFileSync(last, 'utf8')}`)
  counts.bytes.clear()
  const going = await run('default')
  expect(going.verdict.exitCode).toBe(0)
  expect(going.shown.join('\n')).toContain('map-incomplete')
  expect(requests.filter((path) => path.endsWith('/upload'))).toHaveLength(CHUNKS)
  expect(readAtFirstUpload).toBeLessThan(CHUNKS)
  requests = []
  const gated = await run('strict')
  expect(gated.verdict.exitCode).toBe(1)
  expect(requests).toEqual([])
})
