import { BinaryError } from '@symup/core/resolving'
import { Cursor } from './cursor.ts'
import { functionPosition } from './function-lines.ts'
import { headerWeight, type LineHeader, pathOf, readLineHeader } from './line-header.ts'
import { type LinePosition, type LineSequence, runLineProgram } from './line-program.ts'
import type { DwarfSections, Unit, UnitEntry } from './unit.ts'

/**
 * The rows and files from the line program of one unit. Sources: section 6.2 of the DWARF 5 standard and the corresponding sections of
 * older versions.
 */
export interface LineTable {
  /**
   * Returns the row that contains an address.
   * @param start the start address of the function, if known.
   */
  positionAt(address: number, start?: number): LinePosition | undefined
  /** Returns the path of a file, including its directories. Like debuggers, symup does not normalize the path. */
  pathOf(file: number): string | undefined
  /** The approximate memory currently in use, in bytes. */
  readonly weight: number
}

const MAX_PROGRAM_BYTES = 256 * 1024 * 1024
/** The number of searches for a function before the whole line program is run. A full run takes about as long as 16 searches. */
const MAX_SEARCHED = 16
/** The approximate memory per sequence in bytes. */
const SEQUENCE_BYTES = 64

/**
 * Reads a line table without storing its rows, because most units are queried only once or twice. The first lookups search only the
 * function that contains the address. After several lookups or a failed search, the whole line program is run once.
 * @throws BinaryError if the line program is invalid. The methods of the table can throw the same error.
 */
export function readLineTable(sections: DwarfSections, unit: Unit, entry: UnitEntry): LineTable | undefined {
  const section = sections.line
  if (!section || entry.lineOffset === undefined) return undefined
  const start = section.cursor(entry.lineOffset, 12)
  let length = start.u32()
  const offsetBytes = length === 0xffffffff ? 8 : 4
  if (offsetBytes === 8) length = start.u64()
  if (length > MAX_PROGRAM_BYTES)
    throw new BinaryError('damaged', 'A line program in the debug information is too long.')
  const at = entry.lineOffset + start.at
  const available = Math.min(length, section.size - at)
  let header: LineHeader | undefined
  let sequences: LineSequence[] | undefined
  let searched = 0
  const firstPosition = (address: number, low: number | undefined) => {
    const cursor = new Cursor(section.bytes(at, available), section.little)
    const read = readLineHeader(cursor, unit, offsetBytes, sections.code)
    header = read.header
    cursor.at = read.programAt
    // Skip the search if the function starts at address 0, because several sequences may start there.
    const inFunction = low && searched++ < MAX_SEARCHED ? functionPosition(cursor, header, low, address) : undefined
    if (inFunction) return inFunction
    const all: LineSequence[] = []
    const position = runLineProgram(cursor, header, address, read.programAt, all)
    sequences = all
    return position
  }
  return {
    positionAt(address, low) {
      if (!sequences || !header) return firstPosition(address, low)
      const found = sequenceAt(sequences, address)
      if (!found) return undefined
      const { start, end } = found
      return runLineProgram(section.cursor(at + start, end - start), header, address, start)
    },
    pathOf: (file) => header && pathOf(header, sections, unit, entry, file),
    get weight() {
      return SEQUENCE_BYTES * (sequences?.length ?? 0) + (header ? headerWeight(header) : 0)
    },
  }
}

function sequenceAt(sequences: readonly LineSequence[], address: number): LineSequence | undefined {
  let found: LineSequence | undefined
  for (const sequence of sequences)
    if (sequence.high > address && !(found && sequence.high >= found.high)) found = sequence
  return found && found.low <= address ? found : undefined
}
