// node scripts/run.js test/bench/upload/changed.ts [--size S|M|L]
//
// Uploads a build to our own intake, changes 5 % of its chunks, uploads it again as the next version, and prints which share of the first
// upload's bytes the second one sent.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { collectJavaScript, resolveSettings, upload } from '@symup/core/internal'
import { startIntake } from '@symup/intake'
import { makeWorkload, type Size } from './workloads.ts'

const { values } = parseArgs({ options: { size: { type: 'string', default: 'M' } } })
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/symup/bench')
const workload = await makeWorkload(values.size as Size, cache)
const root = mkdtempSync(join(tmpdir(), 'symup-changed-'))
const directory = join(root, 'dist')
cpSync(workload.directory, directory, { recursive: true })
const intake = await startIntake()

async function send(version: string): Promise<number> {
  const options = { apiKey: 'dev-api-key', endpoint: intake.url, service: 'bench', version, minifiedPathPrefix: '/' }
  const resolution = resolveSettings({ options, env: {}, ignoreConfigFile: true })
  if (!resolution.ok) throw new Error('settings')
  const plan = await collectJavaScript({
    directory,
    service: 'bench',
    version,
    minifiedPathPrefix: '/',
    toolVersion: '0',
  })
  const report = await upload(plan, resolution.settings, { adapter: { name: 'bench', version: '0' } })
  if (report.totals.accepted !== plan.uploads.length) throw new Error('not everything was accepted')
  return report.totals.bytesSent
}

try {
  const first = await send('1')
  const scripts = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .sort()
  const changed = scripts.filter((_, index) => index % 20 === 0)
  for (const name of changed) {
    const script = join(directory, name)
    writeFileSync(script, `${readFileSync(script, 'utf8')}\n;void 0`)
    const map = JSON.parse(readFileSync(`${script}.map`, 'utf8'))
    writeFileSync(`${script}.map`, JSON.stringify({ ...map, x_changed: true }))
  }
  const second = await send('2')
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  console.log(`${values.size}: ${changed.length} of ${scripts.length} chunks changed`)
  console.log(`first ${megabytes(first)} MB, second ${megabytes(second)} MB: ${((second / first) * 100).toFixed(1)} %`)
} finally {
  await intake.close()
  rmSync(root, { recursive: true, force: true })
}
