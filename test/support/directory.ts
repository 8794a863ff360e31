import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'

/** A temporary directory for the tests of a file or group. With 'each', every test starts with an empty one. */
export function useDirectory(lifetime: 'all' | 'each' = 'all'): string {
  const path = mkdtempSync(join(tmpdir(), 'symup-test-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  if (lifetime === 'each') {
    beforeEach(() => void mkdirSync(path, { recursive: true }))
    afterEach(remove)
  }
  afterAll(remove)
  return path
}

/** Writes a file and its parent directories. @returns its path. */
export function writeIn(directory: string, file: string, content: string | Uint8Array): string {
  const path = join(directory, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
