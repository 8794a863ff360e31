import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { binaryOf, openBinary } from '@symup/core/resolving'
import { expect, it, onTestFinished } from 'vitest'
import { openNativeSymbols } from './native-symbols.ts'

const LIBRARIES = resolve(import.meta.dirname, '../../../../fixtures/symbols/gc-sections')

it.each([2, 4, 5])('finds no address for code that the linker discarded, in DWARF %i', async (version) => {
  const symbols = await openNativeSymbols(openBinary(resolve(LIBRARIES, `dwarf${version}-x86_64.so`)))
  onTestFinished(() => symbols.close())
  const found = [0x1020, 0x1023, 0x1024, 0x1025, 0x1035, 0x1036].map((address) => {
    const [frame] = symbols.lookUp(address)
    return `${frame?.function} ${frame?.file}:${frame?.line}`
  })
  expect(found).toEqual([
    'keep_me /src/live.c:4',
    'keep_me /src/live.c:4',
    'keep_me /src/live.c:5',
    'keep_two /src/live.c:12',
    'keep_two /src/live.c:14',
    'used_b /src/dead.c:2',
  ])
  expect([0, 8, 0x800].map((address) => symbols.lookUp(address))).toEqual([[], [], []])
})

it.each([
  ['at-zero-x86_64', [0, 0x13, 0x1b, 0x30], ['keep_me 2', 'keep_me 4', 'keep_two 12', 'keep_two 13']],
  ['lld-0-x86_64', [0x201200], ['keep_two 13']],
  ['lld-0xffffffffffffffff-x86_64', [0x201200], ['keep_two 13']],
])('discarded code does not hide code in %s', async (file, addresses, wanted) => {
  const symbols = await openNativeSymbols(openBinary(resolve(LIBRARIES, file)))
  onTestFinished(() => symbols.close())
  const outermost = addresses.map((address) => symbols.lookUp(address).at(-1))
  expect(outermost.map((frame) => `${frame?.function} ${frame?.line}`)).toEqual(wanted)
})

it.each([0xffffffff, 0])(
  'finds no address for code that the WebAssembly linker discarded and marked with %i',
  async (mark) => {
    const module = readFileSync(resolve(LIBRARIES, 'dwarf5-wasm32.wasm'))
    // Patches the address of the only function. LLVM before version 11 wrote 0.
    for (let at = 0; at + 4 <= module.length; at++)
      if (module.readUInt32LE(at) >= 0xfffffffe) module.writeUInt32LE(mark, at)
    const symbols = await openNativeSymbols(binaryOf(module))
    expect([0, 3, 33, 57].map((address) => symbols.lookUp(address)[0]?.line)).toEqual([undefined, 7, 8, 9])
  },
)
