import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FilePart } from '../model/plan.ts'
import { Secret } from '../model/secret.ts'
import { findLeaks } from './find-leaks.ts'
import { KnownFiles } from './known-files.ts'

const KEY = 'k3y-of-the-test-1234567890'
const apiKey = new Secret(KEY)
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-known-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const pathOf = (file: string) => join(directory, file)

/** Reads a part of an artifact the way an upload does. */
function partOf(file: string): FilePart {
  const content = readFileSync(pathOf(file))
  const { mtimeMs: modified } = statSync(pathOf(file))
  return { name: 'minified_file', filename: file, path: pathOf(file), bytes: content.length, content, modified }
}

/** Replaces the content but keeps the size and modification time, so that a cached scan remains valid. */
function replaceUnseen(file: string, content: string): void {
  const { atime, mtime } = statSync(pathOf(file))
  writeFileSync(pathOf(file), content)
  utimesSync(pathOf(file), atime, mtime)
}

const found = async (known: KnownFiles) =>
  (await findLeaks({ directory, apiKey, known })).map(({ code, file }) => `${code} ${file}`)

it('reports leaks found during the upload without reading the files again', async () => {
  const mtime = new Date(2026, 0, 1)
  const contents = {
    'a.js': `a("${KEY}")`,
    'b.js': 'b()\n//# sourceMappingURL=gone.js.map\n',
    'c.js.map': `["${KEY}"]`,
  }
  for (const [file, content] of Object.entries(contents)) {
    writeFileSync(pathOf(file), content)
    utimesSync(pathOf(file), mtime, mtime)
  }
  const known = new KnownFiles(apiKey, new Set())
  known.look(['a.js', 'b.js', 'c.js.map'].map(partOf))
  for (const [file, content] of Object.entries(contents)) replaceUnseen(file, ' '.repeat(content.length))
  expect(await found(known)).toEqual([
    'leak-api-key a.js',
    'leak-reference b.js',
    'leak-map c.js.map',
    'leak-api-key c.js.map',
  ])
})

it('treats an uploaded file as a script, whatever its extension', async () => {
  writeFileSync(pathOf('lazy.es6'), 'b()\n//# sourceMappingURL=gone.es6.map\n')
  const known = new KnownFiles(apiKey, new Set())
  known.look([partOf('lazy.es6')], 'minified_file')
  expect(await found(known)).toEqual(['leak-reference lazy.es6'])
  expect(await found(new KnownFiles(apiKey, new Set()))).toEqual([])
})

it.each([
  ['a change that keeps the size', 'a("key")', `a("k")  `],
  ['a change in size', 'a()', 'a();b()'],
])('reads a file again after %s', async (_, before, after) => {
  writeFileSync(pathOf('a.js'), before.replace('key', KEY))
  utimesSync(pathOf('a.js'), new Date(2026, 0, 1), new Date(2026, 0, 1))
  const known = new KnownFiles(apiKey, new Set())
  known.look([partOf('a.js')])
  const isLeakBefore = before.includes('key')
  expect(await found(known)).toEqual(isLeakBefore ? ['leak-api-key a.js'] : [])
  const leak = isLeakBefore ? after.padEnd(before.replace('key', KEY).length) : `${after}//${KEY}`
  writeFileSync(pathOf('a.js'), leak)
  expect(await found(known)).toEqual(isLeakBefore ? [] : ['leak-api-key a.js'])
})

it('reads manifests, skips deleted files, and has no results for files that are not on disk', async () => {
  for (const file of ['sw.js', 'a.js.map']) writeFileSync(pathOf(file), '["gone.js.map"]')
  const known = new KnownFiles(apiKey, new Set([pathOf('a.js.map')]))
  const { modified, ...inMemory } = partOf('sw.js')
  known.look([partOf('sw.js'), partOf('a.js.map'), { ...inMemory, path: pathOf('b.js') }])
  expect(known.of(pathOf('a.js.map'))).toBeUndefined()
  expect(known.of(pathOf('b.js'))).toBeUndefined()
  expect(await found(known)).toEqual(['leak-map a.js.map', 'leak-manifest sw.js'])
})
