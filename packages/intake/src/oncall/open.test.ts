import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type IntakeOptions, openStore, startIntake } from '../index.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-open-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true, force: true })
})

it('a store that cannot be read is closed again', async () => {
  await (await startIntake({ dataDir: directory })).close()
  const store = await openStore(directory)
  await store.db.updateTable('resource').set({ document: '{' }).execute()
  await store.close()
  await expect(startIntake({ dataDir: directory })).rejects.toThrow(SyntaxError)
  // Of what an open store receives.
  expect(readdirSync(join(directory, 'owners'))).toEqual([])
})

it.each<[string, IntakeOptions]>([
  ['a server that cannot be made', { logLevel: 'loud' as 'info' }],
  ['names that are none', { allowedHosts: [null as unknown as string] }],
  ['blobs whose address is none', { blobs: 's3://bucket?endpoint=none' }],
])('%s leaves no temporary directory', async (_, options) => {
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, directory)
  await expect(startIntake(options)).rejects.toThrow()
  expect(readdirSync(directory)).toEqual([])
})
