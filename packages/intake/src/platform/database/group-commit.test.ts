import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'

async function open(): Promise<Database> {
  const directory = mkdtempSync(join(tmpdir(), 'symup-group-'))
  const database = await openDatabase(directory)
  onTestFinished(async () => {
    await database.close()
    rmSync(directory, { recursive: true })
  })
  await sql`create table note (text text not null)`.execute(database.db)
  return database
}

const notes = async ({ db }: Database) =>
  (await sql<{ text: string }>`select text from note order by rowid`.execute(db)).rows.map(({ text }) => text)

test('writes that arrive together are one transaction, in their order, and each has its own result', async () => {
  const database = await open()
  const transactions = new Set<unknown>()
  const written = ['a', 'b', 'c'].map((text) =>
    database.commit(async (transaction) => {
      transactions.add(transaction)
      await sql`insert into note values (${text})`.execute(transaction)
      return text.toUpperCase()
    }),
  )
  expect(await Promise.all(written)).toEqual(['A', 'B', 'C'])
  expect(transactions.size).toBe(1)
  expect(await notes(database)).toEqual(['a', 'b', 'c'])
})

test('one that fails leaves nothing behind and does not fail the others', async () => {
  const database = await open()
  const write = (text: string, isBad = false) =>
    database.commit(async (transaction) => {
      await sql`insert into note values (${text})`.execute(transaction)
      if (isBad) await sql`insert into note values (null)`.execute(transaction)
    })
  const [first, bad, last] = await Promise.allSettled([write('a'), write('b', true), write('c')])
  expect([first?.status, last?.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_NOTNULL' } })
  expect(await notes(database)).toEqual(['a', 'c'])
})
