import { BinaryError, binaryOf } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { isBreakpad, openBreakpad } from './breakpad-symbols.ts'

const HEAD = 'MODULE Linux x86_64 4c4c442355553144A1F41E1C3F2B8A010 shop.so'
const open = (...lines: string[]) => openBreakpad(binaryOf(Buffer.from(`${[HEAD, ...lines].join('\n')}\n`)))

describe('a Breakpad symbol file', () => {
  it.each([
    ['MODULE Linux', true],
    ['MODULES', false],
    ['FUNC 0', false],
  ])('decides whether a Breakpad file may begin with %s: %s', (head, is) =>
    expect(isBreakpad(Buffer.from(head))).toBe(is),
  )

  it('recognizes a Breakpad file by its first line, whatever line ending follows', async () => {
    for (const end of ['\n', '\r\n', ''])
      expect(await openBreakpad(binaryOf(Buffer.from(HEAD + end)))).toMatchObject({
        ...{ format: 'breakpad', id: '4C4C442355553144A1F41E1C3F2B8A010' },
        ...{ hasDebugInfo: true, textAddress: 0 },
      })
  })

  it.each([
    'MODULE Linux x86_64 4C4C4423 shop.so',
    `MODULE Linux x86_64 ${'A'.repeat(41)} shop.so`,
    `MODULE Linux x86_64 ${'A'.repeat(33)}`,
    ' MODULE Linux x86_64 4C4C442355553144A1F41E1C3F2B8A010 shop.so',
  ])('does not recognize %s as the start of a Breakpad file', async (line) => {
    await expect(openBreakpad(binaryOf(Buffer.from(`${line}\n`)))).rejects.toThrow(
      'The file is not a Breakpad symbol file.',
    )
  })

  it('reports a Breakpad file as damaged if a line is too long', async () => {
    const long = Buffer.from(`${HEAD}\nFUNC 0 1 0 ${'a'.repeat(3 * 1024 * 1024)}\nPUBLIC 0 0 a\n`)
    const opening = openBreakpad(binaryOf(long))
    await expect(opening).rejects.toThrow('The file contains an incomplete line.')
    await expect(opening).rejects.toBeInstanceOf(BinaryError)
  })
})

describe('finding functions, lines and public symbols', () => {
  const at = async (address: number, ...lines: string[]) => (await open(...lines)).lookUp(address)
  const LINES = [
    ...['FILE 0 a.c', 'FILE 1 dir/b c.c', 'FUNC 1000 20 0 first(int)', '1000 8 10 0', '1008 8 11 1'],
    ...['PUBLIC 1040 0 exported', 'FUNC m 1060 10 0 last', '1060 10 30 7', 'PUBLIC m 1080 0 end of it'],
  ]

  it.each([
    [0x0fff, []],
    [0x1000, [{ function: 'first(int)', file: 'a.c', line: 10 }]],
    [0x1007, [{ function: 'first(int)', file: 'a.c', line: 10 }]],
    [0x1008, [{ function: 'first(int)', file: 'dir/b c.c', line: 11 }]],
    [0x100f, [{ function: 'first(int)', file: 'dir/b c.c', line: 11 }]],
    [0x1010, [{ function: 'first(int)' }]],
    [0x101f, [{ function: 'first(int)' }]],
    [0x1020, []],
    [0x103f, []],
    [0x1040, [{ function: 'exported' }]],
    [0x105f, [{ function: 'exported' }]],
    [0x1060, [{ function: 'last', line: 30 }]],
    // An export before a function does not apply to code after that function.
    [0x1070, []],
    [0x1080, [{ function: 'end of it' }]],
  ])('finds the function, line and symbol at 0x%s', async (address, frames) => {
    expect(await at(address, ...LINES)).toEqual(frames)
    expect(await at(address, ...LINES.map((line) => `${line}\r`)), 'with other line ends').toEqual(frames)
  })

  it('prefers a symbol at the address of a function', async () => {
    const lines = ['PUBLIC 1000 0 alias', 'FUNC 1000 10 0 real']
    expect(await at(0x1000, ...lines)).toEqual([{ function: 'real' }])
    expect(await at(0x1010, ...lines)).toEqual([])
  })

  it.each(['STACK CFI INIT 1008 8 .cfa: $rsp 8 +', 'PUBLIC 1008 0 x', 'FUNC 1010 1 0 x'])(
    'ends the lines of a function at %s',
    async (end) => {
      expect(await at(0x1004, 'FUNC 1000 10 0 f', '1000 10 1 0', end, '1000 10 99 0')).toEqual([
        { function: 'f', line: 1 },
      ])
    },
  )

  it('returns the line of a function without a name, and demangles C++ names', async () => {
    expect(await at(0x1000, 'FUNC 1000 10 0 ', '1000 10 7 0')).toEqual([{ line: 7 }])
    expect(await at(0x1000, 'FUNC 1000 10 0 _ZN4shop3payEi')).toEqual([{ function: 'shop::pay(int)' }])
    expect(await at(0x1000, 'PUBLIC 1000 0 _ZN4shop3payEi')).toEqual([{ function: 'shop::pay(int)' }])
  })

  it('ignores a public symbol without a name', async () => {
    expect(await at(0x1000, 'PUBLIC 1000')).toEqual([])
  })

  it('accepts a last line without a line ending, and ignores what follows in the file', async () => {
    const symbols = await openBreakpad(binaryOf(Buffer.from(`${HEAD}\nFUNC 1000 10 0 f\n1000 10 5 0\nFILE 0 z.c`)))
    expect(symbols.lookUp(0x1000)).toEqual([{ function: 'f', file: 'z.c', line: 5 }])
    expect(symbols.addressOf('f')).toBeUndefined()
  })

  it('reads a file of several chunks, even if a line crosses a boundary', async () => {
    const many = Array.from({ length: 60_000 }, (_, nth) => `FUNC ${(nth * 16).toString(16)} 10 0 function${nth}`)
    const symbols = await open(...many)
    for (let nth = 0; nth < many.length; nth += 7)
      expect(symbols.lookUp(nth * 16 + 15)).toEqual([{ function: `function${nth}` }])
  })
})

