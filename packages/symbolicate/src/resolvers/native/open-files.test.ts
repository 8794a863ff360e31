import { binaryOf } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { WeightedCache } from '../../cache.ts'
import type { NativeSymbols } from '../../dwarf/native-frame.ts'
import { type OpenFile, OpenFiles, openArtifact } from './open-files.ts'

function setUp(capacity: number) {
  const cache = new WeightedCache<object>(capacity)
  const files = new OpenFiles(cache.shelf<OpenFile>('native'))
  const closed: string[] = []
  let opened = 0
  /** Uses a file that takes this much memory after a look-up. */
  const use = (name: string, bytes = 0, whileUsed = async () => {}, diskBytes = 0) =>
    files.use(
      name,
      async () => {
        opened++
        await whileUsed()
        return { weight: bytes, diskBytes, close: () => closed.push(name) } as unknown as NativeSymbols
      },
      () => name,
    )
  return { cache, use, closed, opened: () => opened }
}

it('an open file counts with everything read from it, and stays open', async () => {
  const { cache, use, closed, opened } = setUp(10_000_000)
  await use('a', 1_000_000)
  const first = cache.weight
  expect(first).toBeGreaterThan(1_000_000)
  await use('a')
  await use('b', 500)
  expect(cache.weight).toBe(2 * (first - 1_000_000) + 1_000_500)
  expect([opened(), closed]).toEqual([2, []])
})

it('other caches take its capacity: the least recently used file is evicted first, and closed', async () => {
  const { cache, use, closed, opened } = setUp(1_000_000)
  await use('a', 300_000)
  await use('b', 300_000)
  await use('a')
  cache.set('map', {}, 400_000)
  await new Promise(setImmediate)
  expect(closed).toEqual(['b'])
  cache.set('another map', {}, 900_000)
  await new Promise(setImmediate)
  expect(closed).toEqual(['b', 'a'])
  expect(cache.weight).toBe(900_000)
  await use('a')
  expect(opened()).toBe(3)
})

it('a file evicted while in use is closed afterwards; one larger than the capacity is still used', async () => {
  const { cache, use, closed } = setUp(1_000_000)
  const during = async () => {
    await new Promise(setImmediate)
    cache.set('map', {}, 950_000)
    await new Promise(setImmediate)
    expect(closed).toEqual([])
  }
  expect(await use('a', 10, during)).toBe('a')
  expect(closed).toEqual(['a'])
  expect(await use('b', 5_000_000)).toBe('b')
  expect(closed).toEqual(['a', 'b'])
  expect(cache.weight).toBe(0)
})

it('at most 32 are open, and one that failed is reopened', async () => {
  const { use, closed, opened } = setUp(100_000_000)
  for (let nth = 0; nth < 33; nth++) await use(String(nth))
  await new Promise(setImmediate)
  expect(closed).toEqual(['0'])
  const failing = () => Promise.reject(new Error('damaged'))
  await expect(use('x', 1, failing)).rejects.toThrow('damaged')
  await use('x')
  expect(opened()).toBe(35)
})

it('the temporary files of those that are open take 4 GiB, or what one needs by itself', async () => {
  const { use, closed } = setUp(100_000_000)
  const GiB = 1024 ** 3
  const closedAfter = async (name: string, diskBytes: number) => {
    await use(name, 0, undefined, diskBytes)
    await new Promise(setImmediate)
    return closed.join()
  }
  expect(await closedAfter('a', 2 * GiB)).toBe('')
  expect(await closedAfter('b', 0)).toBe('')
  expect(await closedAfter('c', 2 * GiB)).toBe('')
  expect(await closedAfter('d', 1)).toBe('a')
  expect(await closedAfter('e', 5 * GiB)).toBe('a,b,c,d')
})

it('a file that cannot be used is closed at once', async () => {
  let closed = 0
  const open = () => ({ ...binaryOf(Buffer.from('no symbols')), close: () => void closed++ })
  await expect(openArtifact({ contentKey: 'k', open })).rejects.toThrow('The file is not a Mach-O file.')
  expect(closed).toBe(1)
})
