// `npm run fuzz -- --minutes 10 --seed 1`: changes artifacts, requests and config files at random and watches an
// intake. Cases that break it are saved in `test/fuzz/crashers`, which a test replays. Ends with 1 if there are any.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomOf } from '../support/random.ts'
import { nextCase, type Operation, unchanged } from './cases.ts'
import { samples } from './corpus.ts'
import { startTarget, statusOf, type Target } from './target.ts'

/** A growing store would make each measurement slower. */
const CASES_PER_INTAKE = 300

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    // The same seed and number of cases result in the same test on any machine.
    cases: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const random = randomOf(seed)
const corpus = await samples()
const tried = new Map<string, number>()
let found = 0
let target: Target | undefined = await startTarget()
const operations = await operationsOf(target.url)
await checkCorpus(target.url)
const until = Date.now() + Number(values.minutes) * 60_000
for (let count = 0; count < Number(values.cases) && Date.now() < until; count++) {
  if (count % CASES_PER_INTAKE === CASES_PER_INTAKE - 1) {
    await target?.close()
    target = undefined
  }
  target ??= await startTarget()
  const one = nextCase(random, corpus, operations)
  tried.set(one.target, (tried.get(one.target) ?? 0) + 1)
  if ((await target.attempt(one)) === undefined) continue
  await target.close()
  // A loaded machine may delay any process once.
  target = await startTarget()
  const why = await target.attempt(one)
  if (why === undefined) continue
  await target.close()
  target = undefined
  found++
  const text = `${JSON.stringify({ why, ...one }, null, 2)}\n`
  const name = `${one.target.replaceAll(/\W+/g, '-')}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`
  writeFileSync(join(import.meta.dirname, 'crashers', name), text)
  console.log(`${one.target}: ${why} (test/fuzz/crashers/${name})`)
}
await target?.close()
for (const [name, count] of [...tried].sort()) console.log(`${String(count).padStart(7)}  ${name}`)
console.log(found === 0 ? 'Nothing broke.' : `${found} cases broke it.`)
process.exitCode = found === 0 ? 0 : 1

/** Mutations of refused input would find little. */
async function checkCorpus(url: string): Promise<void> {
  for (const sample of corpus)
    for (const one of unchanged(sample)) {
      const status = await statusOf(one, url)
      if (status !== 200) throw new Error(`${sample.name}: ${one.path} was answered with ${status}`)
    }
}

/** Every JSON operation that the intake describes, with its example body. */
async function operationsOf(url: string): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { post?: { requestBody?: { content?: Record<string, { example?: unknown }> } } }>
  }
  return Object.entries(paths).flatMap(([path, { post }]) =>
    post && path !== '/sourcemap/upload'
      ? [
          {
            path: path.replaceAll(/\{\w+\}/g, 'x'),
            example: post.requestBody?.content?.['application/json']?.example ?? {},
          },
        ]
      : [],
  )
}
