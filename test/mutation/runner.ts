import { createInterface } from 'node:readline'
import { createVitest } from 'vitest/node'
import { ROOT } from '../support/build-fixture.ts'
import { type Mutant, mutatedText } from './mutants.ts'

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

let active: Mutant | undefined
const vitest = await createVitest(
  'test',
  { root: ROOT, watch: false, bail: 1, reporters: [{}], project: ['fast', 'fast-isolated'] },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        transform: (_code: string, id: string) =>
          active && id.split('?')[0] === active.file ? { code: mutatedText(active), map: null } : undefined,
      },
    ],
  },
)
await vitest.standalone()
const all = await vitest.globTestSpecifications()
process.stdout.write('\n{"failed":null}\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { mutant, tests } = JSON.parse(line) as Question
  for (const { file } of [active, mutant].filter((given) => given !== undefined)) vitest.invalidateFile(file)
  active = mutant
  const wanted = all.filter(({ moduleId }) => tests.includes(moduleId))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted)
  process.exitCode = 0
  const failed = testModules.find((module) => module.state() === 'failed')
  const test = failed && [...failed.children.allTests('failed')][0]
  const outside = unhandledErrors.length > 0 ? { file: '', name: 'outside of the tests' } : null
  const reply: Reply = {
    failed: failed ? { file: failed.moduleId, name: test?.fullName ?? 'its imports or hooks' } : outside,
  }
  process.stdout.write(`\n${JSON.stringify(reply)}\n`)
}
await vitest.close()
