import { expect, it } from 'vitest'
import { checkEscalationRule } from './escalation-rule/check.ts'

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

it('some Unicode classes are accepted', () => {
  expect([...checkEscalationRule({ layers, filters: filtersOf('/^\\p{Han}+-[\\pL\\pN]+$/') })]).toHaveLength(1)
})
