import { type BinarySource, binaryOf, type ElfLayout } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { findSupplement, supplementLink } from './supplement.ts'

describe('the parts that dwz moved to another file', () => {
  const linkIn = (text: string, size = text.length, name = '.gnu_debugaltlink') =>
    supplementLink(binaryOf(Buffer.from(`..${text}`, 'latin1')), { sections: [{ name, offset: 2, size }] } as ElfLayout)

  it('reads moved parts from the file that the link names', () => {
    expect(linkIn('../dwz.debug\0\xab\x01')).toEqual({ name: '../dwz.debug', id: 'ab01' })
    for (const link of [linkIn('\0\xab'), linkIn('no end'), linkIn('a\0b', 8 * 1024 + 1), linkIn('a\0b', 3, '.other')])
      expect(link).toBeUndefined()
  })

  it('does not read moved parts from an unreadable file, and closes each candidate', () => {
    const closed: number[] = []
    const sources = [1, 2].map(
      (nth): BinarySource => ({ ...binaryOf(Buffer.alloc(64)), close: () => void closed.push(nth) }),
    )
    const companions = { package: () => undefined, split: () => [], supplement: () => sources }
    expect(findSupplement({ name: 'a', id: 'ab' }, companions)).toBeUndefined()
    expect(closed).toEqual([1, 2])
    const outage = new Error('gone')
    const read = () => {
      throw outage
    }
    const failing = { ...companions, supplement: () => [{ ...binaryOf(Buffer.alloc(64)), read }] }
    expect(() => findSupplement({ name: 'a', id: 'ab' }, failing)).toThrow(outage)
  })
})
