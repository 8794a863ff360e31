// node scripts/run.js test/bench/native/compare.ts [--addresses N] [--seed N] [--show N] <ELF or Mach-O files with debug information>…
//
// Compares every frame at random addresses of the code with llvm-symbolizer 19: function, file, line and column, including inlined calls.
// Fails on a difference. Names are taken from llvm-symbolizer mangled and demangled by us; compare-names.ts compares demangling. LLVM omits
// what dwz moved to another file. If `<file>.whole` exists (the library before dwz), LLVM reads that instead.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { demangle } from '@symup/demangle'
import { BinaryError, describeMachO, openBinary, readElfLayout } from '../../../packages/core/src/resolving.ts'
import { companionsOf } from '../../../packages/symbolicate/src/dwarf/companions.ts'
import { openNativeSymbols } from '../../../packages/symbolicate/src/dwarf/native-symbols.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    addresses: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '5' },
  },
})
const EXECUTABLE = 4
let state = Number(values.seed)
let compared = 0
let different = 0
let images = 0
for (const path of positionals) {
  for (const { arch, ranges } of codeOf(path)) await compare(path, arch, ranges)
}
console.log(`${compared} addresses of ${images} images compared, ${different} different`)
if (different > 0) process.exitCode = 1

interface Code {
  arch?: string
  ranges: { low: number; size: number }[]
}

function codeOf(path: string): Code[] {
  const source = openBinary(path)
  try {
    if (source.read(0, 4).readUInt32BE(0) === 0x7f454c46) {
      const sections = readElfLayout(source).sections.filter(({ flags, size }) => flags & EXECUTABLE && size > 0)
      return [{ ranges: sections.map(({ address, size }) => ({ low: address, size })) }]
    }
    return describeMachO(source).map(({ arch, sections }) => ({
      arch,
      ranges: sections.flatMap(({ name, address, size }) => (name === '__text' ? [{ low: address, size }] : [])),
    }))
  } finally {
    source.close()
  }
}

async function compare(path: string, arch: string | undefined, ranges: Code['ranges']): Promise<void> {
  const total = ranges.reduce((sum, { size }) => sum + size, 0)
  if (total === 0) return
  images++
  const addresses = Array.from({ length: Math.min(Number(values.addresses), total) }, () => {
    let at = Math.floor(random() * total)
    for (const { low, size } of ranges) {
      if (at < size) return low + at
      at -= size
    }
    return 0
  })
  const theirs = llvm(path, arch, addresses)
  const choice = { companions: companionsOf(path), ...(arch !== undefined && { arch }) }
  const symbols = await openNativeSymbols(openBinary(path), choice)
  let wrong = 0
  for (const [index, address] of addresses.entries()) {
    const ours = JSON.stringify(ask(address))
    compared++
    if (ours === theirs[index] || isBetterNamed(ours, theirs[index] as string)) continue
    if (wrong++ < Number(values.show)) {
      console.log(`${basename(path)} 0x${address.toString(16)}\n  ours ${ours}\n  LLVM ${theirs[index]}`)
    }
  }
  different += wrong
  console.log(`${String(wrong).padStart(6)} of ${addresses.length} different: ${path} ${arch ?? ''}`)
  symbols.close()

  function ask(address: number): unknown {
    try {
      const frames = symbols.lookUp(address)
      return frames.map(({ function: name, file, line, column }) => [name ?? '', file ?? '', line ?? 0, column ?? 0])
    } catch (error) {
      if (error instanceof BinaryError) return error.message
      throw error
    }
  }
}

function llvm(path: string, arch: string | undefined, addresses: readonly number[]): string[] {
  const whole = `${path}.whole`
  const options = [
    `--obj=${existsSync(whole) ? whole : path}`,
    '--no-demangle',
    '--output-style=JSON',
    ...(arch ? [`--default-arch=${arch}`] : []),
  ]
  const input = addresses.map((address) => `0x${address.toString(16)}\n`).join('')
  const output = execFileSync('llvm-symbolizer-19', options, { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const { Symbol: found = [] } = JSON.parse(line) as {
        Symbol?: { FunctionName: string; FileName: string; Line: number; Column: number }[]
      }
      const frames = found.filter((it) => it.FunctionName || it.FileName).filter(isShown)
      return JSON.stringify(frames.map((it) => [demangle(it.FunctionName), it.FileName, it.Line, it.Column]))
    })
}

/** Frames with neither a name nor a line are omitted, except the function itself. */
function isShown(frame: { FunctionName: string; Line: number }, index: number, all: readonly unknown[]): boolean {
  return frame.FunctionName !== '' || frame.Line > 0 || index === all.length - 1
}

/**
 * Whether only names differ that LLVM leaves mangled: Dart's, and Swift names that we cannot read, either. Hidden names
 * lose an underscore in LLVM's output.
 */
function isBetterNamed(ours: string, theirs: string): boolean {
  const known = JSON.parse(ours) as [string, ...unknown[]][]
  const other = JSON.parse(theirs) as [string, ...unknown[]][]
  const named = other.map(([name, ...rest], index) =>
    /^(?:Precompiled_|\$[sS]|_T[0A-Z]|_hidden#)/.test(name) ? [known[index]?.[0], ...rest] : [name, ...rest],
  )
  return JSON.stringify(named) === ours
}

function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}
