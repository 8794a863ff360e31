import { TAG } from './constants.ts'
import { type Entry, unitOf } from './entries.fixture.ts'
import type { Subroutine } from './subroutine-ranges.ts'
import { readSubroutines } from './subroutines.ts'

export const NAMESPACE = TAG.namespace
export const STRUCTURE = 0x13
export const LEXICAL_BLOCK = 0x0b
/** A function without its own code: it is inlined everywhere, or is a template. */
export const declarationOf = (...below: Entry[]): Entry => ({ tag: TAG.subprogram, values: [], below })
export const holderOf = (tag: number, ...below: Entry[]): Entry => ({ tag, values: [], below })

export function read(entries: readonly Entry[], options: Parameters<typeof unitOf>[1] = {}, more: object = {}) {
  const { sections, abbreviations, unit, bounds, offsets } = unitOf(entries, options)
  const subroutines = readSubroutines({ ...sections, ...more }, abbreviations, unit, bounds)
  const entryAt = new Map([...offsets].map(([entry, offset]) => [offset, entry]))
  /** The entries that contain an address, innermost first. */
  const chainAt = (address: number) => {
    const chain: (Entry | undefined)[] = []
    for (let at: Subroutine | undefined = subroutines.at(address); at; at = at.parent)
      chain.push(entryAt.get(at.offset))
    return chain
  }
  return { subroutines, chainAt }
}
