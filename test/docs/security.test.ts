import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const promises = [...read('SECURITY.md').matchAll(/^\| (?!who |---)([^|]+?) *\|/gm)].map(([, who = '']) => who)

/** The tests for each promise: `` - `path`: “title”, “title” `` below a heading. */
const sections = read('docs/evidence/security.md')
  .split(/^### /m)
  .slice(1)
  .map((section): [who: string, tests: [path: string, titles: string[]][]] => {
    const tests = [...section.matchAll(/^- `([\w./-]+\.test\.ts)`: (“.+)$/gm)].map(
      ([, path = '', titles = '']): [string, string[]] => [
        path,
        [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
      ],
    )
    return [section.slice(0, section.indexOf('\n')), tests]
  })

/** Whether a test, a group of tests or a row in `it.each` has this title. */
function hasTitle(source: string, title: string): boolean {
  const literal = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // If a program may be missing, the title ends with the reason.
  return new RegExp(`[(\\[]\\s*['"\`]${literal}(?:\\$\\{[\\w.]+\\})?['"\`]`).test(source)
}

describe.each(sections)('SECURITY.md: what %s can do', (_, tests) => {
  it.each(tests)('lists existing tests in %s', (path, titles) => {
    expect(existsSync(join(ROOT, path))).toBe(true)
    const source = read(path)
    expect(titles.length).toBeGreaterThan(0)
    expect(titles.filter((title) => !hasTitle(source, title))).toEqual([])
  })
})

it('lists tests for every promise in SECURITY.md, and detects a missing title', () => {
  expect(promises.length).toBeGreaterThan(14)
  expect(sections.flatMap(([who, tests]) => (tests.length > 0 ? [who] : []))).toEqual(promises)
  expect(hasTitle("it('is kept', () => 1)", 'is kept')).toBe(true)
  expect(hasTitle("it('is kept', () => 1) // is lost", 'is lost')).toBe(false)
})
