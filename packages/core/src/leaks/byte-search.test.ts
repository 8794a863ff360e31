import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { ByteSearch } from './byte-search.ts'

/** Reproducible pseudo-random bytes. They have few different values, so near matches are common. */
function bytesOf(seed: string, length: number, different: number): Buffer {
  const bytes = Buffer.concat(
    Array.from({ length: Math.ceil(length / 64) }, (_, at) => createHash('sha512').update(`${seed}:${at}`).digest()),
  )
  return bytes.subarray(0, length).map((byte) => byte % different) as Buffer
}

it('finds the same first match as indexOf', () => {
  for (let seed = 0; seed < 200; seed++) {
    const text = bytesOf(`text ${seed}`, 50 + seed * 7, 2 + (seed % 3))
    const needles = [4, 5, 9, 17].map((length, at) => bytesOf(`needle ${seed} ${at}`, length, 2 + (seed % 3)))
    const offsets = needles.map((needle) => text.indexOf(needle)).filter((offset) => offset !== -1)
    const found = new ByteSearch(needles).find(Buffer.from(text))
    expect(found?.offset, `seed ${seed}`).toBe(offsets.length === 0 ? undefined : Math.min(...offsets))
    if (found) expect(text.indexOf(needles[found.needle] as Buffer)).toBe(found.offset)
  }
})

it.each([
  ['at the beginning', 'key-1234…', 0],
  ['at the end', '…key-1234', 3],
  ['nowhere', '…key-123', undefined],
  ['in an empty text', '', undefined],
])('finds the key or nothing: %s', (_, text, offset) => {
  const search = new ByteSearch([Buffer.from('key-1234'), Buffer.from('longer than the text')])
  expect(search.find(Buffer.from(text))?.offset).toBe(offset)
})
