// node summary.cjs <summary of a tier> ...: prints the ten slowest test files, each failed test, and one line of counts
// over all tiers (see test/support/summary.ts)
const { existsSync, readFileSync } = require('node:fs')

// A tier without a summary did not finish.
const nothing = (path) => ({ passed: 0, failed: 1, skipped: 0, files: {}, failures: [`${path} is missing`] })
const tiers = process.argv
  .slice(2)
  .map((path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : nothing(path)))
const files = tiers.flatMap((tier) => Object.entries(tier.files)).sort(([, a], [, b]) => b - a)
for (const [file, seconds] of files.slice(0, 10)) console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}`)
for (const failure of tiers.flatMap((tier) => tier.failures)) console.log(`failed: ${failure}`)
const sum = (count) => tiers.reduce((total, tier) => total + tier[count], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
