import { expect, it } from 'vitest'
import { problem } from '../problems/problems.ts'
import { renderProblems } from './render.ts'

const textsOf = (problems: Parameters<typeof renderProblems>[0]) => renderProblems(problems).map(({ text }) => text)
const MESSAGE = 'The intake answered HTTP 401: You are unauthorized.'
const of = (file: string) => problem('unauthorized', MESSAGE, { file })
const SEE = expect.stringMatching(/^ {2}see: https:.*#unauthorized$/)
const FIX = expect.stringMatching(/^ {2}fix: /)

it('is one block, with the file where there is one', () => {
  expect(textsOf([of('dist/a.js')])).toEqual([`error unauthorized: dist/a.js: ${MESSAGE}`, FIX, SEE])
})

it('says the same problem of many files in one line, with a count and three names', () => {
  const problems = Array.from({ length: 61 }, (_, index) => of(`dist/${index}.js`))
  expect(textsOf(problems)).toEqual([
    `error unauthorized: ${MESSAGE} (61 files: dist/0.js, dist/1.js, dist/2.js and 58 more)`,
    FIX,
    SEE,
  ])
})

it('says what follows from a problem within its block', () => {
  const notTried = problem('not-tried', 'It was not sent.', { file: 'dist/b.js', cause: 'unauthorized' })
  expect(textsOf([of('dist/a.js'), notTried, notTried])).toEqual([
    `error unauthorized: dist/a.js: ${MESSAGE}`,
    '  Because of it 2 more were not tried.',
    FIX,
    SEE,
  ])
  expect(textsOf([notTried])[0]).toBe('error not-tried: dist/b.js: It was not sent.')
})

it('shows three of those that differ', () => {
  const problems = ['a', 'b', 'c', 'd'].map((name) => problem('unauthorized', `No ${name}.`, { file: `${name}.js` }))
  expect(textsOf(problems)).toEqual([
    'error unauthorized: 4 times',
    '  a.js: No a.',
    '  b.js: No b.',
    '  c.js: No c.',
    '  … and 1 more',
    FIX,
    SEE,
  ])
})
