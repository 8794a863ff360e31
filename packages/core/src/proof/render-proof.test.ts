import { expect, it } from 'vitest'
import type { SourceProof } from './own-proof.ts'
import { renderProof } from './render-proof.ts'

const right = { places: 10, resolved: 10 }
const wrong = { places: 5, resolved: 1, wrong: 'its map is coarse' }

function lineOf(sources: Record<string, SourceProof>, more: object = {}, own: object = {}) {
  const [line] = renderProof({
    files: 12,
    positions: 30,
    resolved: 30,
    dataFiles: 0,
    textlessFiles: 0,
    misfits: [],
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
  [lineOf({}, { files: 1 }), 'good: 30 of 30 places resolve (1 script).'],
  [lineOf({}, { resolved: 29 }), 'warning: 29 of 30 places resolve (12 scripts).'],
  [lineOf({}, { positions: 0, resolved: 0 }), 'info: No code that a stack could name (12 scripts): nothing was tried.'],
  [lineOf({}, { positions: 0, resolved: 0, misfits: ['a.js'] }), 'warning: 0 of 0 places resolve (12 scripts).'],
  // Without a place of its own a source says nothing.
  [lineOf({ 'a.js': { places: 0, resolved: 0 } }), 'good: 30 of 30 places resolve (12 scripts).'],
  [
    lineOf({ 'a.js': right, 'b.js': { places: 0, resolved: 0 } }),
    'good: 10 of 10 places in 1 of your files resolve to the line (12 scripts).',
  ],
  [
    lineOf({}, { files: 1, dataFiles: 1, textlessFiles: 1 }),
    'good: 30 of 30 places resolve (1 script; it holds mostly data, which is not judged; it has no source text to compare with).',
  ],
  [
    lineOf({}, { dataFiles: 1, textlessFiles: 1 }),
    'good: 30 of 30 places resolve (12 scripts; 1 of them holds mostly data, which is not judged; 1 of them has no source text to compare with).',
  ],
  [
    lineOf({}, { dataFiles: 12, textlessFiles: 2 }),
    'good: 30 of 30 places resolve (12 scripts; all of them hold mostly data, which is not judged; 2 of them have no source text to compare with).',
  ],
  [lineOf({ 'a.js': wrong }), 'warning: 1 of your files does not resolve (12 scripts): a.js (its map is coarse).'],
  [
    lineOf({ 'a.js': right, 'b.js': wrong, 'c.js': wrong, 'd.js': wrong }),
    'warning: 10 of 10 places in 1 of your files resolve to the line (12 scripts); 3 files do not: b.js (its map is coarse), c.js (its map is coarse), d.js (its map is coarse).',
  ],
  [
    lineOf({ 'a.js': wrong, 'b.js': wrong, 'c.js': wrong, 'd.js': wrong, 'e.js': wrong }),
    'warning: 5 of your files do not resolve (12 scripts): a.js (its map is coarse), b.js (its map is coarse), c.js (its map is coarse) and 2 more.',
  ],
  [
    lineOf({ 'a.js': right }, {}, { unmapped: 1, lostBy: 'careless returned no map for b.js' }),
    'warning: 10 of 10 places in 1 of your files resolve to the line (12 scripts); 1 place has no source (careless returned no map for b.js).',
  ],
  [
    lineOf({ 'a.js': right }, {}, { unmapped: 1200 }),
    'warning: 10 of 10 places in 1 of your files resolve to the line (12 scripts); 1,200 places have no source.',
  ],
])('%s', (line, expected) => {
  expect(line).toBe(expected)
})
