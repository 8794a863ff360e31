import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openStore, startIntake } from '../index.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'symup-open-'))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('a store that cannot be read is closed again', async () => {
  await (await startIntake({ dataDir })).close()
  const store = await openStore(dataDir)
  await store.db.updateTable('resource').set({ document: '{' }).execute()
  await store.close()
  await expect(startIntake({ dataDir })).rejects.toThrow(SyntaxError)
  // Of what an open store receives.
  expect(readdirSync(join(dataDir, 'owners'))).toEqual([])
})
