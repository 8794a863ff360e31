import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { linesOf } from './lines.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-lines-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

async function lines(content: string): Promise<string[]> {
  const path = join(directory, 'file')
  writeFileSync(path, content)
  const all: string[] = []
  for await (const line of linesOf(path)) all.push(line)
  return all
}

it.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['\n\na\n\nb', ['', '', 'a', '', 'b']],
  ['a\u2028b\u2029c\rd\ne', ['a\u2028b\u2029c\rd', 'e']],
])('splits %j into lines', async (content, expected) => expect(await lines(content)).toEqual(expected))

it('joins a line that arrives in many chunks', async () => {
  expect(await lines(`${'x'.repeat(1024 * 1024)}\ny`)).toEqual(['x'.repeat(1024 * 1024), 'y'])
})
