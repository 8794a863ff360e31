import { readEnds } from '../files/file-ends.ts'
import { isMappingClassLine } from './jvm-mapping/jvm-mapping-sanity.ts'

const HEAD_BYTES = 4096

/** A file format that can be identified by the first bytes of a file. */
export interface FileContent {
  /** The name of the format, as it appears in the middle of a sentence. */
  name: string
  is(head: Buffer): boolean
}

export const ELF: FileContent = {
  name: 'a native library (ELF)',
  is: (head) => head.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1')),
}

export const MAPPING: FileContent = {
  name: 'a ProGuard or R8 mapping',
  is(head) {
    const lines = head.toString('utf8').split(/\r?\n/)
    // The last line may be incomplete, so it is ignored.
    return (head.length < HEAD_BYTES ? lines : lines.slice(0, -1)).some(isMappingClassLine)
  },
}

export async function readHead(file: string | Uint8Array, bytes: number = HEAD_BYTES): Promise<Buffer> {
  return readEnds(file, bytes, 0).head
}
