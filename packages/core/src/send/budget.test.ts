import { expect, it } from 'vitest'
import { Budget } from './budget.ts'

it('grants bytes in the order of the requests, and never more than there are', async () => {
  const budget = new Budget(1000)
  const given: string[] = []
  const take = (name: string, bytes: number) => budget.take(bytes).then(() => given.push(name))
  await take('first', 600)
  void take('large', 500)
  const small = take('small', 100)
  await Promise.resolve()
  expect(given).toEqual(['first'])
  budget.give(600)
  await small
  expect(given).toEqual(['first', 'large', 'small'])
})
