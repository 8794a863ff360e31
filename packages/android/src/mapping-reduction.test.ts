import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { reduceMapping, reducer } from './mapping-reduction.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-reduction-'))
afterAll(() => rmSync(directory, { recursive: true }))

it('aliases only whole packages in original names, the longest prefix first', () => {
  const reduce = reducer({
    trimIndents: false,
    packageAliases: { 'androidx.work': 'axw', 'androidx.work.Job.*': 'J', 'com.a$b': 'cab' },
  })
  expect(reduce('androidx.work.Job.Runner -> androidx.work.a:')).toBe('J.Runner -> androidx.work.a:')
  expect(reduce('    1:2:androidx.work.X get(androidx.work.Y[],int):3:4 -> a')).toBe(
    '    1:2:axw.X get(axw.Y[],int):3:4 -> a',
  )
  expect(reduce('my.androidx.work.X -> a.b:')).toBe('my.androidx.work.X -> a.b:')
  expect(reduce('androidx.worker.X -> a.b:')).toBe('androidx.worker.X -> a.b:')
  expect(reduce('com.a$b.C -> c:')).toBe('cab.C -> c:')
  expect(reduce('  # {"id":"x","s":"androidx.work.X -> a"}')).toBe('  # {"id":"x","s":"androidx.work.X -> a"}')
})

it('copies a file line by line, with any line ending and across chunk boundaries', async () => {
  const line = '    1:1:void ünïcode(java.lang.String):5:5 -> a\n'
  const text = `com.example.A -> a:\n${line.repeat(20_000)}last -> b:`
  const from = join(directory, 'mapping.txt')
  writeFileSync(from, text)
  const to = join(directory, 'small.txt')
  await reduceMapping(from, to, { trimIndents: true, packageAliases: {} })
  expect(readFileSync(to, 'utf8')).toBe(text.replaceAll('    ', ''))
  await reduceMapping(from, to, { trimIndents: false, packageAliases: {} })
  expect(readFileSync(to, 'utf8')).toBe(text)
})
