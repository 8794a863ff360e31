import { deflateSync } from 'node:zlib'
import { BinaryError, binaryOf, type ElfLayout } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { compressionOf, debugSection, openSectionNow } from './elf-sections.ts'
import { u32, u64 } from './numbers.fixture.ts'
import { WorkLimit } from './section.ts'

const work = new WorkLimit()
work.restart()

describe('sections of an ELF file', () => {
  const PLAIN = Buffer.from('what the section holds')
  const packed = deflateSync(PLAIN)
  const layoutOf = (name: string, size: number, more: object = {}, flags = 0) =>
    ({ bits: 64, little: true, sections: [{ name, type: 1, flags, offset: 3, size }], ...more }) as unknown as ElfLayout
  const open = (head: number[], name: string, flags: number, more: object = {}) => {
    const bytes = Buffer.concat([Buffer.from('...'), Buffer.from(head), head.length > 0 ? packed : PLAIN])
    const section = openSectionNow(binaryOf(bytes), layoutOf(name, bytes.length - 3, more, flags), 'info', work)
    return section && String(section.bytes(0, section.size))
  }

  it.each<[string, number[], string, number, object]>([
    ['plain', [], '.debug_info', 0, {}],
    ['compressed, 64 bits', [...u32(1), ...u32(0), ...u64(PLAIN.length), ...u64(1)], '.debug_info', 0x800, {}],
    ['compressed, 32 bits', [...u32(1), ...u32(PLAIN.length), ...u32(1)], '.debug_info', 0x800, { bits: 32 }],
    [
      'compressed in the old GNU format',
      [...Buffer.from('ZLIB'), ...u64(PLAIN.length).reverse()],
      '.zdebug_info',
      0,
      {},
    ],
  ])('%s', (_, head, name, flags, more) => {
    expect(open(head, name, flags, more)).toBe(String(PLAIN))
  })

  it.each<[string, number[], string, string]>([
    [
      'an unknown format',
      [...u32(3), ...Array(20).fill(0)],
      '.debug_info',
      'The section .debug_info uses an unknown compression format.',
    ],
    ['no header', Array(24).fill(0), '.zdebug_info', 'The header of the section .zdebug_info is missing.'],
  ])('%s is damage', (_, head, name, message) => {
    expect(() => open(head, name, 0x800)).toThrow(new BinaryError('damaged', message))
  })

  it('recognizes zstd sections by the number of the format', () => {
    const head = Buffer.from([0, 0, 0, ...u32(2), ...u32(0), ...u64(9), ...u64(1)])
    const [section] = layoutOf('.debug_info', 30, {}, 0x800).sections
    expect(section && compressionOf(binaryOf(head), section, layoutOf('', 0))).toEqual({
      ...{ method: 'zstd', declared: 9, headerBytes: 24 },
    })
  })

  it('omits empty sections', () => {
    expect(debugSection(layoutOf('.debug_info', 5), 'info')).toBeDefined()
    expect(debugSection(layoutOf('.debug_info', 0), 'info')).toBeUndefined()
    expect(debugSection(layoutOf('.debug_line', 5), 'info')).toBeUndefined()
    const { sections } = layoutOf('.debug_info', 5)
    expect(debugSection({ sections: sections.map((it) => ({ ...it, type: 8 })) } as ElfLayout, 'info')).toBeUndefined()
    expect(openSectionNow(binaryOf(Buffer.alloc(9)), layoutOf('.debug_line', 5), 'info', work)).toBeUndefined()
  })
})
