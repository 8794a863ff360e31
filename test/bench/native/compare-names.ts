// node scripts/run.js test/bench/native/compare-names.ts [--show N] <files with one mangled C++ name per line>…
//
// Compares our demangling of C++ and Rust names with that of llvm-cxxfilt 19, and fails on a difference.
// `llvm-nm -j --format=just-symbols` prints many names of any library. llvm-cxxfilt treats Rust's old names as C++, so
// rustfilt's rules are applied to its output (the hash is removed, escapes are resolved).
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { demangle } from '@symup/demangle'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'string', default: '20' } },
})
// Longer names stay mangled on purpose.
const MAX_NAME = 8 * 1024
const OLD_RUST = /^_ZN.*17h[0-9a-f]{16}E/
const ESCAPES: Record<string, string> = { SP: '@', BP: '*', RF: '&', LT: '<', GT: '>', LP: '(', RP: ')', C: ',' }
const lines = positionals.flatMap((path) => readFileSync(path, 'utf8').split('\n'))
const names = [...new Set(lines)].filter((name) => /^_[ZR]/.test(name) && name.length <= MAX_NAME)
const theirs = execFileSync('llvm-cxxfilt-19', { input: `${names.join('\n')}\n`, maxBuffer: 2 ** 31 - 1 })
  .toString()
  .split('\n')
let different = 0
let tooLong = 0
for (const [index, name] of names.entries()) {
  const ours = demangle(name)
  if (ours === asRust(name, theirs[index] as string)) continue
  if (ours === name && (theirs[index] as string).length > 32 * 1024) tooLong++
  else if (different++ < Number(values.show)) console.log(`${name}\n  ours ${ours}\n  LLVM ${theirs[index]}`)
}
console.log(`${names.length} names compared, ${different} different, ${tooLong} longer than we show`)
if (different > 0) process.exitCode = 1

/** Applies rustfilt's rules to a Rust name; a C++ name stays as LLVM prints it. */
function asRust(name: string, printed: string): string {
  const isOld = OLD_RUST.test(name)
  if (!isOld && !name.startsWith('_R')) return printed
  // Ignore the suffix of parts that LLVM moved into separate functions.
  const whole = printed.replace(/ \((\.[^()]*)\)$/, (_, suffix: string) => suffix.replace(/\.llvm\.[0-9A-F]+/, ''))
  if (!isOld) return whole
  return whole
    .replace(/::h[0-9a-f]{16}(?=$|\.)/, '')
    .replace(/(^|::)_\$/g, '$1$')
    .replace(/\$(?:u([0-9a-f]{1,6})|(SP|BP|RF|LT|GT|LP|RP|C))\$|\.\./g, (_, hex?: string, word?: string) =>
      hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : word ? (ESCAPES[word] as string) : '::',
    )
}
