import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { BinaryError, binaryOf, openBinary } from '@symup/core/resolving'
import { demangle } from '@symup/demangle'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../../test/support/random.ts'
import { hideNames } from '../../../core/src/kinds/dsym/hide-names.fixture.ts'
import { companionsOf } from './companions.ts'
import { HiddenNames } from './hidden-names.ts'
import type { NativeSymbols } from './native-frame.ts'
import { openNativeSymbols } from './native-symbols.ts'

const SYMBOLS = resolve(import.meta.dirname, '../../../../fixtures/symbols')

/** A library whose debug information is in missing .dwo files. */
const SPLIT = 'rich/split-x86_64.so'

/** The output of llvm-symbolizer, created by fixtures/symbols/expect.mjs. */
interface Expected {
  frames: [name: string, file: string, line: number][][]
  at: [address: number, frames: number][]
}

const readExpected = (path: string) => JSON.parse(readFileSync(join(SYMBOLS, path), 'utf8')) as Expected
const libraries = readdirSync(SYMBOLS, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:so|wasm)\.expected\.json$/.test(path))
  .map((path) => path.replace('.expected.json', ''))
  .filter((path) => path !== SPLIT)
  .sort()

async function compare(path: string, expected: Expected, arch?: string): Promise<string[]> {
  const file = join(SYMBOLS, path)
  const choice = { companions: companionsOf(file), ...(arch !== undefined && { arch }) }
  return compareOpen(await openNativeSymbols(openBinary(file), choice), expected)
}

function compareOpen(symbols: NativeSymbols, expected: Expected): string[] {
  const differences: string[] = []
  for (const [address, index] of expected.at) {
    const found = symbols.lookUp(address)
    const ours = found.map(({ function: name, file, line }) => [name ?? '', file ?? '', line ?? 0])
    const theirs = (expected.frames[index] ?? []).map(([name, file, line]) => [demangle(name), file, line])
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
      differences.push(`0x${address.toString(16)}: ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`)
    }
  }
  symbols.close()
  return differences
}

describe('native symbols compared with llvm-symbolizer', () => {
  it('compares at least 20 libraries', () => expect(libraries.length).toBeGreaterThanOrEqual(20))

  it.each(libraries)(
    'resolves every instruction in %s to the same functions, files, lines and inlined calls',
    async (path) => {
      const expected = readExpected(`${path}.expected.json`)
      expect(expected.at.length).toBeGreaterThan(30)
      expect(await compare(path, expected)).toEqual([])
    },
  )

  it('returns the same result for the first query, which searches the file, and later look-ups', async () => {
    for (const path of libraries.slice(0, 8)) {
      const { at } = readExpected(`${path}.expected.json`)
      const open = () => openNativeSymbols(openBinary(join(SYMBOLS, path)))
      const asked = await open()
      for (let nth = 0; nth < 12; nth++) {
        const [address] = at[Math.floor((nth * at.length) / 12)] as [number, number]
        asked.lookUp(address)
        const fresh = await open()
        expect(fresh.lookUp(address)).toEqual(asked.lookUp(address))
        fresh.close()
      }
      asked.close()
    }
  })

  it.each(['arm64', 'x86_64'])('opens a fat dSYM, %s', async (arch) => {
    const path = 'apple/Shop.framework.dSYM/Contents/Resources/DWARF/Shop'
    expect(await compare(path, readExpected(`apple/expected/Shop.${arch}.expected.json`), arch)).toEqual([])
  })
})

