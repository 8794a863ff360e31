import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { kept, ROWS } from './append.fixture.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-audit-'))
afterAll(() => rmSync(directory, { recursive: true }))

it('SQLite keeps audit records as they are, in their order', async () => {
  expect(await kept(ROWS, directory)).toEqual(ROWS)
})
