import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const rows = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!who {2}|---)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

it.each(rows.map((cells) => [cells[1], cells.at(-2)]))(
  'SECURITY.md: what %s may do is shown by tests that are there',
  (_, tests = '') => {
    const named = [...tests.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path)
    expect(named.filter((path) => path.endsWith('.test.ts'))).not.toEqual([])
    for (const path of named) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      if (path.endsWith('.test.ts')) expect(readFileSync(join(ROOT, path), 'utf8'), path).toMatch(/\bit(?:\.\w+)*[(<`]/)
    }
  },
)

it('SECURITY.md has its tables', () => expect(rows.length).toBeGreaterThan(14))
