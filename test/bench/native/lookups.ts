// node scripts/run.js test/bench/native/lookups.ts [--repeat N] <large ELF or Mach-O file with debug information>
//
// One frame, and 400 frames at random addresses of the code, each in a fresh process: time from opening the file, and memory beyond an
// idle process; llvm-symbolizer 19 answers the same 400 for comparison, its start included. Medians. Fails when the first frame takes more than 0.3 s or 60 MB, or 400 more
// time than llvm-symbolizer.
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { openBinary, readElfLayout } from '../../../packages/core/src/internal.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repeat: { type: 'string', default: '5' } },
})
const [file] = positionals
if (file === undefined) throw new Error('names no file')
const root = resolve(import.meta.dirname, '../../..')
const addresses = randomAddresses(file, 400)
const ours = await program('lookups', lookups())
const idle = await program('idle', '')
const base = median(() => run(idle, [])).megabytes
const one = median(() => run(ours, [file, ...addresses.slice(0, 1)]))
const all = median(() => run(ours, [file, ...addresses]))
const peer = median(llvm)
let isOver = false
print('first frame', one.milliseconds, one.megabytes - base, { milliseconds: 300, megabytes: 60 })
print('400 frames', all.milliseconds, all.megabytes - base, { milliseconds: peer.milliseconds })
print('  llvm-symbolizer', peer.milliseconds, peer.megabytes, {})
if (isOver) process.exitCode = 1

interface Cost {
  milliseconds: number
  megabytes: number
}

function print(name: string, milliseconds: number, megabytes: number, limit: Partial<Cost>): void {
  const over = milliseconds > (limit.milliseconds ?? Infinity) || megabytes > (limit.megabytes ?? Infinity)
  if (over) isOver = true
  console.log(
    `${name.padEnd(20)} ${milliseconds.toFixed(0).padStart(6)} ms ${megabytes.toFixed(0).padStart(5)} MB${over ? '  OVER' : ''}`,
  )
}

function lookups(): string {
  return `import { openBinary } from '${root}/packages/core/src/internal.ts'
import { openNativeSymbols } from '${root}/packages/symbolicate/src/dwarf/native-symbols.ts'
const [file, ...addresses] = process.argv.slice(2)
const start = performance.now()
const symbols = await openNativeSymbols(openBinary(file))
for (const address of addresses) symbols.lookUp(Number(address))
console.log('time ' + (performance.now() - start))`
}

function run(program: string, args: readonly string[]): Cost {
  const said = execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', maxBuffer: 1e8 })
  return {
    milliseconds: Number(/^time ([\d.]+)/m.exec(said)?.[1] ?? 0),
    megabytes: Number(/^peak (\d+)/m.exec(said)?.[1]) / 1024,
  }
}

function llvm(): Cost {
  const start = performance.now()
  const input = `${addresses.join('\n')}\n`
  const said = execFileSync(
    'bash',
    ['-c', 'llvm-symbolizer-19 --obj="$0" --inlines >/dev/null & p=$!; wait $p', file as string],
    { input, encoding: 'utf8' },
  )
  return { milliseconds: performance.now() - start, megabytes: said.length }
}

function median(measure: () => Cost): Cost {
  const runs = Array.from({ length: Number(values.repeat) }, measure)
  const middle = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] as number
  return {
    milliseconds: middle(runs.map((it) => it.milliseconds)),
    megabytes: middle(runs.map((it) => it.megabytes)),
  }
}

function randomAddresses(path: string, count: number): string[] {
  const source = openBinary(path)
  const text = readElfLayout(source).sections.find(({ name }) => name === '.text')
  source.close()
  if (!text) throw new Error('it has no code')
  let state = 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return `0x${(text.address + Math.floor((state / 2 ** 32) * text.size)).toString(16)}`
  })
}

async function program(name: string, code: string): Promise<string> {
  const outfile = join(root, `node_modules/.cache/symup/bench-lookups/${name}.mjs`)
  const contents = `${code}\nconsole.log('peak ' + process.resourceUsage().maxRSS)`
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['symup-source'],
    banner: { js: "import { createRequire as $c } from 'node:module'; const require = $c(import.meta.url)" },
  })
  return outfile
}
