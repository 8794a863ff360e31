import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest } from 'vitest/node'
import { ROOT } from '../support/build-fixture.ts'
import makeBuilt, { BUILT_STAMP, bundle, PACKAGES } from '../support/built-command.ts'
import { type Mutant, watchedText } from './mutants.ts'
import type { Plan } from './setup.ts'

/** A question to this process: one line of JSON each. */
export interface Question {
  /** The changed file; absent if none was changed. */
  changed?: string
  /** Whether threads and the built command also have the change. */
  isBuilt?: boolean
  /** All mutants, for finding which tests reach which mutants. */
  watched?: Mutant[]
  /** If absent, all tests run. */
  tests?: string[]
  plan: Plan
}

export interface Reply {
  /** The first test that failed; null if all passed. */
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
await makeBuilt({ config: vitest.config })
process.stdout.write('\n{"failed":null}\n')
/** The file that was changed and is restored. */
let restored: string | undefined
/** Packages whose bundles do not match the current sources. */
const stale = new Set<string>()
for await (const line of createInterface({ input: process.stdin })) {
  const { changed, isBuilt, watched, tests, plan } = JSON.parse(line) as Question
  writeFileSync(process.env.SYMUP_MUTATION_PLAN as string, JSON.stringify(plan))
  for (const file of [...(globalThis.watched?.keys() ?? []), restored, changed]) if (file) vitest.invalidateFile(file)
  restored = changed
  globalThis.watched = watched && byFile(watched)
  for (const { config } of [vitest, ...vitest.projects]) config.bail = watched ? 0 : 1
  const wanted = tests ? all.filter(({ moduleId }) => tests.includes(moduleId)) : all
  if (watched && plan.inThreads) await watchThreads(globalThis.watched ?? new Map(), plan.inThreads)
  else if (!(await isRebuilt(isBuilt ? changed : undefined))) {
    answer({ file: '', name: 'it cannot be bundled' })
    continue
  }
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted)
  process.exitCode = 0
  // Vitest also reports the results of earlier questions.
  const isAsked = ({ moduleId }: { moduleId: string }) =>
    wanted.some((specification) => specification.moduleId === moduleId)
  const failed = testModules.find((module) => isAsked(module) && module.state() === 'failed')
  const test = failed && [...failed.children.allTests('failed')][0]
  const outside = unhandledErrors.length > 0 ? { file: '', name: 'outside of the tests' } : null
  answer(failed ? { file: failed.moduleId, name: test?.fullName ?? 'its imports or hooks' } : outside)
}
await vitest.close()

function answer(failed: Reply['failed']): void {
  process.stdout.write(`\n${JSON.stringify({ failed } satisfies Reply)}\n`)
}

/** The bundled package that contains a file. */
function packageOf(file: string): string | undefined {
  return PACKAGES.map((name) => join(ROOT, 'packages', name)).find((directory) => file.startsWith(`${directory}/src/`))
}

/** Bundles packages that do not match the current sources, and the package of the changed file. */
async function isRebuilt(changed: string | undefined): Promise<boolean> {
  const own = changed && packageOf(changed)
  const directories = new Set([...stale, ...(own ? [own] : [])])
  stale.clear()
  if (own) stale.add(own)
  if (directories.size > 0) rmSync(BUILT_STAMP, { force: true })
  try {
    for (const directory of directories) await bundle(directory)
    return true
  } catch {
    return false
  }
}

/**
 * Bundles files that record which mutants threads and the built command reach: one file in `directory` per process, and
 * one for its parent, with a number on each line.
 */
async function watchThreads(files: NonNullable<typeof globalThis.watched>, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true })
  const program = join(directory, 'note.js')
  writeFileSync(
    program,
    `import { appendFileSync } from 'node:fs'
const seen = new Set()
globalThis.reached ??= (index) => {
  if (seen.has(index)) return
  seen.add(index)
  for (const id of [process.pid, process.ppid]) appendFileSync(${JSON.stringify(`${directory}/`)} + id, index + '\\n')
}
`,
  )
  const texts = new Map([...files.keys()].map((file) => [file, readFileSync(file, 'utf8')]))
  try {
    for (const [file, mutants] of files)
      if (packageOf(file)) writeFileSync(file, `import ${JSON.stringify(program)};${watchedText(file, mutants)}`)
    await isRebuilt(undefined)
    for (const file of files.keys()) stale.add(packageOf(file) ?? '')
    stale.delete('')
    for (const directory of stale) await bundle(directory)
  } finally {
    for (const [file, text] of texts) writeFileSync(file, text)
  }
}

function byFile(mutants: Mutant[]): Map<string, { index: number; mutant: Mutant }[]> {
  const files = new Map<string, { index: number; mutant: Mutant }[]>()
  for (const [index, mutant] of mutants.entries())
    files.set(mutant.file, [...(files.get(mutant.file) ?? []), { index, mutant }])
  return files
}
