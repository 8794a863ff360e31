import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Private words, and their replacements. */
const OURS: readonly [RegExp, string][] = [
  [/\b[Rr]oads?\b|\bopenRoad\b/, 'connection, transport'],
  [/\b[Pp]atience\b/, 'timeouts'],
  [/\bturnTaker\b|\btakeTurn\b/, 'yield to the event loop'],
  [/\b[Tt]roubles?\b|\bTROUBLES?\b/, 'problem, category'],
  [/the end of the story/, 'outcome'],
  [/young generation/, 'memory for new objects'],
  [/\binOwnWords\b|\btransferToNobody\b/, 'what it does'],
  [/\b(?:MOST|LONGEST|LARGEST)_[A-Z]/, 'MAX_…'],
  [/\b(?:is|are) to be mended\b|\bMend the\b/, 'correct, fix'],
  [/\bin vain\b|\bAsked is\b|\bSay it:/, 'plain words'],
  [/the wall between/, 'separation'],
]

/** Exceptions where a word is quoted: the old names of codes, and this list. */
const EXEMPT =
  /^(?:docs\/decisions\/|test\/docs\/words\.test\.ts$|packages\/core\/src\/problems\/config\.ts$|(?:docs|packages\/core)\/problems\.md$)/

const files = execFileSync('git', ['ls-files', 'packages', 'docs', 'README.md', 'CONTRIBUTING.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:[cm]?tsx?|md|gradle)$/.test(file) && !EXEMPT.test(file))

it.each(OURS)('does not use the word %s', (word, instead) => {
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
  )
  expect(found, `write: ${instead}`).toEqual([])
})

it('finds files to read', () => expect(files.length).toBeGreaterThan(400))
