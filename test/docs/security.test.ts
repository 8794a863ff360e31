import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const rows = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!who |---)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** A file and the titles in it: `` `path`: “title”, “title” ``. */
function testsOf(cell: string): [path: string, titles: string[]][] {
  return cell.split('<br>').map((part) => {
    const [, path = ''] = /^`([\w./-]+\.test\.ts)`: “/.exec(part) ?? []
    return [path, [...part.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)]
  })
}

/** Whether a test, a group of tests or a row of `it.each` is called so. */
function hasTitle(source: string, title: string): boolean {
  const literal = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Where a program may be missing, why is said behind the title.
  return new RegExp(`[(\\[]\\s*['"\`]${literal}(?:\\$\\{[\\w.]+\\})?['"\`]`).test(source)
}

describe.each(rows.map((cells) => [cells[1], cells.at(-2) ?? '']))('SECURITY.md: what %s may do', (_, cell) => {
  it.each(testsOf(cell))('is shown by %s', (path, titles) => {
    expect(existsSync(join(ROOT, path))).toBe(true)
    const source = readFileSync(join(ROOT, path), 'utf8')
    expect(titles.length).toBeGreaterThan(0)
    expect(titles.filter((title) => !hasTitle(source, title))).toEqual([])
  })
})

it('SECURITY.md has its tables, and a title that is no longer there is found', () => {
  expect(rows.length).toBeGreaterThan(14)
  expect(hasTitle("it('is kept', () => 1)", 'is kept')).toBe(true)
  expect(hasTitle("it('is kept', () => 1) // is lost", 'is lost')).toBe(false)
})