it.each([
  ['lines that all have the same address', '1000 10 7 0\n'],
  ['inlined calls at other addresses', 'INLINE 0 10 0 0 2000 8\n'],
])('finds a function that has %s', async (_, record) => {
  const symbols = await open('FILE 0 a.c', 'FUNC 1000 10 0 f', `${record.repeat(3)}1000 10 5 0`)
  expect(symbols.lookUp(0x1001)).toEqual([{ function: 'f', file: 'a.c', line: 5 }])
})

describe('inlined calls in Breakpad symbols', () => {
  const ORIGINS = ['INLINE_ORIGIN 0 outer_inline', 'INLINE_ORIGIN 3 _ZN4shop3payEi', 'FILE 0 main.c', 'FILE 1 pay.h']
  const at = async (address: number, ...lines: string[]) => (await open(...ORIGINS, ...lines)).lookUp(address)

  it.each([
    ['new', ['INLINE 0 10 0 0 1000 8 1010 8', 'INLINE 1 20 1 3 1004 4'], ['pay.h', 'main.c']],
    ['old, without the file of the call', ['INLINE 0 10 0 1000 8 1010 8', 'INLINE 1 20 3 1004 4'], []],
  ])('lists inlined calls from %s files, starting with the innermost', async (_, inlines, files) => {
    const lines = ['FUNC 1000 20 0 main', ...inlines, '1000 20 5 1']
    const [inner, outer] = files
    const here = { file: 'pay.h', line: 5 }
    const called = (line: number, file: string | undefined) => ({ ...(file !== undefined && { file }), line })
    const main = { function: 'main', ...called(10, outer) }
    expect(await at(0x1003, ...lines)).toEqual([{ function: 'outer_inline', ...here }, main])
    const deep = [{ function: 'shop::pay(int)', ...here }, { function: 'outer_inline', ...called(20, inner) }, main]
    expect(await at(0x1004, ...lines)).toEqual(deep)
    expect(await at(0x1007, ...lines)).toEqual(deep)
    expect(await at(0x1008, ...lines)).toEqual([{ function: 'main', ...here }])
    // The address 0x1010 is in the second range of the outer call.
    expect(await at(0x1010, ...lines)).toEqual([{ function: 'outer_inline', ...here }, main])
    expect(await at(0x1018, ...lines)).toEqual([{ function: 'main', ...here }])
  })

  it('orders inlined calls by depth, not by position in the file', async () => {
    const lines = ['FUNC 1000 8 0 main', 'INLINE 1 20 1 3 1000 8', 'INLINE 0 10 0 0 1000 8', '1000 8 5 1']
    expect((await at(0x1000, ...lines)).map((frame) => frame.function)).toEqual([
      ...['shop::pay(int)', 'outer_inline', 'main'],
    ])
  })

  it('returns a position but no name for an inlined call without an origin', async () => {
    expect(await at(0x1000, 'FUNC 1000 8 0 main', 'INLINE 0 10 0 2 1000 8', '1000 8 5 1')).toEqual([
      { file: 'pay.h', line: 5 },
      { function: 'main', file: 'main.c', line: 10 },
    ])
  })

  it('reads inlined calls up to a limit, because a hostile file may contain any number', async () => {
    const inlines = Array.from({ length: 600 }, (_, nth) => `INLINE ${nth} 1 0 0 1000 8`)
    expect(await at(0x1000, 'FUNC 1000 8 0 main', ...inlines)).toHaveLength(501)
  })
})
