import * as zlib from 'node:zlib'

/**
 * Computes CRC-32 as in gzip (RFC 1952 §8), continuing from `previous`. Node 18, which DevEco Studio includes, does not have `zlib.crc32`
 * and needs the table below.
 */
export const crc32: (data: Uint8Array, previous?: number) => number = zlib.crc32 ?? tableCrc32

const TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

export function tableCrc32(data: Uint8Array, previous = 0): number {
  let value = ~previous
  for (let index = 0; index < data.length; index++) {
    value = (TABLE[(value ^ (data[index] as number)) & 255] as number) ^ (value >>> 8)
  }
  return ~value >>> 0
}
