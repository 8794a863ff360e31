import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { demangle } from './index.ts'

const NAMES = join(import.meta.dirname, '../../../fixtures/symbols/names')

it.each([
  // Each code in the Itanium C++ ABI at least once, compiler-generated names, and invalid names. Expected: the output of llvm-cxxfilt 19.
  ['itanium.txt', 850],
  // Every code in Swift's mangling at least once, in names made for this test. Expected: the simplified output of Swift's NodePrinter.
  ['swift-codes.txt', 345],
  // Expected: the output of the demangler in Swift 6.3.1. The later names distinguish it from demanglers with a single difference.
  ['swift.txt', 300],
  // Rust: the output of rustc-demangle without the final hash. Kotlin: names from crash reports of Multiplatform apps.
  ['rust-and-kotlin.txt', 10],
])('demangles every name in %s like the tools of its language', (file, least) => {
  const pairs = readFileSync(join(NAMES, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, string])
  expect(pairs.length).toBeGreaterThan(least)
  expect(Object.fromEntries(pairs.map(([name]) => [name, demangle(name)]))).toEqual(Object.fromEntries(pairs))
})
