import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest } from 'vitest/node'
import { ROOT } from '../support/build-fixture.ts'
import type { Mutant } from './mutants.ts'
import type { Plan } from './setup.ts'

/** Asked of this process, a line of JSON each. */
export interface Question {
  /** A file that was changed; absent: none was. */
  changed?: string
  /** All mutants, to look which tests reach which. */
  watched?: Mutant[]
  /** Absent: all. */
  tests?: string[]
  plan: Plan
}

export interface Reply {
  /** The first test that failed; null where all passed. */
  failed: { file: string; name: string } | null
}

const vitest = await createVitest('test', {
  root: ROOT,
  config: join(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  reporters: [{}],
  project: ['fast', 'fast-isolated'],
})
await vitest.standalone()
const all = await vitest.globTestSpecifications()
process.stdout.write('\n{"failed":null}\n')
/** What was changed and is as it was again. */
let restored: string | undefined
for await (const line of createInterface({ input: process.stdin })) {
  const { changed, watched, tests, plan } = JSON.parse(line) as Question
  writeFileSync(process.env.SYMUP_MUTATION_PLAN as string, JSON.stringify(plan))
  for (const file of [...(globalThis.watched?.keys() ?? []), restored, changed]) if (file) vitest.invalidateFile(file)
  restored = changed
  globalThis.watched = watched && byFile(watched)
  for (const { config } of [vitest, ...vitest.projects]) config.bail = watched ? 0 : 1
  const wanted = tests ? all.filter(({ moduleId }) => tests.includes(moduleId)) : all
  // A thread that was built before does not have the change.
  if (changed) delete process.env.SYMUP_BUILT_THREAD
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted)
  process.exitCode = 0
  // Vitest names those of earlier questions too.
  const isAsked = ({ moduleId }: { moduleId: string }) =>
    wanted.some((specification) => specification.moduleId === moduleId)
  const failed = testModules.find((module) => isAsked(module) && module.state() === 'failed')
  const test = failed && [...failed.children.allTests('failed')][0]
  const outside = unhandledErrors.length > 0 ? { file: '', name: 'outside of the tests' } : null
  const reply: Reply = {
    failed: failed ? { file: failed.moduleId, name: test?.fullName ?? 'its imports or hooks' } : outside,
  }
  process.stdout.write(`\n${JSON.stringify(reply)}\n`)
}
await vitest.close()

function byFile(mutants: Mutant[]): Map<string, { index: number; mutant: Mutant }[]> {
  const files = new Map<string, { index: number; mutant: Mutant }[]>()
  for (const [index, mutant] of mutants.entries())
    files.set(mutant.file, [...(files.get(mutant.file) ?? []), { index, mutant }])
  return files
}
