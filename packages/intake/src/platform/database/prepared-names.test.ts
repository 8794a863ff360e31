import { expect, it } from 'vitest'
import { PreparedNames } from './prepared-names.ts'

const used = (names: PreparedNames, text: string, times: number) => {
  for (let time = 1; time < times; time++) expect(names.of(text)).toBeUndefined()
  return names.of(text)
}

it('is given to a statement with its eighth use', () => {
  const names = new PreparedNames()
  expect(used(names, 'select a', 8)).toBe('symup_0')
  expect(names.of('select a')).toBe('symup_0')
  expect(used(names, 'select b', 8)).toBe('symup_1')
})

it('is not given where columns may become others', () => {
  expect(used(new PreparedNames(), 'select * from t', 100)).toBeUndefined()
})

it('is given to 64 statements', () => {
  const names = new PreparedNames()
  for (let nth = 0; nth < 64; nth++) expect(used(names, `select ${nth}`, 8)).toBe(`symup_${nth}`)
  expect(used(names, 'select one more', 20)).toBeUndefined()
  expect(names.of('select 63')).toBe('symup_63')
})

it('counts only so many statements at a time', () => {
  const names = new PreparedNames()
  names.of('select a')
  for (let nth = 0; nth < 1000; nth++) names.of(`select ${nth}`)
  expect(used(names, 'select a', 8)).toBe('symup_0')
})
