import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'

// Packages are loaded from `src/` through the `symup-source` export condition. Only the command is bundled before the
// tests.
const nodeConditions = ['symup-source', 'node', 'default']
const conditions = ['module', ...nodeConditions]
export const fromSource = {
  resolve: { conditions },
  // Without `module`: load what Node itself would load, because some packages have files for bundlers that Node cannot
  // load.
  ssr: { resolve: { conditions: nodeConditions, externalConditions: nodeConditions } },
}

const isCi = Boolean(process.env.CI)

// A test's file name contains its tier: `*.world.test.ts` may need more than Node, npm and git, or much time;
// `*.nightly.test.ts` may need the current releases of other projects, or very much time; every other test may not.
const WORLD = '**/*.world.test.ts'
const NIGHTLY = '**/*.nightly.test.ts'

/**
 * These replace Node's modules with their own, such as an in-memory file system. Modules loaded by other tests would
 * stay in the way.
 */
const REPLACING = ['**/*.faults.test.ts', '**/pipeline/reads.test.ts', '**/platform/faults/fault.test.ts']
const NOT_WATCHED = /\.(?:faults|world|nightly)\.test\.ts$/
/** Core's tests that take over a second. While watching, only an edit in their own folder starts them. */
const SLOW = /\/core\/src\/(?:send\/|git\/|formats\/source-map\/agreement|kinds\/mini-program\/)/

const watchedTestsOf = (directory: string, edited: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((file) => join(directory, file))
    .filter((file) => file.endsWith('.test.ts') && !NOT_WATCHED.test(file))
    .filter((file) => !SLOW.test(file) || edited.includes(`/${dirname(file)}/`))

/**
 * Edits of a package's source start that package's fast tests, including those in the file's own folder. `npm test`
 * covers other packages that import it: everything depends on core.
 */
const watchTriggerPatterns = [
  {
    pattern: /\/packages\/([\w-]+)\/src\/(?!.*\.test\.ts$).*\.ts$/,
    testsToRun: (edited: string, [, name]: RegExpMatchArray) => watchedTestsOf(`packages/${name}/src`, edited),
  },
]

/**
 * A tier whose tests wait for installs, commands and browsers. With one worker per core, two cores were idle for a
 * quarter of the time.
 */
const slowTier = (name: string, files: string): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    maxWorkers: availableParallelism() + 1,
    // Vitest cannot run projects with different numbers of workers at the same time.
    sequence: { groupOrder: 1 },
    include: [`packages/*/src/${files}`, `test/${files}`],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})

export default defineConfig({
  ...fromSource,
  test: {
    // By default, Vitest would reserve one of two cores for its main process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Independent of the machine's locale.
    env: { SYMUP_LANG: 'en' },
    globalSetup: ['test/support/built-command.ts'],
    // It reads everything that tests write, which takes time, so only CI uses it.
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
          // Loading the same modules for each of 170 files would take a third of the time.
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
