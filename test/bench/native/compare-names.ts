// node scripts/run.js test/bench/native/compare-names.ts [--show N] <files with a mangled C++ name a line>…
//
// C++ names as we and as llvm-cxxfilt 19 demangle them. Where to get many: `llvm-nm -j --format=just-symbols` of any library. Fails on a difference.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { demangle } from '../../../packages/symbolicate/src/demangle/demangle.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'string', default: '20' } },
})
// Longer ones are shown as they are, on purpose; names of old Rust are Rust's.
const MAX_NAME = 8 * 1024
const RUST = /17h[0-9a-f]{16}E/
const lines = positionals.flatMap((path) => readFileSync(path, 'utf8').split('\n'))
const names = [...new Set(lines)].filter((name) => /^_Z/.test(name) && name.length <= MAX_NAME && !RUST.test(name))
const theirs = execFileSync('llvm-cxxfilt-19', { input: `${names.join('\n')}\n`, maxBuffer: 2 ** 31 - 1 })
  .toString()
  .split('\n')
let different = 0
let tooLong = 0
for (const [index, name] of names.entries()) {
  const ours = demangle(name)
  if (ours === theirs[index]) continue
  if (ours === name && (theirs[index] as string).length > 32 * 1024) tooLong++
  else if (different++ < Number(values.show)) console.log(`${name}\n  ours ${ours}\n  LLVM ${theirs[index]}`)
}
console.log(`${names.length} names compared, ${different} different, ${tooLong} longer than we show`)
if (different > 0) process.exitCode = 1
