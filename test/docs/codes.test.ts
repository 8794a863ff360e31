import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROBLEMS, problem } from '@symup/core'
import { REASONS } from '@symup/symbolicate/internal'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { cwd: ROOT, encoding: 'utf8' })
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const files = tracked.split('\n').filter((file) => file !== '' && !file.startsWith('test/docs/'))
const isTest = (file: string) => file.endsWith('.test.ts')

const codes = [...Object.keys(PROBLEMS), ...Object.keys(REASONS)]
const anyCode = `'(?:${codes.join('|')})'`
/** Parts that are not assertions: comments, problems that a test creates itself, and lists of codes. */
const MENTIONS = [
  /^\s*(?:\/\/|\/?\*).*$/gm,
  new RegExp(`\\bproblem\\(\\s*${anyCode}`, 'g'),
  new RegExp(`(?:${anyCode},\\s*){5,}`, 'g'),
]
const assertions = files
  // policy.test.ts creates a report for each category itself.
  .filter((file) => isTest(file) && !file.endsWith('/pipeline/policy.test.ts'))
  .map((file) => MENTIONS.reduce((text, mention) => text.replace(mention, ''), read(file)))
  .join('\n')
const LISTS = /^packages\/(?:core\/src\/problems\/|symbolicate\/src\/reasons\.ts$)/
const sources = files
  .filter((file) => /^packages\/[^/]+\/src\//.test(file) && !isTest(file) && !LISTS.test(file))
  .map(read)
  .join('\n')
const page = read('docs/problems.md')

describe.each(codes)('the problem code %s', (code) => {
  const word = new RegExp(`(?<![\\w-])${code}(?![\\w-])`)
  it('documents each problem code, raises it and tests it', () => {
    expect(page).toContain(`\n## ${code}\n`)
    expect(sources, 'nothing raises it').toMatch(word)
    expect(word.test(assertions), 'no test names it').toBe(true)
  })
})

it('links a problem to its section in the documentation, which the package also contains', () => {
  expect(problem('map-missing', 'x').docs).toMatch(/\/problems\.md#map-missing$/)
  expect(read('packages/core/problems.md')).toBe(page)
})
