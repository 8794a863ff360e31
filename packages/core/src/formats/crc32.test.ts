import { randomBytes } from 'node:crypto'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { crc32, tableCrc32 } from './crc32.ts'

describe('crc32', () => {
  it('returns the same checksum as zlib, even when continued', () => {
    const bytes = randomBytes(10_000)
    const expected = zlibCrc32(bytes)
    expect(tableCrc32(bytes)).toBe(expected)
    expect(tableCrc32(bytes.subarray(123), tableCrc32(bytes.subarray(0, 123)))).toBe(expected)
    expect(crc32(bytes)).toBe(expected)
    // The published check value for this CRC polynomial.
    expect(tableCrc32(Buffer.from('123456789'))).toBe(0xcbf43926)
  })
})
