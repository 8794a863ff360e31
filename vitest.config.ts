import { defineConfig } from 'vitest/config'

// Packages are loaded from `src/` through the `symup-source` export condition: nothing is built before a test.
const conditions = ['symup-source', 'module', 'node', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['symup-source', 'node', 'default'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'test/artifacts/results.json' }]] : ['default'],
  },
})
