import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'

// Packages are loaded from `src/` through the `symup-source` export condition; only the command is bundled before the tests.
const nodeConditions = ['symup-source', 'node', 'default']
const conditions = ['module', ...nodeConditions]
export const fromSource = {
  resolve: { conditions },
  // Without `module`: what Node itself would load, as some packages have files for bundlers that Node cannot.
  ssr: { resolve: { conditions: nodeConditions, externalConditions: nodeConditions } },
}

const isCi = Boolean(process.env.CI)

// A test's file name says its tier: `*.world.test.ts` may need more than Node, npm and git, or much time; `*.nightly.test.ts` may need other
// people's releases of the day, or very much time; every other test may not.
const WORLD = '**/*.world.test.ts'
const NIGHTLY = '**/*.nightly.test.ts'

/** They put modules of their own in the place of Node's, such as a file system in memory: what other tests have loaded stays in the way. */
const REPLACING = ['**/*.faults.test.ts', '**/pipeline/reads.test.ts', '**/platform/faults/fault.test.ts']
const NOT_WATCHED = /\.(?:faults|world|nightly)\.test\.ts$/
/** Core's tests of over a second: while watching, only an edit in their own folder starts them. */
const SLOW = /\/core\/src\/(?:send\/|git\/|formats\/source-map\/agreement|kinds\/mini-program\/)/

const watchedTestsOf = (directory: string, edited: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((file) => join(directory, file))
    .filter((file) => file.endsWith('.test.ts') && !NOT_WATCHED.test(file))
    .filter((file) => !SLOW.test(file) || edited.includes(`/${dirname(file)}/`))

/**
 * Edits of a package's source start that package's fast tests, those of the file's own folder among them. What imports the package in other
 * packages is left to `npm test`: a core file is below everything.
 */
const watchTriggerPatterns = [
  {
    pattern: /\/packages\/([\w-]+)\/src\/(?!.*\.test\.ts$).*\.ts$/,
    testsToRun: (edited: string, [, name]: RegExpMatchArray) => watchedTestsOf(`packages/${name}/src`, edited),
  },
]

/** A tier whose tests wait for installs, commands and browsers: with one worker for each core, two cores were idle for a quarter of the time. */
const slowTier = (name: string, files: string): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    maxWorkers: availableParallelism() + 1,
    // Vitest refuses to run projects with different numbers of workers at the same time.
    sequence: { groupOrder: 1 },
    include: [`packages/*/src/${files}`, `test/${files}`],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})

export default defineConfig({
  ...fromSource,
  test: {
    // Vitest would leave one of two cores to itself.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Whatever the locale of the machine.
    env: { SYMUP_LANG: 'en' },
    globalSetup: ['test/support/built-command.ts'],
    // It reads whatever tests write, which takes time: CI looks for all of us.
    setupFiles: isCi ? ['test/support/leak-watch.ts'] : [],
    reporters: isCi ? ['default', './test/support/summary.ts'] : ['default'],
    watchTriggerPatterns,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/node_modules/**', WORLD, NIGHTLY, ...REPLACING],
          // To load the same modules for each of 170 files would take a third of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'fast-isolated', include: REPLACING, exclude: ['**/node_modules/**'] },
      },
      slowTier('world', WORLD),
      slowTier('nightly', NIGHTLY),
    ],
  },
})
