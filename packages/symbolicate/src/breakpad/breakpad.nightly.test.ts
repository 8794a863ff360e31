import { binaryOf } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
import { openBreakpad } from './breakpad-symbols.ts'
import { Columns } from './columns.ts'

const HEAD = 'MODULE Linux x86_64 4C4C442355553144A1F41E1C3F2B8A010 shop.so'
const COUNT = 400_000

it.each([
  ['lines', Array.from({ length: COUNT }, (_, nth) => `${(0x1000 + COUNT - nth).toString(16)} 1 ${nth} 0`).join('\n')],
  ['lines that all have the same address', '1000 10 7 0\n'.repeat(COUNT)],
  ['inlined calls at other addresses', 'INLINE 0 10 0 0 2000 8\n'.repeat(COUNT)],
  ['ranges of an inlined call', `INLINE 0 10 0 0${' 2000 8'.repeat(100_000)}`],
])('makes ten look-ups in a function with many %s in less than 2 s of processor time', async (_, records) => {
  const text = `${HEAD}\nFILE 0 a.c\nFUNC 1000 100000 0 f\n${records.trimEnd()}\n`
  const symbols = await openBreakpad(binaryOf(Buffer.from(text)))
  const seconds = await cpuSeconds(() => {
    for (let nth = 0; nth < 10; nth++) expect(symbols.lookUp(0x1001 + nth)).toMatchObject([{ function: 'f' }])
  })
  expect(seconds).toBeLessThan(2)
})

it('reports more records than any program has as damage', () => {
  const columns = new Columns()
  for (let nth = 0; nth < 8_000_000; nth++) columns.add(nth, 0, 0, 0)
  expect(() => columns.add(0, 0, 0, 0)).toThrow('The file has too many records.')
})
