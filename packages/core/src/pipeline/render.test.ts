import { describe, expect, it } from 'vitest'
import type { Plan } from '../model/plan.ts'
import type { Outcome } from '../model/report.ts'
import { problem } from '../problems/problems.ts'
import { planTotals, renderPlan, renderProblems, summaryOf } from './render.ts'
import { accepted, event, reportOf } from './report.fixture.ts'

const textsOf = (problems: Parameters<typeof renderProblems>[0]) => renderProblems(problems).map(({ text }) => text)
const MESSAGE = 'The intake returned HTTP 401: You are unauthorized.'
const of = (file: string) => problem('unauthorized', MESSAGE, { file })
const SEE = expect.stringMatching(/^ {2}see: https:.*#unauthorized$/)
const FIX = expect.stringMatching(/^ {2}fix: /)

it('prints a problem as one block, with the file if it has one', () => {
  expect(textsOf([of('dist/a.js')])).toEqual([`error unauthorized: dist/a.js: ${MESSAGE}`, FIX, SEE])
})

it('shows the same problem in many files in one line, with a count and three names', () => {
  const problems = Array.from({ length: 61 }, (_, index) => of(`dist/${index}.js`))
  expect(textsOf(problems)).toEqual([
    `error unauthorized: ${MESSAGE} (61 files: dist/0.js, dist/1.js, dist/2.js and 58 more)`,
    FIX,
    SEE,
  ])
})

it('shows the consequences of a problem within its block', () => {
  const notTried = problem('not-tried', 'It was not sent.', { file: 'dist/b.js', cause: 'unauthorized' })
  expect(textsOf([of('dist/a.js'), notTried, notTried])).toEqual([
    `error unauthorized: dist/a.js: ${MESSAGE}`,
    '  2 more artifacts were not sent because of this problem.',
    FIX,
    SEE,
  ])
  expect(textsOf([notTried])[0]).toBe('error not-tried: dist/b.js: It was not sent.')
})

it('shows ten that differ', () => {
  const problems = [...'abcdefghijkl'].map((name) => problem('unauthorized', `No ${name}.`, { file: `${name}.js` }))
  expect(textsOf(problems)).toEqual([
    'error unauthorized: 12 times',
    ...[...'abcdefghij'].map((name) => `  ${name}.js: No ${name}.`),
    '  … and 2 more',
    FIX,
    SEE,
  ])
})

it('prints one block for each fix, because a fix may apply to most of the files', () => {
  const stale = (file: string, fix?: string) => problem('map-stale', `${file} is old.`, { file, ...(fix && { fix }) })
  const texts = textsOf([
    stale('a.js'),
    stale('b.ts', 'Set "sourceMap": true.'),
    stale('c.ts', 'Set "sourceMap": true.'),
  ])
  expect(texts).toContain('warning map-stale: a.js: a.js is old.')
  expect(texts).toContain('warning map-stale: 2 times')
  expect(texts).toContain('  fix: Set "sourceMap": true.')
})

it('counts problems without a file, and prints errors last', () => {
  const warning = problem('map-missing', 'No map.', { severity: 'warning' })
  const info = problem('map-missing', 'Fine.', { severity: 'info', fix: '' })
  const error = problem('unauthorized', MESSAGE)
  expect(textsOf([error, warning, info, error]).filter((text) => !/^ {2}(?:fix|see)/.test(text))).toEqual([
    'info map-missing: Fine.',
    'warning map-missing: No map.',
    `error unauthorized: ${MESSAGE} (2 times)`,
  ])
  // An info without a fix needs no action.
  expect(textsOf([info])).toEqual(['info map-missing: Fine.'])
  const one = problem('not-tried', 'x', { file: 'b.js', cause: 'unauthorized' })
  expect(textsOf([error, one])).toContain('  1 more artifact was not sent because of this problem.')
  expect(textsOf(['a', 'b', 'c'].map((name) => of(`${name}.js`)))[0]).toBe(
    `error unauthorized: ${MESSAGE} (3 files: a.js, b.js, c.js)`,
  )
  expect(
    textsOf(['a', 'b'].map((name) => problem('unauthorized', name))).filter((text) => !text.startsWith(' ')),
  ).toEqual(['error unauthorized: a', 'error unauthorized: b'])
})

describe('the last line of the output', () => {
  const outcomes = (...statuses: Outcome['status'][]) => statuses.map((status): Outcome => ({ ...accepted, status }))
  it.each<[string, Outcome[], Parameters<typeof reportOf>[1], object]>([
    ['of nothing', [], [], { severity: 'error', text: 'Nothing was uploaded because no symbol files were found.' }],
    [
      'reports that no files were found',
      [],
      [],
      { severity: 'error', text: 'Nothing was uploaded because no symbol files were found.' },
    ],
    [
      'reports two scripts with the same URL',
      [],
      [problem('address-taken', 'x')],
      { severity: 'error', text: 'Nothing was uploaded because of the errors above.' },
    ],
    [
      'reports unusable files',
      [],
      [problem('map-uncomposed', 'x')],
      { severity: 'error', text: 'Nothing was uploaded because of the errors above.' },
    ],
    [
      'reports a complete upload',
      outcomes('accepted'),
      [],
      { severity: 'good', text: 'Uploaded 1 artifact, 0 B in 0.0 s.' },
    ],
    [
      'reports artifacts that were already there',
      outcomes('accepted', 'already-there'),
      [],
      { severity: 'good', text: 'Uploaded 2 artifacts (1 already uploaded), 0 B in 0.0 s.' },
    ],
    [
      'reports flawed files in addition',
      outcomes('accepted'),
      [
        problem('map-invalid', 'x', { severity: 'error' }),
        problem('leak-map', 'x', { severity: 'error' }),
        problem('map-missing', 'x', { severity: 'warning' }),
      ],
      { severity: 'error', text: 'Uploaded 1 artifact, 0 B in 0.0 s. 1 other artifact could not be prepared.' },
    ],
    [
      'reports a failure',
      outcomes('accepted', 'already-there', 'refused', 'failed', 'failed', 'not-tried'),
      [],
      {
        severity: 'error',
        text: 'Upload failed: 2 of 6 artifacts uploaded (1 previously), 1 refused, 2 failed, 1 not sent.',
      },
    ],
    [
      'reports a refusal',
      outcomes('refused'),
      [],
      { severity: 'error', text: 'Upload failed: 0 of 1 artifact uploaded, 1 refused.' },
    ],
    [
      'reports a stop',
      outcomes('not-tried'),
      [],
      { severity: 'error', text: 'Upload failed: 0 of 1 artifact uploaded, 1 not sent.' },
    ],
  ])('%s', (_, all, problems, line) => expect(summaryOf(reportOf(all, problems))).toEqual(line))

  it('shows the number of bytes and the time in the last line', () => {
    const report = reportOf(outcomes('accepted'))
    const totals = { ...report.totals, bytesSent: 2048, milliseconds: 1250 }
    expect(summaryOf({ ...report, totals }).text).toBe('Uploaded 1 artifact, 2.0 KiB in 1.3 s.')
  })
})

describe('an upload plan', () => {
  const part = (path: string, bytes: number) => ({ name: 'source_map', filename: 'source_map', path, bytes })
  const plan = (...uploads: object[]) => ({ uploads, problems: [] }) as unknown as Plan
  const web = { event, parts: [part('/r/dist/a.js.map', 2000), part('/r/dist/a.js', 48)] }

  it('prints an upload plan as a table, with a title if every artifact is for the web', () => {
    const of = (given: Plan) => renderPlan(given, '/r').map(({ severity, text }) => `${severity} ${text}`)
    expect(of(plan(web))).toEqual([
      'info      size  file      → URL reported by browsers',
      'info   2.0 KiB  dist/a.js → /a.js',
    ])
    const other = {
      event: { type: 'elf_symbol_file', service: 's', version: '1' },
      parts: [part('/r/x', 1)],
      from: '/r/lib.so',
    }
    expect(of(plan(web, other))).toHaveLength(2)
    expect(of(plan(other))[0]).toMatch(/^info {7}1 B {2}lib\.so → /)
    expect(of(plan())).toEqual([])
  })

  it('counts the artifacts in an upload plan and adds up their sizes', () => {
    expect(planTotals(plan(web))).toEqual({ count: 1, text: '1 artifact, 2.0 KiB' })
    expect(planTotals(plan(web, web)).text).toBe('2 artifacts, 4.0 KiB')
    expect(planTotals(plan()).text).toBe('0 artifacts, 0 B')
  })
})
