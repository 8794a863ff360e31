// node scripts/run.js test/bench/native/main.ts [--repeat N]
//
// The cost of reading ids beyond an idle Node process: the build id of a 5 GB library, the UUIDs of a 1 GB dSYM, a
// directory of 500 libraries. The peer is elfy, which reads whole files, where a file fits. Each row is the median of
// many fresh processes, taken in turns. Time starts at the first line of the program, so slow process starts on a busy
// machine are excluded. The large files are sparse. Fails if a figure exceeds its limit.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { type ElfShape, elfPieces } from '../../../packages/core/src/formats/elf/elf.fixture.ts'

const { values } = parseArgs({ options: { repeat: { type: 'string', default: '21' } } })
const root = resolve(import.meta.dirname, '../../..')
const cache = join(root, 'node_modules/.cache/symup/bench-native')
const GIB = 2 ** 30
const MIB = 2 ** 20

rmSync(cache, { recursive: true, force: true })
mkdirSync(join(cache, 'libs'), { recursive: true })
const library = writeLibrary('large.so', 5 * GIB)
const smaller = writeLibrary('smaller.so', 200 * MIB)
const dsym = writeDsym()
for (let index = 0; index < 500; index++) writeLibrary(`libs/lib${index}.so`, 4 * MIB)

const core = join(root, 'packages/core/src/formats')
const idle = await program('idle', '')
const elf = await program(
  'elf',
  `import { readElf } from '${core}/elf/elf.ts'; console.log((await readElf(process.argv[2])).buildId)`,
)
const machO = await program(
  'mach-o',
  `import { readMachO } from '${core}/mach-o/mach-o.ts'; console.log((await readMachO(process.argv[2])).map((it) => it.uuid).join())`,
)
const all = `import { readdirSync } from 'node:fs'; const files = readdirSync(process.argv[2]).map((name) => process.argv[2] + '/' + name)`
const many = await program(
  'many',
  `${all}; import { readElf } from '${core}/elf/elf.ts'; for (const file of files) await readElf(file)`,
)
const elfy = JSON.stringify(createRequire(import.meta.url).resolve('elfy'))
const peer = await program(
  'elfy',
  `import elfy from ${elfy}; import { readFileSync } from 'node:fs'; console.log(elfy.parse(readFileSync(process.argv[2])).class)`,
)
const peerMany = await program(
  'elfy-many',
  `${all}; import elfy from ${elfy}; import { readFileSync } from 'node:fs'; for (const file of files) elfy.parse(readFileSync(file))`,
)

const rows: Row[] = [
  { name: 'build-id of a 5 GB library', run: [elf, library], limit: { milliseconds: 20, megabytes: 5 } },
  { name: 'build-id of a 200 MB library', run: [elf, smaller], limit: { milliseconds: 20, megabytes: 5 } },
  { name: '  elfy', run: [peer, smaller] },
  { name: 'UUIDs of a 1 GB dSYM', run: [machO, dsym], limit: { milliseconds: 30, megabytes: 8 } },
  { name: '500 libraries of 4 MB', run: [many, join(cache, 'libs')] },
  { name: '  elfy', run: [peerMany, join(cache, 'libs')] },
]
const [base = { wall: 0, peak: 0 }, ...costs] = measure([[idle, ''], ...rows.map(({ run }) => run)])
console.log(`an idle process has ${base.peak.toFixed(1)} MB; the rows below are beyond that`)
for (const [index, row] of rows.entries()) print(row, costs[index] as Cost)
rmSync(cache, { recursive: true })

interface Cost {
  /** Milliseconds from the first line of the program to its end. */
  wall: number
  /** Largest resident set in MB. */
  peak: number
}

interface Row {
  name: string
  /** Program and its argument. */
  run: readonly [file: string, argument: string]
  limit?: { milliseconds: number; megabytes: number }
}

function print({ name, limit }: Row, cost: Cost): void {
  const milliseconds = cost.wall - base.wall
  const megabytes = cost.peak - base.peak
  const isOver = limit !== undefined && (milliseconds > limit.milliseconds || megabytes > limit.megabytes)
  if (isOver) process.exitCode = 1
  const allowed = limit ? `  limit ${limit.milliseconds} ms, ${limit.megabytes} MB${isOver ? '  OVER' : ''}` : ''
  console.log(
    `${name.padEnd(30)} ${milliseconds.toFixed(1).padStart(8)} ms ${megabytes.toFixed(1).padStart(7)} MB${allowed}`,
  )
}

function measure(programs: readonly (readonly [file: string, argument: string])[]): Cost[] {
  const costs = programs.map((): Cost[] => [])
  for (let nth = 0; nth < Number(values.repeat); nth++) {
    for (const [index, [file, argument]] of programs.entries()) {
      const output = execFileSync(process.execPath, [file, argument], { encoding: 'utf8' })
      const [, wall, kilobytes] = /cost ([\d.]+) (\d+)$/m.exec(output) as unknown as [string, string, string]
      costs[index]?.push({ wall: Number(wall), peak: Number(kilobytes) / 1024 })
    }
  }
  const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] as number
  return costs.map((runs) => ({
    wall: median(runs.map(({ wall }) => wall)),
    peak: median(runs.map(({ peak }) => peak)),
  }))
}

/** One file without TypeScript, like the published one. */
async function program(name: string, code: string): Promise<string> {
  const outfile = join(cache, `${name}.mjs`)
  const contents = `${code}\nprocess.on('exit', () => console.log('cost ' + (performance.now() - $start) + ' ' + process.resourceUsage().maxRSS))`
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "const $start = performance.now(); import { createRequire as $c } from 'node:module'; const require = $c(import.meta.url)",
    },
  })
  return outfile
}

function writeLibrary(name: string, headersAt: number): string {
  const shape: ElfShape = {
    bits: 64,
    little: true,
    machine: 183,
    idBytes: 20,
    notesBefore: 1,
    notesAfter: 0,
    segmentsOnly: false,
    noteSection: '.note.gnu.build-id',
    headersAt,
  }
  return writePieces(name, elfPieces(shape))
}

/** A dSYM with two architectures, the second at 1 GB. */
function writeDsym(): string {
  const apple = join(root, 'fixtures/symbols/apple')
  const file = (name: string, binary: string) => readFileSync(join(apple, name, 'Contents/Resources/DWARF', binary))
  const slices = [
    { at: 0x4000, bytes: file('shop-arm64.dylib.dSYM', 'shop-arm64.dylib'), cpu: 0x0100000c },
    { at: GIB, bytes: file('more/shop-macx64.dylib.dSYM', 'shop-macx64.dylib'), cpu: 0x01000007 },
  ]
  const header = Buffer.alloc(8 + 32 * slices.length)
  header.writeUInt32BE(0xcafebabf, 0)
  header.writeUInt32BE(slices.length, 4)
  for (const [index, { at, bytes, cpu }] of slices.entries()) {
    header.writeUInt32BE(cpu, 8 + 32 * index)
    header.writeBigUInt64BE(BigInt(at), 16 + 32 * index)
    header.writeBigUInt64BE(BigInt(bytes.length), 24 + 32 * index)
  }
  return writePieces('large-dsym', [{ at: 0, bytes: header }, ...slices])
}

function writePieces(name: string, pieces: readonly { at: number; bytes: Buffer }[]): string {
  const path = join(cache, name)
  writeFileSync(path, '')
  const file = openSync(path, 'r+')
  for (const { at, bytes } of pieces) writeSync(file, bytes, 0, bytes.length, at)
  closeSync(file)
  return path
}
