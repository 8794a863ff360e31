// node scripts/run.js test/bench/native/lookups.ts [--repeat N] <large ELF file with debug information>
//
// One frame, and 400 frames at random addresses of the code, each in a fresh process: processor time and peak memory beyond an idle process.
// llvm-symbolizer 19 answers the same 400 for comparison. All take turns; the best of the rounds. Compressed sections count as their inflating does: bring a file without.
// Fails when the first frame takes more than 0.3 s or 60 MB, or 400 more time than llvm-symbolizer.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { idleProgram, randomAddresses, readerProgram } from './reader.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repeat: { type: 'string', default: '5' } },
})
const [file] = positionals
if (file === undefined) throw new Error('names no file')
const addresses = randomAddresses(file, 400)
const ours = await readerProgram()
const idle = await idleProgram()
const [base, first, many, peer] = inTurns([
  [process.execPath, idle],
  [process.execPath, ours, file, ...addresses.slice(0, 1)],
  [process.execPath, ours, file, ...addresses],
  ['llvm-symbolizer-19', `--obj=${file}`, '--inlines', ...addresses],
]) as [Cost, Cost, Cost, Cost]
const one = beyond(base, first)
const all = beyond(base, many)
let isOver = false
print('first frame', one, { milliseconds: 300, megabytes: 60 })
print('400 frames', all, { milliseconds: peer.milliseconds })
print('  llvm-symbolizer', peer, {})
if (isOver) process.exitCode = 1

interface Cost {
  /** Of the processor: other work on the machine does not count. */
  milliseconds: number
  megabytes: number
}

function print(name: string, { milliseconds, megabytes }: Cost, limit: Partial<Cost>): void {
  const over =
    milliseconds > (limit.milliseconds ?? Number.POSITIVE_INFINITY) ||
    megabytes > (limit.megabytes ?? Number.POSITIVE_INFINITY)
  if (over) isOver = true
  console.log(
    `${name.padEnd(20)} ${milliseconds.toFixed(0).padStart(6)} ms ${megabytes.toFixed(0).padStart(5)} MB${over ? '  OVER' : ''}`,
  )
}

function beyond(base: Cost, cost: Cost): Cost {
  return { milliseconds: cost.milliseconds - base.milliseconds, megabytes: cost.megabytes - base.megabytes }
}

/** The least of each command's rounds: what else the machine does only adds to them. */
function inTurns(commands: readonly (readonly string[])[]): Cost[] {
  const rounds = Array.from({ length: Number(values.repeat) }, () => commands.map(costOf))
  return commands.map((_, index) => ({
    milliseconds: Math.min(...rounds.map((costs) => (costs[index] as Cost).milliseconds)),
    megabytes: Math.min(...rounds.map((costs) => (costs[index] as Cost).megabytes)),
  }))
}

/** Of a command, as GNU time tells it. */
function costOf(command: readonly string[]): Cost {
  const measured = spawnSync('/usr/bin/time', ['-f', 'cost %U %S %M', ...command], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  const [, user, system, kilobytes] = /^cost ([\d.]+) ([\d.]+) (\d+)$/m.exec(measured.stderr) ?? []
  if (kilobytes === undefined || measured.status !== 0) throw new Error(`${command[0]} failed: ${measured.stderr}`)
  return { milliseconds: 1000 * (Number(user) + Number(system)), megabytes: Number(kilobytes) / 1024 }
}
