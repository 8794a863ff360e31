// `npm run mutation -- --count 300 --seed 1`: changes the code in one place at a time and checks whether a test of
// `npm test` fails. First finds the tests that reach each place, and runs only those. Writes surviving mutants to
// `test/artifacts/mutants.json` and ends with 1 if fewer than four of five were found. Files are changed on disk and
// restored: do not edit the tree while it runs.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { ROOT } from '../support/build-fixture.ts'
import { BUILT_STAMP } from '../support/built-command.ts'
import { type Random, randomOf } from '../support/random.ts'
import { isReadable, type Mutant, mutantsOf, mutatedText } from './mutants.ts'
import type { Question, Reply } from './runner.ts'
import type { Reached } from './setup.ts'
import { apart, readImports, testsOf } from './tests-of.ts'

const SCOPE =
  /\/packages\/(?:core\/src\/(?:pipeline|settings|proof|send|formats)|unplugin\/src|(?:symbolicate|demangle)\/src)\/(?!.*\.d\.ts)/
/** Number of test files per step. Later steps run only if no earlier one failed: the first step finds nearly every mutant. */
const STEPS = [0, 4, 20, Number.POSITIVE_INFINITY]
/** A run that takes longer than this, and five times as long as without a mutant, is an endless loop and counts as found. */
const TIMEOUT_MS = 120_000
const TIMEOUT_FACTOR = 5
/** Time limit for all tests together, when finding which tests reach which mutants. */
const TIMEOUT_OF_ALL_MS = 30 * 60_000
const GOAL = 0.8
const ARTIFACTS = join(ROOT, 'test/artifacts')
const PLAN = join(ARTIFACTS, 'mutation-plan.json')
const RECORD = join(ARTIFACTS, 'mutation-reached.jsonl')
const IN_THREADS = join(ARTIFACTS, 'mutation-elsewhere')
/** Maximum files that reach a mutant only through threads or the command. They run completely, which takes long. */
const MAX_OTHER_TESTS = 12

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    /** Only files whose path contains this text. */
    only: { type: 'string', default: '' },
    /** Only mutants whose description contains this text. */
    grep: { type: 'string', default: '' },
    /** Only one part of them, such as 2/3. Parts can run at the same time in separate working trees. */
    part: { type: 'string', default: '1/1' },
  },
})
const imports = readImports()
const files = imports.sources.filter((file) => SCOPE.test(file) && file.includes(values.only)).sort()
const sampled = sample(files.flatMap(mutantsOf), Number(values.count), randomOf(Number(values.seed)))
const [part = 1, parts = 1] = values.part.split('/').map(Number)
const mutants = sampled.filter((mutant, index) => index % parts === part - 1 && describe(mutant).includes(values.grep))
console.log(`${mutants.length} mutants in ${files.length} files, seed ${values.seed}`)

