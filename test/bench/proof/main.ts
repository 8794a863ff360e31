// node scripts/run.js test/bench/proof/main.ts [--chunks N] [--repeat N]
//
// What the round-trip proof and the leak guard cost, as a ratio to things that happen anyway in the same run: building the files with
// Rolldown, and compressing them with gzip level 4 as an upload does. CPU seconds, medians over the repeats.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { collectJavaScript, findLeaks, prove, Secret } from '@symup/core/internal'
import { rolldown } from 'rolldown'

const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '100' }, repeat: { type: 'string', default: '3' } },
})
const chunks = Number(values.chunks)
const directory = mkdtempSync(join(tmpdir(), 'symup-bench-proof-'))
const parser = createRequire(join(import.meta.dirname, '../../../packages/symbolicate/package.json')).resolve('acorn')
const code = readFileSync(parser.replace(/\.js$/, '.mjs'), 'utf8')
const input: Record<string, string> = {}
for (let at = 0; at < chunks; at++) {
  const file = join(directory, `chunk${at}.mjs`)
  writeFileSync(file, `${code}\nexport const chunk = ${at}\n`)
  input[`chunk${at}`] = file
}
const dist = join(directory, 'dist')

async function cpu(run: () => Promise<unknown> | unknown): Promise<number> {
  const seconds: number[] = []
  for (let at = 0; at < Number(values.repeat); at++) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    seconds.push((user + system) / 1e6)
  }
  return seconds.sort((a, b) => a - b)[seconds.length >> 1] as number
}

try {
  const build = await cpu(async () => {
    const bundle = await rolldown({ input, logLevel: 'silent' })
    await bundle.write({ dir: dist, sourcemap: 'hidden', minify: true })
    await bundle.close()
  })
  const plan = await collectJavaScript({
    directory: dist,
    service: 's',
    version: '1',
    minifiedPathPrefix: '/',
    toolVersion: '0',
  })
  const paths = plan.uploads.flatMap(({ parts }) => parts.map(({ path }) => path))
  const bytes = plan.uploads.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.bytes, 0)
  const gzip = await cpu(() => {
    for (const path of paths) gzipSync(readFileSync(path), { level: 4 })
  })
  let result = ''
  const proof = await cpu(async () => {
    const { positions, resolved, files } = await prove(plan.uploads)
    result = `${resolved}/${positions} positions in ${files} files`
  })
  const key = new Secret('0123456789abcdef0123456789abcdef')
  const leaks = await cpu(() => findLeaks({ directory: dist, apiKey: key, timeBudget: 600_000 }))
  console.log(`${chunks} chunks, ${(bytes / 1e6).toFixed(0)} MB of scripts and maps; ${result}`)
  const row = (name: string, seconds: number) =>
    console.log(
      `${name.padEnd(12)} ${seconds.toFixed(2)} s   ${(seconds / build).toFixed(2)} × build   ${(seconds / gzip).toFixed(2)} × gzip`,
    )
  row('build', build)
  row('gzip', gzip)
  row('proof', proof)
  row('leak guard', leaks)
} finally {
  rmSync(directory, { recursive: true })
}
