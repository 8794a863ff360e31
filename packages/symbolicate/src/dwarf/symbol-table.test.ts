import { describe, expect, it } from 'vitest'
import { NO_FILE, Symbols } from './symbol-table.ts'

const NAMES = ['start', 'small', 'large', 'zero', 'last', 'first of two', 'second of two']

function tableOf(symbols: [address: number, size: number, name: number, file?: number][]) {
  const table = new Symbols(symbols.length, (name) => NAMES[name])
  for (const [address, size, name, file = NO_FILE] of symbols) table.add(address, size, name, file)
  return table
}

describe('looking up a symbol', () => {
  it('finds the largest of several symbols at one address, in any order', () => {
    const orders = [
      [1, 2, 3],
      [2, 1, 3],
      [3, 2, 1],
      [2, 3, 1],
    ]
    for (const order of orders) {
      const sizes: Record<number, number> = { 1: 4, 2: 64, 3: 0 }
      const table = tableOf([[0x40, 4, 0], ...order.map((name) => [0x10, sizes[name], name] as never)])
      expect(table.at(0x12)?.name, `${order}`).toBe('large')
    }
  })

  it('finds the last of equal symbols', () => {
    const table = tableOf([
      [0x10, 8, 5],
      [0x10, 8, 6],
    ])
    expect(table.at(0x10)?.name).toBe('second of two')
  })

  it('finds a symbol up to its end, or without a size up to the next symbol', () => {
    const table = tableOf([
      [0x10, 8, 1],
      [0x40, 0, 3],
      [0x80, 4, 4, 0],
    ])
    expect(table.at(0xf)).toBeUndefined()
    expect(table.at(0x17)).toEqual({ name: 'small' })
    expect(table.at(0x18)).toBeUndefined()
    expect(table.at(0x7f)).toEqual({ name: 'zero' })
    expect(table.at(0x80)).toEqual({ name: 'last', file: 'start' })
  })
})

it('finds the address of a name', () => {
  const table = tableOf([
    [0x10, 8, 1],
    [0x40, 0, 3],
  ])
  expect(table.addressOf('zero')).toBe(0x40)
  expect(table.addressOf('large')).toBeUndefined()
})

it('finds a function before thousands of marks, reading each name once', () => {
  const marks = 5000
  const read: number[] = []
  const nameOf = (name: number) => {
    read.push(name)
    return name === 0 ? 'start' : '$x'
  }
  const table = new Symbols(marks + 1, nameOf, { marks: /^\$x/ })
  for (let nth = 0; nth <= marks; nth++) table.add(0x10 + 4 * nth, 0, nth, NO_FILE, nth > 0)
  for (const address of [0x10 + 4 * marks, 0x4000, 0x14]) expect(table.at(address)?.name).toBe('start')
  expect(read.filter((name) => name > 0)).toHaveLength(marks)
})
