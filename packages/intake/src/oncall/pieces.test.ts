import { expect, it } from 'vitest'
import { checkEscalationRule } from './escalation-rule/check.ts'

const check = (...vals: string[]) => {
  const layers = [{ target: { person_ids: [1], by: { follow_preference: true } } }]
  return checkEscalationRule({ layers, filters: [[{ key: 'k', oper: 'IN' as const, vals }]] })
}

it.each([
  ['Unicode classes', Array(300).fill('/\\pL/')],
  ['Unicode classes within a character class', [`/[${'\\pL\\PN'.repeat(100)}]/`]],
])('counts the cost of compiling %s', async (_, vals) => {
  await expect(check(...vals)).rejects.toThrow(/too large/)
})

it('accepts a few Unicode classes', async () => {
  await expect(check('/^\\p{Han}+-[\\pL\\pN]+$/')).resolves.toBeUndefined()
})
