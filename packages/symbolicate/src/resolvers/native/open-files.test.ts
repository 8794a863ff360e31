import { binaryOf } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { WeightedCache } from '../../cache.ts'
import type { NativeSymbols } from '../../dwarf/native-frame.ts'
import { OpenFiles, openArtifact } from './open-files.ts'

function setUp(capacity: number) {
  const cache = new WeightedCache<object>(capacity)
  const files = new OpenFiles(cache.shelf('native'))
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

it('keeps a file open and counts everything read from it', async () => {
  const { cache, use, closed, opened } = setUp(10_000_000)
  await use('a', 1_000_000)
  const first = cache.weight
  expect(first).toBeGreaterThan(1_000_000)
  await use('a')
  await use('b', 500)
  expect(cache.weight).toBe(2 * (first - 1_000_000) + 1_000_500)
  expect([opened(), closed]).toEqual([2, []])
})

it('evicts and closes the least recently used file if other caches take its capacity', async () => {
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

it('uses a file larger than the capacity, and closes it afterwards', async () => {
  const { use, closed } = setUp(1_000_000)
  expect(await use('a', 10)).toBe('a')
  expect(await Promise.all([use('b', 5_000_000), use('b', 5_000_000)])).toEqual(['b', 'b'])
  await new Promise(setImmediate)
  expect(closed).toEqual(['b'])
})

it('keeps at most 32 files open, and reopens one that failed', async () => {
  const { use, closed, opened } = setUp(100_000_000)
  for (let nth = 0; nth < 33; nth++) await use(String(nth))
  await new Promise(setImmediate)
  expect(closed).toEqual(['0'])
  const failing = () => Promise.reject(new Error('damaged'))
  await expect(use('x', 1, failing)).rejects.toThrow('damaged')
  await use('x')
  expect(opened()).toBe(35)
})

it('limits the temporary files of open files to 4 GiB, or to what a single file needs', async () => {
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

it('closes an unusable file at once', async () => {
  let closed = 0
  const open = () => ({ ...binaryOf(Buffer.from('no symbols')), close: () => void closed++ })
  await expect(openArtifact({ contentKey: 'k', open })).rejects.toThrow('The file is not a Mach-O file.')
  expect(closed).toBe(1)
})
