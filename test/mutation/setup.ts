// Runs before each test file: records which tests reach which mutants, or skips tests that do not reach the current one.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'

declare global {
  /** Called where a mutant would be evaluated. */
  var reached: ((index: number) => void) | undefined
}

/** Written by the runner before it runs tests. */
export interface Plan {
  /** Where to record what is reached: one line of JSON per test file, as `Reached`. */
  record?: string
  /** The directory in which threads and commands record the reached mutants: one file per parent process. */
  inThreads?: string
  /** The ids of the tests to run, by file. Files without an entry run completely. */
  only?: Record<string, string[]>
}

/** What the tests of a file reach. */
export interface Reached {
  file: string
  /** Milliseconds that the file's tests took. */
  ms: number
  /** A mutant's number and the test's id. The id is empty for hooks, and null for code reached while files were loaded. */
  pairs: [number, string | null][]
  /** Mutants that threads and the built command reach. */
  inThreads: number[]
}

const plan: Plan = JSON.parse(readFileSync(process.env.SYMUP_MUTATION_PLAN as string, 'utf8'))
const { record } = plan
const inThreads = plan.inThreads && join(plan.inThreads, String(process.pid))
// Before any test replaces it with its own clock.
const { now } = performance
const clock = () => now.call(performance)
let began = 0
const seen = new Set<string>()
let test: string | null = null
globalThis.reached = record ? (index) => seen.add(JSON.stringify([index, test])) : undefined

beforeAll(() => {
  if (inThreads) rmSync(inThreads, { force: true })
  began = clock()
  test = ''
})
beforeEach(({ task, skip }) => {
  test = task.id
  const only = plan.only?.[task.file.filepath]
  if (only && !only.includes(task.id)) skip()
})
afterAll(() => {
  const pairs = [...seen].map((pair) => JSON.parse(pair))
  const noted = inThreads && existsSync(inThreads) ? readFileSync(inThreads, 'utf8').trimEnd().split('\n') : []
  const reached: Reached = {
    file: expect.getState().testPath ?? '',
    ms: Math.round(clock() - began),
    pairs,
    inThreads: [...new Set(noted.map(Number))],
  }
  if (record) appendFileSync(record, `${JSON.stringify(reached)}\n`)
})
