import { defineConfig } from 'vitest/config'

// Packages are loaded from `src/` through the `symup-source` export condition: nothing is built before a test.
const nodeConditions = ['symup-source', 'node', 'default']
const conditions = ['module', ...nodeConditions]

export default defineConfig({
  resolve: { conditions },
  // Without `module`: what Node itself would load, as some packages have files for bundlers that Node cannot.
  ssr: { resolve: { conditions: nodeConditions, externalConditions: nodeConditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/support/leak-watch.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'test/artifacts/results.json' }]] : ['default'],
  },
})
