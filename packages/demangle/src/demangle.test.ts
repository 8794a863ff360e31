import { expect, it } from 'vitest'
import { randomOf } from '../../../test/support/random.ts'
import { demangle } from './index.ts'

it('does not change names that are not mangled or cannot be demangled', () => {
  for (const name of ['main', 'Java_com_example_shop_Native_total', '_ZNZNZN', '', '_Z', '_R', '_Rb_tree_impl'])
    expect(demangle(name)).toBe(name)
  expect(demangle(`_ZN${'1a'.repeat(10_000)}Ev`)).toHaveLength(20_005)
})

it('limits the length of names that are designed to grow', () => {
  // Each substitution doubles the text that it stands for.
  const bomb = `_Z1f${'I1aIS_'.repeat(200)}`
  expect(demangle(bomb).length).toBeLessThan(40_000)
  const doubling = `_ZN1a1bI${Array.from({ length: 30 }, (_, index) => `NS${index === 0 ? '' : index.toString(36).toUpperCase()}_1cE`).join('')}E1dEv`
  expect(demangle(doubling).length).toBeLessThan(40_000)
})

it('accepts any name and does not change damaged ones', () => {
  const names = [
    '_ZN4shop3maxIiTnNSt9enable_ifIXsr3std11is_integralIT_EE5valueEiE4typeELi0EEES3_S3_S3_',
    '_ZZN4shop5totalEvENKUlT_E_clIiEEDaS0_',
    '_ZN4shop4sortIiPFbRKiS2_EEEvT_T0_',
  ]
  const random = randomOf(7)
  const LETTERS = 'NSTIEKPRODJLXZUvild_0123456789s'
  for (let round = 0; round < 2000; round++) {
    const letters = [...(names[round % names.length] as string)]
    for (let count = 1 + random(4); count > 0; count--)
      letters[2 + random(letters.length - 2)] = LETTERS[random(LETTERS.length)] as string
    expect(demangle(letters.join('')).length).toBeLessThan(40_000)
  }
  expect(demangle(`_Z1f${'P'.repeat(8000)}i`)).toMatch(/^f\(int\*+\)$|^_Z1fP/)
})
