import { expect, it } from 'vitest'
import { checkEscalationRule } from './escalation-rule/check.ts'

const check = (...vals: string[]) => {
  const layers = [{ target: { person_ids: [1], by: { follow_preference: true } } }]
  return checkEscalationRule({ layers, filters: [[{ key: 'k', oper: 'IN' as const, vals }]] })
}

it.each([
  ['classes of Unicode', Array(300).fill('/\\pL/')],
  ['classes of Unicode within one class', [`/[${'\\pL\\PN'.repeat(100)}]/`]],
])('%s count for what compiling them costs', async (_, vals) => {
  await expect(check(...vals)).rejects.toThrow(/too large/)
})

it('some classes of Unicode are accepted', async () => {
  await expect(check('/^\\p{Han}+-[\\pL\\pN]+$/')).resolves.toBeUndefined()
})
