import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { openDatabase } from './open.ts'
import { itHasRevisions } from './revision.fixture.ts'

describe('of SQLite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-revision-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  itHasRevisions(() => openDatabase(directory))
})
