import { BinaryError, type BinarySource, BinaryView, type ElfLayout, type ElfSection } from '@symup/core/resolving'
import { type Compression, inflateSectionNow } from './compressed.ts'
import { paged, Section, type WorkLimit } from './section.ts'

const NO_BITS = 8

/** Finds a non-empty debug section by its name without the prefix `.debug_`. */
export function debugSection({ sections }: ElfLayout, name: string): ElfSection | undefined {
  const found = sections.find((it) => it.name === `.debug_${name}` || it.name === `.zdebug_${name}`)
  return found && found.type !== NO_BITS && found.size > 0 ? found : undefined
}

/** Returns how a section is compressed, or undefined if it is not compressed. @throws BinaryError if its compression header is invalid. */
export function compressionOf(
  source: BinarySource,
  { name, offset, flags }: ElfSection,
  { bits, little }: ElfLayout,
): { method: Compression; declared: number; headerBytes: number } | undefined {
  const head = source.read(offset, 24)
  if (name.startsWith('.z')) {
    if (head.toString('latin1', 0, 4) !== 'ZLIB')
      throw new BinaryError('damaged', `The header of the section ${name} is missing.`)
    return { method: 'zlib', declared: new BinaryView(head, false).u64(4), headerBytes: 12 }
  }
  if (!(flags & 0x800)) return undefined
  const view = new BinaryView(head, little)
  const kind = view.u32(0)
  if (kind !== 1 && kind !== 2)
    throw new BinaryError('damaged', `The section ${name} uses an unknown compression format.`)
  const method = kind === 2 ? 'zstd' : 'zlib'
  return bits === 64
    ? { method, declared: view.u64(8), headerBytes: 24 }
    : { method, declared: view.u32(4), headerBytes: 12 }
}

/** Opens a section synchronously, for files that are opened during a lookup. @throws BinaryError if the section cannot be inflated. */
export function openSectionNow(
  source: BinarySource,
  layout: ElfLayout,
  name: string,
  work: WorkLimit,
): Section | undefined {
  const section = debugSection(layout, name)
  if (!section) return undefined
  const packed = compressionOf(source, section, layout)
  if (!packed) return new Section(source, section.offset, section.size, layout.little, work)
  const { headerBytes, method, declared } = packed
  const bytes = inflateSectionNow(source, section.offset + headerBytes, section.size - headerBytes, method, declared)
  return new Section(paged(bytes), 0, bytes.size, layout.little, work)
}
