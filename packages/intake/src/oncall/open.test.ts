import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { type IntakeOptions, openStore, startIntake } from '../index.ts'

const directory = useDirectory('each')
afterEach(() => {
  vi.unstubAllEnvs()
})

it('closes a store that cannot be read', async () => {
  await (await startIntake({ dataDir: directory })).close()
  const store = await openStore(directory)
  await store.db.updateTable('resource').set({ document: '{' }).execute()
  await store.close()
  await expect(startIntake({ dataDir: directory })).rejects.toThrow(SyntaxError)
  // The directory for uploads in progress in an open store.
  expect(readdirSync(join(directory, 'owners'))).toEqual([])
})

it.each<[string, IntakeOptions]>([
  ['a server that cannot be created', { logLevel: 'loud' as 'info' }],
  ['invalid host names', { allowedHosts: [null as unknown as string] }],
  ['an invalid address for blobs', { blobs: 's3://bucket?endpoint=none' }],
])('leaves no temporary directory after a failed start: %s', async (_, options) => {
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, directory)
  await expect(startIntake(options)).rejects.toThrow()
  expect(readdirSync(directory)).toEqual([])
})
