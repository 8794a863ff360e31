import { BinaryError, binaryOf } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { HiddenNames, isHiddenName } from './hidden-names.ts'

const mapOf = (text: string) => new HiddenNames(binaryOf(Buffer.from(text)))

it.each([
  ['__hidden#0_', 'first'],
  ['__hidden#1_', 'zweite ü'],
  // A name without a line in the map stays unchanged.
  ['__hidden#2_', '__hidden#2_'],
  ['__hidden#3_', 'last'],
  ['__hidden#4_', '__hidden#4_'],
  ['__hidden#1234567890_', '__hidden#1234567890_'],
  ['main', 'main'],
  ['x__hidden#0_', 'x__hidden#0_'],
])('maps %s to %s in the source', (name, original) => {
  for (const end of ['', '\n', '\r\n']) {
    const map = mapOf(
      `BCSymbolMap Version: 2.0${end === '\r\n' ? end : '\n'}${['first', 'zweite ü', '', 'last'].join(end || '\n')}${end}`,
    )
    expect(map.nameOf(name)).toBe(original)
  }
})

it('ignores a map of another kind', () => {
  for (const text of ['BCSymbolMap Version: 1.0\n', '', 'x'])
    expect(() => mapOf(text)).toThrow(new BinaryError('other-format', 'The version of the BCSymbolMap is not 2.0.'))
  const large = { size: 128 * 1024 * 1024 + 1, read: () => Buffer.alloc(0), close: () => undefined }
  expect(() => new HiddenNames(large)).toThrow(new BinaryError('damaged', 'The BCSymbolMap is too large.'))
})

it.each([
  ['__hidden#0_', true],
  ['__hidden#_', false],
  ['__hidden#12', false],
])('recognizes whether %s is hidden: %s', (name, isHidden) => {
  expect(isHiddenName(name)).toBe(isHidden)
})
