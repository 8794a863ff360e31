import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { leakOf } from '../support/keys.ts'

const KEY = 'a-key-in-pieces'
const LONGER = `${KEY}-${'that-is-longer'.repeat(10)}`
const PIECE_BYTES = 1024 * 1024

const place = useDirectory()

const fileWith = (name: string, before: number, text: string) => {
  const path = join(place, name)
  writeFileSync(path, `${'x'.repeat(before)}${text}`)
  return path
}

describe('a key in a file', () => {
  it.each([
    ['at the start', 0],
    ['across the end of the first piece', PIECE_BYTES - 5],
    ['across the end of the second', 2 * PIECE_BYTES - 5],
    ['at the end of the first piece', PIECE_BYTES - KEY.length],
  ])('%s is found, also after a longer key was looked for', (_, before) => {
    const other = fileWith('other', 3 * PIECE_BYTES, '')
    expect(leakOf([LONGER], '', [other])).toBeUndefined()
    const path = fileWith('planted', before, `${KEY}${'y'.repeat(PIECE_BYTES)}`)
    expect(leakOf([KEY], '', [path])).toBe(`written to ${path}`)
  })

  it('half of which stands in another file is none', () => {
    const head = fileWith('head', PIECE_BYTES - 5, KEY.slice(0, 5))
    const tail = fileWith('tail', 0, KEY.slice(5))
    expect(leakOf([KEY], '', [head, tail])).toBeUndefined()
    expect(leakOf([KEY], '', [head, tail, head, tail])).toBeUndefined()
  })
})
