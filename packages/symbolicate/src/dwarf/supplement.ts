import { BinaryError, type BinarySource, describeElf, type ElfLayout } from '@symup/core/resolving'
import type { Companions } from './companions.ts'

/** The reference in `.gnu_debugaltlink` to a supplementary file, to which dwz moves debug information that several files share. */
export interface SupplementLink {
  name: string
  /** The build id in lower case. */
  id: string
}

const MAX_LINK_BYTES = 8 * 1024

export function supplementLink(source: BinarySource, { sections }: ElfLayout): SupplementLink | undefined {
  const section = sections.find(({ name, size }) => name === '.gnu_debugaltlink' && size <= MAX_LINK_BYTES)
  if (!section) return undefined
  const bytes = source.read(section.offset, section.size)
  const end = bytes.indexOf(0)
  return end > 0 ? { name: bytes.toString('utf8', 0, end), id: bytes.toString('hex', end + 1) } : undefined
}

/** Returns the file whose build id matches the link, or undefined if no file matches. The caller must close the file. */
export function findSupplement({ name, id }: SupplementLink, companions: Companions): BinarySource | undefined {
  for (const source of companions.supplement(name)) {
    try {
      if (describeElf(source).buildId === id) return source
    } catch (error) {
      if (!(error instanceof BinaryError)) throw error
    }
    source.close()
  }
  return undefined
}
