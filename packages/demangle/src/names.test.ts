import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { demangle } from './index.ts'

const NAMES = join(import.meta.dirname, '../../../fixtures/symbols/names')

it.each([
  // Each code of the Itanium C++ ABI at least once, names of compilers, and names that are none: what llvm-cxxfilt 19 prints.
  ['itanium.txt', 850],
  // Every code of Swift's mangling at least once, in names made for it: what Swift's NodePrinter writes, simplified.
  ['swift-codes.txt', 350],
  // What the demangler of Swift 6.3.1 prints. The later ones tell it from demanglers that differ in one place.
  ['swift.txt', 300],
  // Rust as rustc-demangle prints it, without the hash at the end. Kotlin's names are from crash reports of Multiplatform apps.
  ['rust-and-kotlin.txt', 10],
])('every name in %s is read as its language reads it', (file, least) => {
  const pairs = readFileSync(join(NAMES, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, string])
  expect(pairs.length).toBeGreaterThan(least)
  expect(Object.fromEntries(pairs.map(([name]) => [name, demangle(name)]))).toEqual(Object.fromEntries(pairs))
})
