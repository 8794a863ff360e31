import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node'
import { ROOT } from './build-fixture.ts'

/** What `.ci/summary.cjs` needs from one tier. */
export interface TierSummary {
  passed: number
  failed: number
  skipped: number
  /** Seconds of each test file: its imports, hooks and tests. */
  files: Record<string, number>
  /** Each failed test, with the first line of its error. */
  failures: string[]
}

const LINE = 240
const lineOf = (name: string, errors: readonly { message: string }[] = []) =>
  `${name}: ${stripVTControlCharacters(errors[0]?.message ?? '').split('\n')[0]}`.slice(0, LINE)

/** Vitest reporter: writes the summary of a run to `test/artifacts/<tier>.json`. */
export default class Summary implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const summary: TierSummary = { passed: 0, failed: unhandled.length, skipped: 0, files: {}, failures: [] }
    summary.failures.push(...unhandled.map((error) => lineOf('outside of the tests', [error])))
    for (const module of modules) {
      const { collectDuration, setupDuration, duration } = module.diagnostic()
      summary.files[module.relativeModuleId] = (collectDuration + setupDuration + duration) / 1000
      let failed = 0
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'passed') summary.passed++
        else if (state === 'skipped') summary.skipped++
        else failed++
        if (state === 'failed') summary.failures.push(lineOf(`${module.relativeModuleId} > ${test.fullName}`, errors))
      }
      // A file can fail without a failed test: in its imports or hooks, or because a key leaked.
      summary.failed += module.state() === 'failed' ? Math.max(failed, 1) : failed
      const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
      const errors = [...module.errors(), ...suites]
      if (errors.length > 0) summary.failures.push(lineOf(module.relativeModuleId, errors))
    }
    const [tier] = this.#vitest?.projects.map(({ name }) => name.split('-')[0]) ?? []
    const directory = join(ROOT, 'test/artifacts')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, `${tier}.json`), JSON.stringify(summary))
  }
}
