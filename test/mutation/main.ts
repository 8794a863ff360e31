// `npm run mutation -- --count 300 --seed 1`: changes the code in one place at a time and looks whether a test of `npm test` fails. Writes what
// survived to `test/artifacts/mutants.json` and ends with 1 where fewer than four of five were found. Files are changed in memory only.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type Random, randomOf } from '../fuzz/mutate.ts'
import { ROOT } from '../support/build-fixture.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import type { Question, Reply } from './runner.ts'
import { readImports, testsOf } from './tests-of.ts'

const SCOPE =
  /\/packages\/(?:core\/src\/(?:pipeline|settings|proof|send|formats)|unplugin\/src|symbolicate\/src)\/(?!.*\.d\.ts)/
/** Test files that are run first, those when none of them failed, and so on: nearly every mutant is found by the first. */
const STEPS = [0, 5, 20, Number.POSITIVE_INFINITY]
/** What takes longer is an endless loop: it counts as found. */
const TIMEOUT_MS = 180_000
const GOAL = 0.8

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    /** Only files whose path has it. */
    only: { type: 'string', default: '' },
  },
})
const imports = readImports()
const files = imports.sources.filter((file) => SCOPE.test(file) && file.includes(values.only)).sort()
const mutants = sample(files.flatMap(mutantsOf), Number(values.count), randomOf(Number(values.seed)))
console.log(`${mutants.length} mutants in ${files.length} files, seed ${values.seed}`)

let runner = await startRunner()
/** Test files known to pass, and to fail, as the code is. */
const passing = new Set<string>()
const failing = new Set<string>()
const survivors: Mutant[] = []
for (const [index, mutant] of mutants.entries()) {
  const tests = testsOf(mutant.file, imports)
  let failed: string | null = null
  for (let step = 1; failed === null && step < STEPS.length; step++)
    failed = await ask(mutant, tests.slice(STEPS[step - 1], STEPS[step]))
  if (failed === null) survivors.push(mutant)
  console.log(
    `${index + 1} ${failed === null ? 'SURVIVED' : 'found'} ${describe(mutant)}${failed ? ` by ${failed}` : ''}`,
  )
}
runner.stop()

const share = 1 - survivors.length / mutants.length
mkdirSync(join(ROOT, 'test/artifacts'), { recursive: true })
const listed = survivors.map(({ file, ...rest }) => ({ file: relative(ROOT, file), ...rest }))
writeFileSync(join(ROOT, 'test/artifacts/mutants.json'), JSON.stringify(listed, undefined, 2))
console.log(`${mutants.length - survivors.length} of ${mutants.length} mutants found (${(share * 100).toFixed(1)} %)`)
process.exitCode = share < GOAL ? 1 : 0

function describe({ file, line, mutator, replacement }: Mutant): string {
  return `${relative(ROOT, file)}:${line} ${mutator} → ${replacement}`
}

function sample(all: Mutant[], count: number, random: Random): Mutant[] {
  const left = [...all]
  const chosen: Mutant[] = []
  while (chosen.length < count && left.length > 0) chosen.push(...left.splice(random(left.length), 1))
  return chosen
}

/** The test that failed, null where none did. */
async function ask(mutant: Mutant, tests: string[]): Promise<string | null> {
  const trusted = tests.filter((test) => !failing.has(test))
  if (trusted.length === 0) return null
  const { failed } = await runner.ask({ mutant, tests: trusted })
  if (failed === null) return null
  const { file, name } = failed
  // A test that fails without a mutant, too, has found nothing.
  if (file !== '' && !passing.has(file)) {
    const { failed: without } = await runner.ask({ tests: [file] })
    if (without) {
      failing.add(file)
      console.log(`${relative(ROOT, file)} fails by itself: ${without.name}`)
      return ask(mutant, trusted)
    }
    passing.add(file)
  }
  return `${relative(ROOT, file)}: ${name}`
}

async function startRunner() {
  const program = join(import.meta.dirname, 'runner.ts')
  const child = spawn(process.execPath, ['--conditions=symup-source', '--import', 'tsx', program], {
    cwd: ROOT,
    // As the command of Vitest sets it.
    env: { ...process.env, NODE_ENV: 'test' },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const stop = () => process.kill(-(child.pid as number), 'SIGKILL')
  const next = async (): Promise<Reply> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('the runner has ended')
      if (value.startsWith('{"failed":')) return JSON.parse(value)
    }
  }
  await next()
  return {
    stop,
    async ask(question: Question): Promise<Reply> {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, TIMEOUT_MS)
      })
      const reply = await Promise.race([next(), late])
      clearTimeout(timer)
      if (reply) return reply
      stop()
      runner = await startRunner()
      return { failed: { file: '', name: `no end after ${TIMEOUT_MS / 1000} s` } }
    },
  }
}
