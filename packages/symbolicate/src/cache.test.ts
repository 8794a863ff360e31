import { expect, it } from 'vitest'
import { WeightedCache } from './cache.ts'

it('keeps the most recently used values, up to its capacity', () => {
  const gone: string[] = []
  const cache = new WeightedCache<string>(10)
  for (const key of ['a', 'b']) cache.set(key, key, 4, () => gone.push(key))
  expect(cache.get('a')).toBe('a')
  cache.set('c', 'c', 2)
  expect([cache.weight, gone]).toEqual([10, []])
  cache.set('d', 'd', 1)
  expect([cache.get('b'), cache.weight, gone]).toEqual([undefined, 7, ['b']])
  cache.delete('a')
  cache.delete('a')
  expect([cache.weight, gone]).toEqual([3, ['b', 'a']])
})

it('does not keep a value larger than its capacity, or a second value for a key', () => {
  const gone: string[] = []
  const cache = new WeightedCache<string>(10)
  cache.set('a', 'first', 10)
  cache.set('a', 'second', 1, () => gone.push('second'))
  cache.set('b', 'heavy', 11, () => gone.push('heavy'))
  cache.set('c', 'unheard', 11)
  expect([cache.get('a'), cache.get('b'), cache.weight, gone]).toEqual(['first', undefined, 10, ['second', 'heavy']])
})

it('weighs changed values again, and evicts the oldest values to make room', () => {
  const cache = new WeightedCache<string>(10)
  const changes: number[] = []
  cache.onWeight = () => changes.push(cache.weight)
  cache.set('a', 'a', 3)
  cache.set('b', 'b', 3)
  cache.reweigh('b', 7)
  cache.reweigh('none', 100)
  expect([cache.get('a'), cache.weight]).toEqual(['a', 10])
  cache.reweigh('b', 7)
  cache.reweigh('a', 4)
  expect([cache.get('b'), cache.get('a'), cache.weight]).toEqual([undefined, 'a', 4])
  expect(changes).toEqual([3, 6, 10, 11, 4])
})

it('reports hits and misses', () => {
  const lookups: boolean[] = []
  const cache = new WeightedCache<string>(10, (isHit) => lookups.push(isHit))
  cache.get('a')
  cache.set('a', 'a', 1)
  cache.get('a')
  expect(lookups).toEqual([false, true])
})

it('keeps shelves with separate keys and a shared capacity', () => {
  const cache = new WeightedCache<string | number>(10)
  const [texts, numbers] = [cache.shelf<string>('texts'), cache.shelf<number>('numbers')]
  texts.set('a', 'a', 5)
  numbers.set('a', 1, 5)
  expect([texts.get('a'), numbers.get('a'), cache.weight]).toEqual(['a', 1, 10])
  texts.reweigh('a', 3)
  numbers.delete('a')
  expect([texts.get('a'), numbers.get('a'), cache.weight]).toEqual(['a', undefined, 3])
})

it('loads concurrent requests once, and again after a failure or eviction', async () => {
  let loads = 0
  const cache = new WeightedCache<string>(10)
  const load = async () => ({ value: `${++loads}`, weight: 4 })
  expect(await Promise.all([cache.load('a', load), cache.load('a', load)])).toEqual(['1', '1'])
  expect(await cache.load('a', load)).toBe('1')
  cache.delete('a')
  expect(await cache.load('a', load)).toBe('2')
  cache.reweigh('a', 11)
  expect(await cache.load('a', load)).toBe('3')
  await expect(cache.load('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await cache.load('b', load)).toBe('4')
})
