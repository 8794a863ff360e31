import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import type { Database } from './database.ts'
import { groupCommit } from './group-commit.ts'

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

test('none returns before the disk has it, and the next ones do not wait for that', async () => {
  const { db } = await open()
  const waiting: (() => void)[] = []
  const commit = groupCommit(db, () => new Promise((done) => waiting.push(done)))
  const returned: string[] = []
  const write = (text: string) =>
    commit((transaction) => sql`insert into note values (${text})`.execute(transaction)).then(() => returned.push(text))
  const first = write('a')
  await vi.waitUntil(() => waiting.length === 1)
  const second = write('b')
  await vi.waitUntil(() => waiting.length === 2)
  expect(returned).toEqual([])
  waiting[1]?.()
  await second
  expect(returned).toEqual(['b'])
  waiting[0]?.()
  await first
})
