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
  ['Écran', 'éCRAN'],
  ['écran', 'ÉCRAN'],
  ['Магазин', 'магаз'],
  ['支付Pay', '付pAY'],
  ['İstanbul', 'İSTAN'],
  ['Straße', 'STRAß'],
  ['50%_a\\b', '%_A\\'],
  // The kelvin and ohm signs have the same lower-case letters as other characters.
  ['\u212a', '\u212a'],
  ['\u2126', '\u2126'],
  ['a', ''],
])('%j contains %j', async (text, part) => expect(await isFound(text, part)).toBe(true))

it.each([
  ['Ecran', 'écran'],
  ['500', '5%0'],
  ['abc', 'a_c'],
  ['', 'a'],
])('%j does not contain %j', async (text, part) => expect(await isFound(text, part)).toBe(false))

it('finds a text in every letter', async () => {
  const letters = Array.from({ length: 0x2000 }, (_, code) => String.fromCharCode(code + 0x80)).join('')
  expect(await isFound(letters, letters)).toBe(true)
  expect(await isFound(letters.toLowerCase(), letters)).toBe(false)
})

it('finds no text longer than the stored prefix', async () => {
  const text = 'a'.repeat(8193)
  expect(await isFound(text, text.slice(1))).toBe(true)
  expect(await isFound(text, text)).toBe(false)
})
