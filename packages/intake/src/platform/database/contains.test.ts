import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import { contains } from './contains.ts'
import type { Database } from './database.ts'

const place = useDirectory()
let database: Database
beforeAll(async () => {
  database = await openDatabase(place)
})
afterAll(async () => {
  await database.close()
})

async function isFound(text: string, part: string): Promise<boolean> {
  const { rows } = await sql<{ found: unknown }>`select ${contains([sql`${text}`], part)} as found`.execute(database.db)
  return Boolean(rows[0]?.found)
}

it.each([
  ['Écran', 'Écran'],
  ['支付Pay', '付pAY'],
  ['Straße', 'STRAß'],
  ['50%_a\\b', '%_A\\'],
  ['a', ''],
])('%j contains %j', async (text, part) => expect(await isFound(text, part)).toBe(true))

it.each([
  ['Ecran', 'écran'],
  ['500', '5%0'],
  ['abc', 'a_c'],
  ['', 'a'],
])('%j does not contain %j', async (text, part) => expect(await isFound(text, part)).toBe(false))

it('nothing contains a part that is longer than what is stored', async () => {
  const text = 'a'.repeat(8193)
  expect(await isFound(text, text.slice(1))).toBe(true)
  expect(await isFound(text, text)).toBe(false)
})
