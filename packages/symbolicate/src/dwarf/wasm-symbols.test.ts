import { binaryOf } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { wasmSymbols } from './wasm-symbols.ts'

const text = (value: string) => [value.length, ...Buffer.from(value)]
const section = (id: number, content: number[]) => [id, content.length, ...content]
const name = (number: number, value: string) => [number, ...text(value)]

interface Parts {
  code?: number[]
  imports?: number[]
  names?: number[]
}

/** Builds a module from its parts and reads its symbols. */
function symbolsOf({ code, imports, names }: Parts) {
  const bytes: number[] = [9, 9, 9]
  const place = (content: number[] | undefined) => {
    if (!content) return undefined
    bytes.push(...content)
    return { offset: bytes.length - content.length, size: content.length }
  }
  const [own, imported, named] = [code, imports, names].map(place)
  return wasmSymbols(binaryOf(Buffer.from(bytes)), {
    custom: new Map(named && [['name', named]]),
    ...(own && { code: own }),
    ...(imported && { imports: imported }),
  })
}

/** The code section has three functions of 4, 6 and 3 bytes including their sizes. The first begins at offset 1. */
const CODE = [3, 3, 0, 0, 0, 5, 0, 0, 0, 0, 0, 2, 0, 0]
const NAMES = [
  ...section(0, text('module')),
  ...section(1, [3, ...name(0, 'zero'), ...name(1, 'one'), ...name(2, 'two')]),
  ...section(2, [1, ...name(0, 'local')]),
]
const namesAt = (parts: Parts) => [0, 1, 4, 5, 10, 11, 13, 14].map((at) => symbolsOf(parts).at(at)?.name)

describe('the functions in a WebAssembly module', () => {
  it('returns the ranges of function bodies and the names from the name section', () => {
    expect(namesAt({ code: CODE, names: NAMES })).toEqual([
      undefined,
      ...['zero', 'zero', 'one', 'one', 'two', 'two'],
      undefined,
    ])
  })

  it('numbers functions after imported functions, regardless of other imports', () => {
    const entry = (name: string, ...kind: number[]) => [...text('env'), ...text(name), ...kind]
    const imports = [
      13,
      ...entry('f', 0, 7),
      // Imports from Dart, Kotlin and Java: references to types, whose number may take two bytes.
      ...entry('string', 3, 0x64, 0x6f, 0),
      ...entry('own', 3, 0x63, 0x81, 1, 0),
      ...entry('functions', 1, 0x63, 0x70, 0, 5),
      ...entry('own', 1, 0x64, 0x81, 1, 1, 5, 9),
      ...entry('table', 1, 0x70, 1, 5, 9),
      ...entry('table', 1, 0x70, 0, 5),
      ...entry('memory', 2, 0, 5),
      ...entry('memory', 2, 1, 5, 9),
      ...entry('global', 3, 0x7f, 0),
      ...entry('tag', 4, 0, 2),
      ...entry('global', 3, 0x7f, 1),
      ...entry('g', 0, 1),
    ]
    expect(namesAt({ code: CODE, imports, names: NAMES })).toEqual([
      undefined,
      ...['two', 'two', undefined, undefined, undefined, undefined],
      undefined,
    ])
  })

  it('accepts functions without names, and a module without code', () => {
    expect(namesAt({ code: CODE })).toEqual(Array(8).fill(undefined))
    expect(namesAt({ names: NAMES })).toEqual(Array(8).fill(undefined))
    expect(namesAt({ code: CODE, names: section(0, text('module')) })).toEqual(Array(8).fill(undefined))
    // This name section declares more names than it contains.
    expect(namesAt({ code: CODE, names: section(1, [9, ...name(1, 'one')]) })[3]).toBe('one')
  })

  it.each([
    ['more functions than a module can have', [0x81, 0xa4, 0xe8, 3], 'The file has too many functions.'],
    ['a body longer than the section', [1, 9, 0], 'A section is shorter than its header declares.'],
  ])('reports a module with %s as damaged', (_, code, message) => {
    expect(() => symbolsOf({ code })).toThrow(message)
  })
})