mkdirSync(ARTIFACTS, { recursive: true })
rmSync(RECORD, { force: true })
rmSync(IN_THREADS, { recursive: true, force: true })
/** The file that is currently changed, and its original text. */
let changed: { file: string; text: string } | undefined
const restore = () => changed && writeFileSync(changed.file, changed.text)
process.on('exit', () => {
  restore()
  // The bundles may contain a mutant.
  rmSync(BUILT_STAMP, { force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

let runner = await startRunner()
const unchanged = await runner.ask(
  { watched: mutants, plan: { record: RECORD, inThreads: IN_THREADS } },
  TIMEOUT_OF_ALL_MS,
)
if (unchanged.failed) console.log(`Fails where nothing is changed: ${unchanged.failed.file} ${unchanged.failed.name}`)
const reached: Reached[] = readFileSync(RECORD, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
const inThreads = new Set(reached.flatMap((it) => it.inThreads))
const millisecondsOf = new Map(reached.map(({ file, ms }) => [file, ms]))

const survivors: Mutant[] = []
for (const [index, mutant] of mutants.entries()) {
  const only = testsThatReach(index, mutant)
  const tests = [...only.keys()].sort((a, b) => apart(a, mutant.file) - apart(b, mutant.file))
  const isBuilt = inThreads.has(index)
  let failed: string | null = null
  for (let step = 1; failed === null && step < STEPS.length; step++)
    failed = await ask(mutant, tests.slice(STEPS[step - 1], STEPS[step]), only, isBuilt)
  if (failed === null && tests.length > 0) {
    // Try again with a fresh runner: sometimes Vitest has kept the unchanged module.
    runner.stop()
    runner = await startRunner()
    failed = await ask(mutant, tests, only, isBuilt)
  }
  if (failed === null) survivors.push(mutant)
  const isReached = isBuilt || reached.some(({ pairs }) => pairs.some(([of]) => of === index))
  const by = failed ? ` by ${failed}` : ` ${tests.length} test files${isReached ? '' : ', none seen to reach it'}`
  console.log(`${index + 1} ${failed === null ? 'SURVIVED' : 'found'} ${describe(mutant)}${by}`)
}
runner.stop()

const share = 1 - survivors.length / mutants.length
const listed = survivors.map(({ file, ...rest }) => ({ file: relative(ROOT, file), ...rest }))
writeFileSync(join(ARTIFACTS, 'mutants.json'), JSON.stringify(listed, undefined, 2))
console.log(`${mutants.length - survivors.length} of ${mutants.length} mutants found (${(share * 100).toFixed(1)} %)`)
process.exitCode = share < GOAL ? 1 : 0

function describe({ file, line, mutator, replacement }: Mutant): string {
  return `${relative(ROOT, file)}:${line} ${mutator} → ${replacement}`
}

function sample(all: Mutant[], count: number, random: Random): Mutant[] {
  const left = [...all]
  const chosen: Mutant[] = []
  while (chosen.length < count && left.length > 0)
    chosen.push(...left.splice(random(left.length), 1).filter(isReadable))
  return chosen
}

/**
 * The ids of the tests that reach a mutant, by file; null for whole files. Code that is evaluated once at load time is
 * left to its nearest importers, because nearly all tests import it. Code that no test is seen to reach may run in a
 * process that records nothing, so it is left to the very nearest importers.
 */
function testsThatReach(index: number, { file, isOnce }: Mutant): Map<string, string[] | null> {
  const only = new Map<string, string[] | null>()
  const ids = reached.flatMap(({ pairs }) => pairs.flatMap(([of, id]) => (of === index ? [id] : [])))
  const built = reached.filter((it) => it.inThreads.includes(index)).map((it) => it.file)
  if (isOnce || (built.length === 0 && ids.every((id) => id === null))) {
    const all = testsOf(file, imports)
    for (const test of all.slice(0, STEPS[ids.length > 0 ? 2 : 1])) only.set(test, null)
    // A mutant in a text or table changes the generated docs.
    if (isOnce) for (const test of all) if (test.includes('/test/docs/')) only.set(test, null)
    return only
  }
  for (const { file: test, pairs } of reached) {
    const ids = pairs.flatMap(([of, id]) => (of === index && id !== null ? [id] : []))
    if (ids.length > 0) only.set(test, ids.includes('') ? null : ids)
  }
  built.sort((a, b) => apart(a, file) - apart(b, file))
  for (const test of built.slice(0, MAX_OTHER_TESTS)) only.set(test, null)
  return only
}

/** The test that failed; null if none did. */
async function ask(
  mutant: Mutant,
  tests: string[],
  only: Map<string, string[] | null>,
  isBuilt: boolean,
): Promise<string | null> {
  if (tests.length === 0) return null
  const chosen = tests.map((test) => [test, only.get(test)] as const)
  const plan = { only: Object.fromEntries(chosen.filter((entry): entry is [string, string[]] => entry[1] != null)) }
  changed = { file: mutant.file, text: readFileSync(mutant.file, 'utf8') }
  writeFileSync(mutant.file, mutatedText(mutant))
  const usual = tests.reduce((sum, test) => sum + (millisecondsOf.get(test) ?? 0), 0)
  const limit = TIMEOUT_MS + TIMEOUT_FACTOR * usual
  const { failed } = await runner.ask({ changed: mutant.file, isBuilt, tests, plan }, limit)
  restore()
  changed = undefined
  if (failed === null) return null
  const { file, name } = failed
  // A test that also fails without a mutant has found nothing. It may depend on earlier tests.
  if (file !== '' && (await runner.ask({ changed: mutant.file, tests: [file], plan }, limit)).failed) {
    if (only.get(file)) return ask(mutant, tests, new Map([...only, [file, null]]), isBuilt)
    console.log(`${relative(ROOT, file)} fails by itself: ${name}`)
    return ask(
      mutant,
      tests.filter((test) => test !== file),
      only,
      isBuilt,
    )
  }
  return `${relative(ROOT, file)}: ${name}`
}

async function startRunner() {
  const program = join(import.meta.dirname, 'runner.ts')
  const child = spawn(process.execPath, ['--conditions=symup-source', '--import', 'tsx', program], {
    cwd: ROOT,
    // Vitest's command sets this variable.
    env: { ...process.env, NODE_ENV: 'test', SYMUP_MUTATION_PLAN: PLAN },
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
    async ask(question: Question, limitMs: number): Promise<Reply> {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs)
      })
      const reply = await Promise.race([next(), late])
      clearTimeout(timer)
      if (reply) return reply
      stop()
      // The next run bundles the files on disk.
      restore()
      runner = await startRunner()
      return { failed: { file: '', name: `no end after ${Math.round(limitMs / 1000)} s` } }
    },
  }
}
