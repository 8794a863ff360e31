import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { ROOT } from '../support/build-fixture.ts'
import { needsChromium } from '../support/tool.ts'
import { prepare } from './builds.ts'
import { ProbingBrowser } from './page.ts'
import { casesOf } from './run.ts'

const chromium = findChromium()
const { isThere, reason } = needsChromium()

/** A small part of the corpus with quick builds by two bundlers. `npm run proof-corpus` runs all of it. */
const BUILDS = ['rolldown, vanilla', 'esbuild, vanilla']

describe.runIf(isThere)(`the proof corpus${reason}`, () => {
  it('detects all damage that changes a line, and finds nothing in unmodified builds', {
    timeout: 300_000,
  }, async () => {
    const cache = join(ROOT, 'node_modules/.cache/symup/corpus')
    mkdirSync(cache, { recursive: true })
    const { app, names } = await prepare(cache)
    expect(names.length).toBeGreaterThanOrEqual(40)
    const browser = await ProbingBrowser.open(chromium as string)
    try {
      for (const name of BUILDS) {
        const { cases } = await casesOf({ app, cache, browser }, name, names.indexOf(name))
        const harmful = cases.filter(({ changed }) => changed > 0)
        expect(harmful.length).toBeGreaterThan(30)
        const missed = harmful.filter(({ findings }) => findings.length === 0)
        // With about forty cases, one miss already exceeds the goal. `npm run proof-corpus` checks the goal on the whole corpus.
        expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(1)
        expect(cases.filter(({ damage, findings }) => damage === undefined && findings.length > 0)).toEqual([])
      }
    } finally {
      await browser.close()
    }
  })
})
