import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLOCK_BYTES, deflateBlock } from './deflate.ts'

/** An empty last block with fixed codes. */
const LAST = Buffer.from([3, 0])
const inflate = (part: Buffer) => inflateRawSync(Buffer.concat([part, LAST]))

const letters = (size: number, kinds: number) => Buffer.from(randomBytes(size).map((byte) => 65 + (byte % kinds)))

describe('a block', () => {
  it.each([0, 1, 7, 8, 11, 12, 13, 14, 258, 259, 32_767, 32_768, 65_535, 65_536, BLOCK_BYTES - 1, BLOCK_BYTES])(
    'of %i bytes is what zlib inflates again, whatever is in it',
    (size) => {
      for (const bytes of [Buffer.alloc(size, 'a'), randomBytes(size), letters(size, 2), letters(size, 40)])
        expect(inflate(deflateBlock(bytes)).equals(bytes)).toBe(true)
    },
  )

  it('with counts like the numbers of Fibonacci, whose codes would be too long, is inflated again', () => {
    const runs: Buffer[] = []
    for (let symbol = 0, [a, b] = [1, 1]; symbol < 24; symbol++, [a, b] = [b, a + b]) runs.push(Buffer.alloc(a, symbol))
    const sorted = Buffer.concat(runs)
    // Spread, so that it is literals: 48,611 is prime.
    const bytes = Buffer.from(Array.from(sorted, (_, at) => sorted[(at * 48_611) % sorted.length] as number))
    expect(inflate(deflateBlock(bytes)).equals(bytes)).toBe(true)
  })

  it('whose last bytes come when the list of what was found is full is inflated again', () => {
    let state = 1
    const bytes = Buffer.from(
      Array.from({ length: 66_000 }, () => {
        state = (state * 48_271) % 0x7fffffff
        return (state >> 8) & 127
      }),
    )
    for (let size = 65_500; size < 66_000; size++) {
      const block = Buffer.concat([bytes.subarray(0, size - 12), Buffer.alloc(12)])
      expect(inflate(deflateBlock(block)).equals(block)).toBe(true)
    }
  })

  it('is the same each time, whatever came before', () => {
    const bytes = letters(300_000, 12)
    const first = deflateBlock(bytes)
    deflateBlock(randomBytes(BLOCK_BYTES))
    expect(deflateBlock(bytes).equals(first)).toBe(true)
  })

  it('that cannot be compressed grows by less than 1 %', () => {
    expect(deflateBlock(randomBytes(BLOCK_BYTES)).length).toBeLessThan(1.01 * BLOCK_BYTES)
    expect(deflateBlock(randomBytes(1000)).length).toBeLessThanOrEqual(1010)
  })

  it('of any bytes, with repeats at any distance, is inflated again', () => {
    const piece = fc.oneof(
      fc.record({ literal: fc.uint8Array({ maxLength: 200 }) }),
      fc.record({ back: fc.integer({ min: 1, max: 40_000 }), length: fc.integer({ min: 1, max: 600 }) }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        const bytes: number[] = []
        for (const one of pieces) {
          if ('literal' in one) bytes.push(...one.literal)
          else for (let left = one.length; left > 0 && bytes.length > 0; left--) bytes.push(bytes.at(-one.back) ?? 120)
        }
        const block = Buffer.from(bytes).subarray(0, BLOCK_BYTES)
        expect(inflate(deflateBlock(block)).equals(block)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

it('takes as many bytes as zlib at level 4, at most 4 % more', () => {
  const lock = readFileSync(join(import.meta.dirname, '../../../../../pnpm-lock.yaml')).subarray(0, BLOCK_BYTES)
  const code = readFileSync(join(import.meta.dirname, '../../proof/own-sources.ts'))
  for (const bytes of [lock, code])
    expect(deflateBlock(bytes).length).toBeLessThan(1.04 * deflateRawSync(bytes, { level: 4, memLevel: 9 }).length)
})
