import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
import { catalogueOf } from './catalogue.ts'

it.each([
  ['one value', { 'The map {0} has nothing for line {1}, column {2}.': '{0}{1}{2}' }, [' has nothing for line ,']],
  ['nested values', { 'It {0}.': '它{0}。', ended: '结束了' }, ['It ', 'ended', '.']],
])('translates a hostile sentence in little time: %s', async (_, texts, words) => {
  const hostile = words.map((word) => word.repeat(50_000)).join('')
  expect(await cpuSeconds(() => catalogueOf(texts).sentence(hostile))).toBeLessThan(2)
})
