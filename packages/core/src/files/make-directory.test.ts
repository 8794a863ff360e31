import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDirectory } from './make-directory.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-make-'))
})
afterEach(() => rmSync(root, { recursive: true }))

it('creates missing directories and keeps existing ones', () => {
  makeDirectory(join(root, 'a/b/c'))
  makeDirectory(join(root, 'a/b'))
  expect(existsSync(join(root, 'a/b/c'))).toBe(true)
})

it('fails if a parent is a file', () => {
  writeFileSync(join(root, 'file'), '')
  expect(() => makeDirectory(join(root, 'file/a'))).toThrow('ENOTDIR')
})

it.skipIf(process.platform !== 'linux')('fails below /proc, where the same call in Node never returns', () => {
  expect(() => makeDirectory('/proc/symup/cache')).toThrow('ENOENT')
})
