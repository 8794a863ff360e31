import { closeSync } from 'node:fs'
import { openRegular } from '../files/open-regular.ts'
import { readInto } from '../files/read-at.ts'
import { t } from '../text.ts'

/** Random access to bytes in small reads, so that the cost does not depend on the file size. */
export interface BinarySource {
  readonly size: number
  /** Returns fewer bytes than requested at the end of the source, and no bytes beyond the end. */
  read(position: number, length: number): Buffer
  close(): void
}

/**
 * Opens a file for synchronous reads, because readers of native formats need only a few KB.
 * @throws a file system error if the file cannot be opened.
 */
export function openBinary(path: string): BinarySource {
  const { file, size } = openRegular(path)
  return {
    size,
    read(position, length) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position)))
      return buffer.subarray(0, readInto(file, buffer, position))
    },
    close: () => closeSync(file),
  }
}

export function withBinary<T>(path: string, read: (source: BinarySource) => T): T {
  const source = openBinary(path)
  try {
    return read(source)
  } finally {
    source.close()
  }
}

export function binaryOf(bytes: Uint8Array): BinarySource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    size: buffer.length,
    read: (position, length) => buffer.subarray(Math.min(position, buffer.length), Math.max(0, position + length)),
    close: () => undefined,
  }
}

export type BinaryFlaw = 'empty' | 'other-format' | 'truncated' | 'damaged'

/** Thrown if a native file cannot be read. The message is a clause that begins with "it". */
export class BinaryError extends Error {
  override readonly name = 'BinaryError'
  readonly flaw: BinaryFlaw

  constructor(flaw: BinaryFlaw, message: string) {
    super(message)
    this.flaw = flaw
  }
}

/** Reads numbers from a buffer in a given byte order. Throws a BinaryError if a read extends past the end of the buffer. */
export class BinaryView {
  readonly bytes: Buffer
  readonly little: boolean

  constructor(bytes: Buffer, little: boolean) {
    this.bytes = bytes
    this.little = little
  }

  u8(at: number): number {
    this.#check(at, 1)
    return this.bytes[at] as number
  }

  u16(at: number): number {
    this.#check(at, 2)
    return this.little ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at)
  }

  u32(at: number): number {
    this.#check(at, 4)
    return this.little ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at)
  }

  /** The result is exact up to 2^53, which no real file or address space exceeds. */
  u64(at: number): number {
    this.#check(at, 8)
    const low = this.u32(this.little ? at : at + 4)
    return this.u32(this.little ? at + 4 : at) * 2 ** 32 + low
  }

  /** Reads a string that ends at the next NUL, at the end of the buffer, or after `most` bytes. */
  text(at: number, most: number): string {
    this.#check(at, 0)
    const bytes = this.bytes.subarray(at, at + most)
    const end = bytes.indexOf(0)
    return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
  }

  #check(at: number, length: number): void {
    if (!(at >= 0 && at + length <= this.bytes.length))
      throw new BinaryError('damaged', t`The file contains an offset that points past the end of the file.`)
  }
}

/** @throws BinaryError 'truncated' if the source is shorter than `length`. */
export function readWhole(source: BinarySource, position: number, length: number, message: string): Buffer {
  const bytes = source.read(position, length)
  if (bytes.length < length) throw new BinaryError('truncated', message)
  return bytes
}
