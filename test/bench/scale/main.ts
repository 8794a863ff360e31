// One, two and four intakes over one PostgreSQL and one S3 server, with 100,000 artifacts recorded: uploads and symbolications a second,
// and the plan of every look-up that a symbolication makes. Clients, intakes, PostgreSQL and S3 share the machine's cores.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@symup/intake'
import pg from 'pg'
import { startPostgres } from '../../../packages/intake/src/test-support/postgres.fixture.ts'
import { startS3 } from '../../../packages/intake/src/test-support/s3.fixture.ts'
import { post } from '../ask.ts'

const RECORDED = 100_000
const UPLOADS = 400
const STACKS = 1_200
const AT_A_TIME = 8
const PROCESS = new URL('../../../packages/intake/src/test-support/intake-process.fixture.ts', import.meta.url)

const directory = mkdtempSync(join(tmpdir(), 'symup-bench-scale-'))
const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
const addresses = { database: await postgres.createDatabase(), blobs: s3.createAddress() }
const cores = availableParallelism()
const store = await openStore(directory, addresses)
const client = new pg.Client({ connectionString: addresses.database })
await client.connect()

console.log(`${cores} cores, shared by clients, intakes, PostgreSQL and S3`)
const one = await measure(1, 'empty')
await fill()
console.log(`with ${RECORDED.toLocaleString('en')} artifacts recorded:`)
const rates = [await measure(1, 'full-1'), await measure(2, 'full-2'), await measure(4, 'full-4')]
console.log(`look-up p50 with 100 k artifacts / empty: ${((rates[0]?.p50 ?? 0) / one.p50).toFixed(2)}`)
await explainPlans()
await client.end()
await store.close()
await Promise.all([postgres.close(), s3.close()])
rmSync(directory, { recursive: true, force: true })

async function measure(count: number, name: string) {
  const intakes = await Promise.all(Array.from({ length: count }, start))
  const urlOf = (nth: number) => intakes[nth % count]?.url as string
  const uploads = await rate(UPLOADS, (nth) => upload(urlOf(nth), `/${name}/${nth}.js`))
  const one = [...Array(50).keys()].map((nth) => [`/${name}/${nth}.js`])
  const twenty = one.map((_, nth) => Array.from({ length: 20 }, (_, frame) => `/${name}/${nth + (frame % 10)}.js`))
  // Threads take their time to start, and each file is fetched once.
  await rate(100 * count, (nth) => explain(urlOf(nth), twenty[nth % 50] as string[], -1 - nth))
  const stacks = await rate(STACKS, (nth) => explain(urlOf(nth), one[nth % 50] as string[]))
  const again = await rate(STACKS, (nth) => explain(urlOf(nth), twenty[nth % 50] as string[]))
  // None was asked before: no answer is known, whatever file it needs is.
  const anew = await rate(STACKS, (nth) => explain(urlOf(nth), twenty[nth % 50] as string[], nth + 1))
  for (const { child } of intakes) child.kill('SIGTERM')
  const perCore = (value: number) => `${value.toFixed(0)}/s (${(value / cores).toFixed(0)} a core)`
  console.log(
    `${count} intakes: uploads ${perCore(uploads.perSecond)}; stacks of one frame ${perCore(stacks.perSecond)}, ` +
      `p50 ${stacks.p50.toFixed(1)} ms, p99 ${stacks.p99.toFixed(1)} ms; of 20 frames in 10 files ${perCore(again.perSecond)}, ` +
      `p99 ${again.p99.toFixed(1)} ms; each another one ${perCore(anew.perSecond)}, p99 ${anew.p99.toFixed(1)} ms`,
  )
  return stacks
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const args = ['--conditions=symup-source', '--import', 'tsx', PROCESS.pathname, addresses.database, addresses.blobs]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')
  return { child, url: String(line).trim() }
}

async function rate(total: number, call: (nth: number) => Promise<void>) {
  const times: number[] = []
  let next = 0
  const begin = performance.now()
  const work = async () => {
    for (let nth = next++; nth < total; nth = next++) {
      const from = performance.now()
      await call(nth)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  const perSecond = (total * 1000) / (performance.now() - begin)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { perSecond, p50: at(0.5), p99: at(0.99) }
}

async function upload(url: string, path: string): Promise<void> {
  const map = { version: 3, sources: [`src${path}`], sourcesContent: ['x'.repeat(20_000)], names: [], mappings: 'AAAA' }
  const event = { type: 'js_sourcemap', service: 'bench', version: '1', minified_url: path }
  const form = new FormData()
  form.set('event', new Blob([JSON.stringify(event)], { type: 'application/json' }))
  form.set('source_map', new Blob([JSON.stringify(map)]), 'source_map')
  form.set('minified_file', new Blob([`boom(${JSON.stringify(path)})`]), 'minified_file')
  const headers = { 'DD-API-KEY': 'dev-api-key' }
  const answer = await fetch(`${url}/sourcemap/upload`, { method: 'POST', body: form, headers })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${(await answer.text()).slice(0, 200)}`)
}

/** @param nth makes other frames of it. */
async function explain(url: string, paths: readonly string[], nth = 0): Promise<void> {
  const frames = paths.map((path) => `\n    at boom${nth} (https://h${path}:1:1)`)
  const stack = `Error: x${frames.join('')}`
  const text = await post(`${url}/sourcemap/stack/enrich?app_key=dev-app-key`, {
    service: 'bench',
    version: '1',
    stack,
  })
  for (const path of paths) if (!text.includes(`src${path}`)) throw new Error(`${path} did not resolve`)
}

/** Copies of one artifact: 1,000 versions of 100 files. */
async function fill(): Promise<void> {
  await client.query(`insert into artifact select 'fill-' || n, account_id, 'fill-' || n, kind, platform, service, 'v' || n / 100,
    '/fill/' || n % 100 || '.js', n % 100 || '.js', debug_id, build_id, uuids, git_repository_url, git_commit_sha, event, origin,
    origin_version, size, request_id, created_at, updated_at
    from (select * from artifact limit 1) one, generate_series(1, ${RECORDED}) n`)
  await client.query(`insert into part select 'fill-' || n, name, filename, sha256, bytes
    from (select * from part where artifact_id = (select artifact_id from part limit 1)) one, generate_series(1, ${RECORDED}) n`)
  await client.query('analyze')
}

async function explainPlans(): Promise<void> {
  const { rows: known } = await client.query('select account_id from artifact limit 1')
  const ofScripts = `account_id = ${known[0]?.account_id} and kind = 'js_sourcemap'`
  const queries = {
    'script by place': `select id from artifact where ${ofScripts} and service = 'bench' and version = 'v500' and path = '/fill/7.js'`,
    'script by debug id': `select id from artifact where ${ofScripts} and debug_id = 'none'`,
    'parts of an artifact': `select name, sha256 from part where artifact_id = 'fill-500'`,
    'native by build id': `select id from artifact where build_id = 'none'`,
    'held content': `select sha256 from part where sha256 = 'none'`,
  }
  for (const [what, query] of Object.entries(queries)) {
    const { rows } = await client.query(`explain ${query}`)
    const plan = rows.map((row) => String(row['QUERY PLAN']).trim())
    const index = plan.join(' ').match(/(?:using|Index Scan on) (\w+)/)?.[1]
    if (index === undefined || plan.some((line) => line.includes('Seq Scan')))
      throw new Error(`${what}: ${plan.join('\n')}`)
    console.log(`${what}: index ${index}`)
  }
}
