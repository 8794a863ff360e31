import { expect, it } from 'vitest'
import type { SourceProof } from './own-proof.ts'
import { renderProof } from './render-proof.ts'

const right = { places: 10, resolved: 10 }
const unchecked = { places: 0, resolved: 0, isUnchecked: true } as const
const wrong = { places: 5, resolved: 1, wrong: 'the source map has too few mappings' }

function lineOf(sources: Record<string, SourceProof>, more: object = {}, own: object = {}) {
  const [line] = renderProof({
    files: 12,
    positions: 30,
    resolved: 30,
    textlessFiles: 0,
    misfits: [],
    failed: [],
    problems: [],
    byUpload: new Map(),
    unusable: new Set<never>(),
    own: { sources: new Map(Object.entries(sources)), unmapped: 0, ...own },
    ...more,
  })
  return line && `${line.severity}: ${line.text}`
}

it.each<[string | undefined, string | undefined]>([
  [lineOf({}, { files: 0 }), undefined],
  [lineOf({}, { files: 1 }), 'good: 30 of 30 positions resolve (1 script).'],
  [lineOf({}, { resolved: 29 }), 'warning: 29 of 30 positions resolve (12 scripts).'],
  [
    lineOf({}, { resolved: 29, failed: ['a.js:1:7'] }),
    'warning: 1 of 30 positions does not resolve: a.js:1:7; 29 of 30 positions resolve (12 scripts).',
  ],
  [
    lineOf({}, { positions: 0, resolved: 0 }),
    'info: No positions were checked because the scripts contain no position that can be compared.',
  ],
  [
    lineOf({}, { positions: 0, resolved: 0, misfits: ['a.js'] }),
    'warning: 1 script does not match the source map: a.js.',
  ],
  // A source without checked positions is not counted.
  [lineOf({ 'a.js': { places: 0, resolved: 0 } }), 'good: 30 of 30 positions resolve (12 scripts).'],
  [
    lineOf({ 'a.js': right, 'b.js': { places: 0, resolved: 0 } }),
    'good: 10 of 10 positions in 1 of your source files resolve to the right line (12 scripts).',
  ],
  [
    lineOf({ 'a.js': { places: 1990, resolved: 1990 }, 'b.js': right }),
    'good: 2,000 of 2,000 positions in 2 of your source files resolve to the right line (12 scripts).',
  ],
  [
    lineOf({ 'a.js': { places: 100, resolved: 98, failed: ['3:5', '3:5'] } }),
    'warning: 2 of 100 positions do not resolve: a.js:3:5; 98 of 100 positions in 1 of your source files resolve to the right line (12 scripts).',
  ],
  [
    lineOf({ 'a.js': { places: 1000, resolved: 996, failed: ['3:5', '4:1', '5:1', '6:2'] } }),
    'good: 4 of 1,000 positions do not resolve: a.js:3:5, a.js:4:1, a.js:5:1 and 1 more; 996 of 1,000 positions in 1 of your source files resolve to the right line (12 scripts).',
  ],
  [
    lineOf({}, { textlessFiles: 2 }),
    'good: 30 of 30 positions resolve (12 scripts); 2 of 12 scripts were not checked because their source maps contain no source text.',
  ],
  [
    lineOf({}, { files: 1, positions: 0, resolved: 0, textlessFiles: 1 }),
    'info: 1 script was not checked because its source map contains no source text.',
  ],
  [
    lineOf({ 'a.js': right, 'b.js': unchecked, 'c.js': unchecked }, { textlessFiles: 1 }),
    'info: 10 of 10 positions in 1 of your source files resolve to the right line (12 scripts); 2 source files were not checked because their text is missing from the source maps.',
  ],
  [
    lineOf({ 'a.js': wrong }),
    'warning: 1 of 1 source files does not resolve: a.js (the source map has too few mappings).',
  ],
  [
    lineOf({ 'a.js': right, 'b.js': wrong, 'c.js': wrong, 'd.js': wrong, 'e.js': wrong }),
    'warning: 4 of 5 source files do not resolve: b.js (the source map has too few mappings), c.js (the source map has too few mappings), d.js (the source map has too few mappings) and 1 more; 10 of 10 positions in 1 of your source files resolve to the right line (12 scripts).',
  ],
  [
    lineOf({ 'a.js': right }, { misfits: ['b.js'] }, { unmapped: 1200 }),
    'warning: 1 script does not match the source map: b.js; 1,200 positions are not mapped to a source; 10 of 10 positions in 1 of your source files resolve to the right line (12 scripts).',
  ],
  [
    lineOf({ 'a.js': right }, {}, { unmapped: 1, lostBy: 'b.js: careless returned no source map' }),
    'warning: 1 position is not mapped to a source (b.js: careless returned no source map); 10 of 10 positions in 1 of your source files resolve to the right line (12 scripts).',
  ],
])('%s', (line, expected) => {
  expect(line).toBe(expected)
})
