import { Cursor } from './cursor.ts'
import type { LineHeader } from './line-header.ts'
import { runLineProgram } from './line-program.ts'
import type { LinePosition } from './line-sequences.ts'

const SEQUENCE_END = Buffer.from([0, 1, 1])
const SET_ADDRESS = 2
/** The maximum number of bytes between the start of a sequence and the instruction that sets its address. */
const MAX_BEFORE = 64

/**
 * Finds the row for an address in a function that has its own sequence. Compilers emit such sequences for functions in separate sections.
 * Searching for the bytes of the start address is much faster than running the whole line program.
 * @param cursor a cursor at the start of the line program.
 * @param start the start address of the function.
 * @returns undefined if no such sequence contains the address.
 */
export function functionPosition(
  { bytes, at: programAt, little }: Cursor,
  header: LineHeader,
  start: number,
  address: number,
): LinePosition | undefined {
  const { version, addressBytes, files } = header
  const found = bytes.indexOf(settingOf(start, addressBytes, little), programAt)
  if (found === -1) return undefined
  const before = bytes.subarray(programAt, found).lastIndexOf(SEQUENCE_END)
  const from = before === -1 ? programAt : programAt + before + SEQUENCE_END.length
  if (found - from > MAX_BEFORE) return undefined
  const position = runLineProgram(new Cursor(bytes, little, from), header, address, from)
  // Files that the line program defines with `DW_LNE_define_file` are known only after the whole program has run.
  return position && position.file <= files.names.length - (version >= 5 ? 1 : 0) ? position : undefined
}

function settingOf(address: number, addressBytes: number, little: boolean): Buffer {
  const instruction = Buffer.alloc(3 + addressBytes)
  instruction[1] = 1 + addressBytes
  instruction[2] = SET_ADDRESS
  let rest = address
  for (let nth = 0; nth < addressBytes; nth++) {
    instruction[little ? 3 + nth : 2 + addressBytes - nth] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return instruction
}
