import { expect, it } from 'vitest'
import { randomOf } from '../../../../test/support/random.ts'
import { demangleSwift } from './index.ts'

it('does not change a name that stands for more than 32 KiB', () => {
  const printed = (bytes: number) => demangleSwift(`$s1a${bytes - 8}${'b'.repeat(bytes - 8)}yyF`)
  expect(printed(100)).toHaveLength(demangleSwift(`$s1a92${'b'.repeat(92)}yyF`)?.length ?? 0)
  const extra = (printed(100)?.length ?? 0) - 100
  expect([printed(32 * 1024 - extra)?.length, printed(32 * 1024 - extra + 1)]).toEqual([32 * 1024, undefined])
})

it('shows no module and no word that would imply one', () => {
  expect(demangleSwift('$s4ShopyycfU_')).toBe('closure #1')
})

it.each([
  'main',
  '_T04Shop4CartC5totalSiyF',
  '$s',
  '$s4Sho',
  '$s4Shop4CartC5totalSiyFF',
  '$s4Shop3fooyS2f_S2ftFTJfUSS',
  '$s4Shop4CartC$s4Shop4CartC',
])('does not change %s', (mangled) => {
  expect(demangleSwift(mangled)).toBeUndefined()
})

it('limits the length of names that are designed to grow', () => {
  // Each type contains the previous one twice.
  const pairs = Array.from({ length: 60 }, (_, nth) => `y${nth === 0 ? 'SiSi' : `A${nth + 2}_A${nth + 2}_`}G`)
  expect(demangleSwift(`$s4Shop3BoxV${pairs.join('4Shop3BoxV')}Ma`)).toBeUndefined()
  expect(demangleSwift(`$s4Shop3RowV${'Sg'.repeat(4000)}Ma`)).toBeUndefined()
  expect(demangleSwift(`$s4Shop3RowV${'A2000a'.repeat(100)}BMa`)).toBeUndefined()
})

it('accepts any name, even a damaged one', () => {
  const names = [
    '$s4Shop4CartC3addyyxAA8SellableRzlFAA3RowV_Tg5Tf4nd_n',
    '$sSo8NSStringCSgSo7NSErrorCSgIeyByy_SSSgs5Error_pSgIeggg_TR',
    '$s4Shop4CartCAA9OrderableA2aDP6handleyyyXEqd__mlFTW',
  ]
  const random = randomOf(7)
  const LETTERS = 'ACDEFGIKLMNOPQRSTVWXYZacdfghiklmnopqrstuvwxyz_0123456789'
  for (let round = 0; round < 1000; round++) {
    const letters = [...(names[round % names.length] as string)]
    for (let count = 1 + random(4); count > 0; count--)
      letters[2 + random(letters.length - 2)] = LETTERS[random(LETTERS.length)] as string
    expect(demangleSwift(letters.join(''))?.length ?? 0).toBeLessThan(40_000)
  }
})
