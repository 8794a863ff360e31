import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest } from 'vitest/node'
import { ROOT } from '../support/build-fixture.ts'
import type { Mutant } from './mutants.ts'

/** Asked of this process, a line of JSON each. */
export interface Question {
  /** Absent: the tests as they are. */
  mutant?: Mutant
  tests: string[]
}

export interface Reply {
  /** The first test that failed; null where all passed. */
  failed: { file: string; name: string } | null
}

const vitest = await createVitest('test', {
  root: ROOT,
  config: join(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  bail: 1,
  reporters: [{}],
  project: ['fast', 'fast-isolated'],
})
await vitest.standalone()
const all = await vitest.globTestSpecifications()
process.stdout.write('\n{"failed":null}\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { mutant, tests } = JSON.parse(line) as Question
  for (const { file } of [globalThis.mutant, mutant].filter((given) => given !== undefined)) vitest.invalidateFile(file)
  globalThis.mutant = mutant
  const wanted = all.filter(({ moduleId }) => tests.includes(moduleId))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted)
  process.exitCode = 0
  // Vitest names those of earlier questions too.
  const failed = testModules.find((module) => tests.includes(module.moduleId) && module.state() === 'failed')
  const test = failed && [...failed.children.allTests('failed')][0]
  const outside = unhandledErrors.length > 0 ? { file: '', name: 'outside of the tests' } : null
  const reply: Reply = {
    failed: failed ? { file: failed.moduleId, name: test?.fullName ?? 'its imports or hooks' } : outside,
  }
  process.stdout.write(`\n${JSON.stringify(reply)}\n`)
}
await vitest.close()