it('replaces names that Xcode hid with those from the BCSymbolMap, in symbols, functions and files', async () => {
  const file = 'apple/shop-arm64.dylib.dSYM/Contents/Resources/DWARF/shop-arm64.dylib'
  const expected = readExpected('apple/expected/Shop.arm64.expected.json')
  const { image, map } = hideNames(readFileSync(join(SYMBOLS, file)))
  const hiddenNames = new HiddenNames(binaryOf(Buffer.from(map)))
  expect(compareOpen(await openNativeSymbols(binaryOf(image), { hiddenNames }), expected)).toEqual([])
  const [[address] = [0]] = expected.at
  const symbols = await openNativeSymbols(binaryOf(image))
  expect(symbols.lookUp(address).at(-1)?.function).toMatch(/^__hidden#\d+_$/)
  expect(hiddenNames.nameOf('__hidden#99999_')).toBe('__hidden#99999_')
  expect(() => new HiddenNames(binaryOf(Buffer.from('BCSymbolMap Version: 1.0\n')))).toThrow(BinaryError)
})

it('pairs no function with a line that may belong to an inlined call in a .dwo file', async () => {
  const { frames, at } = readExpected(`${SPLIT}.expected.json`)
  const symbols = await openNativeSymbols(openBinary(join(SYMBOLS, SPLIT)))
  for (const [address, index] of at) {
    const [first] = frames[index] ?? []
    if (!first) continue // The address is outside the code of the two units.
    const [name, file, line] = first
    const known = name === '' ? { file, line } : { function: demangle(name) }
    const [frame, ...others] = symbols.lookUp(address)
    expect([frame, others]).toMatchObject([known, []])
    expect(frame?.missing).toMatch(/^split-x86_64\.so-part[12]\.dwo$/)
    if (name !== '') expect(frame).not.toHaveProperty('line')
  }
})

describe('debug information in other files', () => {
  const beside = join(SYMBOLS, 'beside')
  const inPlace = (name: string) => join(beside, name)
  /** Every frame in a library, with the files that remain in a copy of its directory. */
  async function framesOf(name: string, ...others: string[]) {
    const directory = mkdtempSync(join(tmpdir(), 'symup-beside-'))
    const library = join(directory, 'lib.so')
    copyFileSync(inPlace(name), library)
    for (const other of others) {
      const [from, to = basename(from as string)] = other.split(' as ')
      copyFileSync(inPlace(from as string), join(directory, to))
    }
    const symbols = await openNativeSymbols(openBinary(library), { companions: companionsOf(library) })
    const frames = readExpected(`beside/${name}.expected.json`).at.map(([address]) => symbols.lookUp(address))
    symbols.close()
    rmSync(directory, { recursive: true })
    return { frames, missingNames: symbols.missingNames }
  }

  it('omits the lines of functions whose debug information is missing', async () => {
    const { frames } = await framesOf('gcc4/libshop.so', 'gcc4/part1.dwo')
    const missing = frames.filter(([frame]) => frame?.missing !== undefined && frame.function !== undefined)
    expect(missing.length).toBeGreaterThan(5)
    for (const chain of missing) {
      expect(chain).toMatchObject([{ missing: 'gcc4/part2.dwo' }])
      expect(chain[0]).not.toHaveProperty('line')
    }
    const whole = frames.filter(([frame]) => frame?.missing === undefined)
    expect(whole.some((chain) => chain.length > 2 && chain.every(({ line }) => line !== undefined))).toBe(true)
  })

  it('does not use debug information from another build', async () => {
    const { frames } = await framesOf(
      'gcc4/libshop.so',
      'clang5/part1.dwo',
      'clang5/part2.dwo',
      'packed4/libshop.so.dwp as lib.so.dwp',
    )
    const named = frames.filter((chain) => chain.at(-1)?.function !== undefined)
    expect(named.length).toBeGreaterThan(20)
    expect(named.every((chain) => chain.every(({ line }) => line === undefined))).toBe(true)
    const other = await framesOf('dwz/liba.so', 'dwz/liba.so as common.dwz')
    expect(other.missingNames).toBe('common.dwz')
  })

  it('finds lines if only names are missing (dwz), and reports the missing file', async () => {
    const { frames, missingNames } = await framesOf('dwz/liba.so')
    expect(missingNames).toBe('common.dwz')
    expect(frames.flat().some(({ function: name, line }) => name === undefined && line !== undefined)).toBe(true)
    expect((await framesOf('dwz/liba.so', 'dwz/common.dwz')).missingNames).toBeUndefined()
  })
})

describe('units that contain each other', () => {
  const path = 'units/turns-dwarf'
  const expected = readExpected(`${path}.arm64.expected.json`)

  it('finds the unit although the ranges overlap', async () => expect(await compare(path, expected)).toEqual([]))
})

describe('openNativeSymbols', () => {
  it('shows inlined calls, innermost first', async () => {
    const symbols = await openNativeSymbols(openBinary(join(SYMBOLS, 'native/armeabi-v7a/libshop.so')))
    expect(symbols.lookUp(0x12e4)).toMatchObject([
      { function: 'shop::unit(int)', file: './crash.cpp', line: 7 },
      { function: 'shop::Line::price() const', file: './crash.cpp', line: 8 },
    ])
    expect(symbols).toMatchObject({
      format: 'elf',
      id: '1d767e431d531a0c9c2df6bff328bbb67b22df1d',
      hasDebugInfo: true,
    })
    expect(symbols.lookUp(0)).toEqual([])
  })

  it('counts the bytes read from a file, for its cache', async () => {
    const path = join(SYMBOLS, 'rich/dwarf5-arm64.so')
    const symbols = await openNativeSymbols(openBinary(path))
    const before = symbols.weight
    for (const [address] of readExpected('rich/dwarf5-arm64.so.expected.json').at) symbols.lookUp(address)
    expect(symbols.weight).toBeGreaterThan(before)
    expect(symbols.weight).toBeLessThan(10 * readFileSync(path).length)
    symbols.close()
  })

  it('omits inlined code without a name and a line, but shows inlined code with a line', async () => {
    const symbols = await openNativeSymbols(openBinary(join(SYMBOLS, 'nameless/nameless-x86_64.so')))
    expect(symbols.lookUp(0x1310)).toEqual([
      { file: './nameless.c', line: 4, column: 8 },
      { function: 'pay', file: './nameless.c', line: 10, column: 3 },
    ])
    expect(symbols.lookUp(0x131a)).toEqual([{ function: 'pay', file: './nameless.c', line: 11, column: 3 }])
  })

  it('refuses a file that is not native, and a missing architecture', async () => {
    await expect(openNativeSymbols(binaryOf(Buffer.from('hello, world')))).rejects.toThrow(BinaryError)
    const shop = openBinary(join(SYMBOLS, 'apple/Shop.framework.dSYM/Contents/Resources/DWARF/Shop'))
    await expect(openNativeSymbols(shop, { arch: 'armv7' })).rejects.toThrow('does not contain the architecture armv7')
  })
})

describe('a damaged file', () => {
  it.each([
    'rich/dwarf5-arm64.so',
    'rich/dwarf4-arm.so',
    'rich/lto-arm64.so',
    'rich/zlib-x86_64.so',
    'rich/zstd-x86_64.so',
    'apple/shop-arm64.dylib.dSYM/Contents/Resources/DWARF/shop-arm64.dylib',
    'wasm/debug-O2.wasm',
    'wasm/names.wasm',
    'beside/mini/libshop.so',
  ])('returns only a BinaryError or different frames after a bit flip: %s', async (path) => {
    const whole = readFileSync(join(SYMBOLS, path))
    const random = randomOf(whole.length)
    for (let round = 0; round < 10; round++) {
      const bytes = Buffer.from(whole)
      for (let flips = 1 + random(12); flips > 0; flips--) bytes[random(bytes.length)] = random(256)
      try {
        const symbols = await openNativeSymbols(binaryOf(bytes))
        for (let address = 0x100; address < 0x6000; address += 250) {
          try {
            expect(symbols.lookUp(address).length).toBeLessThan(600)
          } catch (error) {
            expect(error).toBeInstanceOf(BinaryError)
          }
        }
        symbols.close()
      } catch (error) {
        expect(error).toBeInstanceOf(BinaryError)
      }
    }
  })

  it.each([
    ['beside/gcc4/libshop.so', 'beside/gcc4/part1.dwo'],
    ['beside/clang5/libshop.so', 'beside/clang5/part1.dwo'],
    ['beside/packed4/libshop.so', 'beside/packed4/libshop.so.dwp'],
    ['beside/packed5/libshop.so', 'beside/packed5/libshop.so.dwp'],
    ['beside/dwz/liba.so', 'beside/dwz/common.dwz'],
  ])('returns only a BinaryError or different frames for %s after a bit flip in %s', async (library, companion) => {
    const whole = readFileSync(join(SYMBOLS, companion))
    const { at } = readExpected(`${library}.expected.json`)
    const random = randomOf(whole.length)
    for (let round = 0; round < 8; round++) {
      const bytes = Buffer.from(whole)
      for (let flips = 1 + random(12); flips > 0; flips--) bytes[random(bytes.length)] = random(256)
      const damaged = binaryOf(bytes)
      const isPackage = companion.endsWith('.dwp')
      const companions = {
        package: () => (isPackage ? damaged : undefined),
        split: () => (isPackage ? [] : [damaged]),
        supplement: () => [damaged],
      }
      const symbols = await openNativeSymbols(openBinary(join(SYMBOLS, library)), { companions })
      for (const [address] of at.slice(0, 40)) {
        try {
          expect(symbols.lookUp(address).length).toBeLessThan(600)
        } catch (error) {
          expect(error).toBeInstanceOf(BinaryError)
        }
      }
      symbols.close()
    }
  })
})

it.each(['$s4shop3taxSii', '_TF4shop3taxSiT'])(
  'replaces the unreadable Swift name %s with a plain name if one exists',
  async (mangled) => {
    const bytes = readFileSync(join(SYMBOLS, 'rich/dwarf5-arm64.so')).toString('latin1')
    const renamed = bytes.replaceAll('_ZN4shop3taxEli', mangled.padEnd(15, '\0'))
    const symbols = await openNativeSymbols(binaryOf(Buffer.from(renamed, 'latin1')))
    expect(symbols.lookUp(symbols.addressOf(mangled) as number).at(-1)?.function).toBe('tax')
    symbols.close()
  },
)
