import { afterEach, expect, it, vi } from 'vitest'
import { createDirectory } from '../platform/accounts/directory.ts'
import { checkEscalationRule } from './escalation-rule/check.ts'
import { itemsJson } from './schedule/items-json.ts'
import { DEFAULT_SEED } from './seed/default-seed.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a list of many small schedules lets others work in between', async () => {
  const [account] = createDirectory(DEFAULT_SEED).accounts.values()
  if (!account) throw new Error('the seed has no account')
  const schedules = Array.from({ length: 100 }, (_, nth) => ({ schedule_id: nth + 1, schedule_name: `S${nth}` }))
  let milliseconds = 0
  // A schedule takes less than is done in one piece.
  vi.spyOn(performance, 'now').mockImplementation(() => (milliseconds += 0.05))
  let others = 0
  let isDone = false
  const other = () => {
    others++
    if (!isDone) setImmediate(other)
  }
  other()
  const pieces = await itemsJson(schedules, { account, now: Date.UTC(2026, 0, 1) / 1000 })
  isDone = true
  expect(JSON.parse(pieces.join(''))).toHaveLength(100)
  expect(others).toBeGreaterThan(10)
})

const layers = [{ target: { person_ids: [1], by: { follow_preference: true } } }]
const filtersOf = (...vals: string[]) => [[{ key: 'k', oper: 'IN' as const, vals }]]

it('patterns of a rule are compiled one by one', () => {
  expect([...checkEscalationRule({ layers, filters: filtersOf(...Array(500).fill('/ab+/')) })]).toHaveLength(500)
})

it.each([
  ['classes of Unicode', Array(300).fill('/\\pL/')],
  ['classes of Unicode within one class', [`/[${'\\pL\\PN'.repeat(100)}]/`]],
])('%s count for what compiling them costs', (_, vals) => {
  expect(() => [...checkEscalationRule({ layers, filters: filtersOf(...vals) })]).toThrow(/too large/)
})

it('some classes of Unicode are taken', () => {
  expect([...checkEscalationRule({ layers, filters: filtersOf('/^\\p{Han}+-[\\pL\\pN]+$/') })]).toHaveLength(1)
})
