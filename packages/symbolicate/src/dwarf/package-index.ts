import { BinaryError } from '@symup/core/resolving'
import type { Section } from './section.ts'

interface Part {
  offset: number
  size: number
}

type PackagedUnit = Partial<Record<'info' | 'abbrev' | 'strOffsets' | 'rangeLists' | 'str', Part>>

export type PackageIndex = (splitId: number) => PackagedUnit | undefined

const MAX_SLOTS = 4_000_000
const MAX_COLUMNS = 16
/** The numbers that identify sections in each version of the index. Version 2 is the GNU format that preceded the standard. */
const COLUMNS: Readonly<Record<number, Readonly<Record<number, keyof PackagedUnit>>>> = {
  2: { 1: 'info', 3: 'abbrev', 6: 'strOffsets' },
  5: { 1: 'info', 3: 'abbrev', 6: 'strOffsets', 8: 'rangeLists' },
}

/** Reads `.debug_cu_index`. Source: section 7.3.5.3 of the DWARF 5 standard. @throws BinaryError if the index is invalid. */
export function readPackageIndex(section: Section): PackageIndex {
  const head = section.cursor(0, 16)
  // In version 5, two zero bytes of padding follow the version number.
  const version = head.little ? head.u32() : head.u16() || head.u16()
  if (head.at === 2) head.skip(2)
  const columns = head.u32()
  const units = head.u32()
  const slots = head.u32()
  const names = COLUMNS[version]
  if (!names || columns > MAX_COLUMNS || slots > MAX_SLOTS || units > slots)
    throw new BinaryError('damaged', 'The unit index in the debug information is invalid.')
  const table = section.cursor(16, slots * 12)
  const rows = new Map<number, number>()
  const ids = Array.from({ length: slots }, () => table.u64())
  for (const id of ids) {
    const row = table.u32()
    if (row > 0 && row <= units) rows.set(id, row - 1)
  }
  const headerAt = 16 + slots * 12
  const header = section.cursor(headerAt, columns * 4)
  const kinds = Array.from({ length: columns }, () => names[header.u32()])
  const offsetsAt = headerAt + columns * 4
  const sizesAt = offsetsAt + units * columns * 4
  return (splitId) => {
    const row = rows.get(splitId)
    if (row === undefined) return undefined
    const offsets = section.cursor(offsetsAt + row * columns * 4, columns * 4)
    const sizes = section.cursor(sizesAt + row * columns * 4, columns * 4)
    const found: PackagedUnit = {}
    for (const kind of kinds) {
      const part = { offset: offsets.u32(), size: sizes.u32() }
      if (kind) found[kind] = part
    }
    return found
  }
}
