import { binaryOf } from '@symup/core/resolving'
import { Section, WorkLimit } from './section.ts'

/** The bytes of a number, lowest first. */
export const u16 = (value: number): number[] => [value & 255, value >> 8]
export const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)]
export const u64 = (value: number): number[] => [...u32(value >>> 0), ...u32(Math.floor(value / 2 ** 32))]

/** A section with exactly these bytes. */
export function sectionOf(bytes: Iterable<number>, little = true): Section {
  const work = new WorkLimit()
  work.restart()
  const content = Buffer.from([...bytes])
  return new Section(binaryOf(content), 0, content.length, little, work)
}

/** A zstd frame that contains one raw block: its size and content. Source: RFC 8878. */
export const zstd = (content: Buffer) =>
  Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length, (content.length << 3) | 1, 0, 0]), content])
