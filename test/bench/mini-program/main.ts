// node scripts/run.js test/bench/mini-program/main.ts [--repeat N]
//
// Packs and checks the largest archive that the limits allow, against `zip -6` and `unzip -t` on the same files in the same run: medians,
// and ratios to them. Needs GNU time at /usr/bin/time, zip and unzip.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { ENTRIES, makeWorkload } from './workload.ts'

const { values } = parseArgs({ options: { repeat: { type: 'string', default: '3' } } })
const root = resolve(import.meta.dirname, '../../..')
const cache = join(root, 'node_modules/.cache/symup/bench')
await mkdir(cache, { recursive: true })
const { directory, bytes } = await makeWorkload(cache)
console.log(`${ENTRIES} maps, ${(bytes / 1024 / 1024).toFixed(0)} MB, ${values.repeat} runs each`)

const place = mkdtempSync(join(tmpdir(), 'symup-bench-'))
const ours = join(cache, 'mini-program.mjs')
await build({
  entryPoints: [join(import.meta.dirname, 'ours.ts')],
  outfile: ours,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  conditions: ['symup-source'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: 'error',
})
const theirs = join(place, 'zip.zip')
const packed = join(place, 'symup.zip')
const node = process.execPath
compare('pack', ['zip', ['-q', '-6', '-r', theirs, '.', '-i', '*.js.map']], [node, [ours, 'pack', directory, packed]])
console.log(`archive: zip ${size(theirs)} MB, symup ${size(packed)} MB`)
compare('check', ['unzip', ['-tqq', packed]], [node, [ours, 'check', packed]])
rmSync(place, { recursive: true })

type Command = [program: string, args: string[]]

function compare(work: string, theirs: Command, ours: Command) {
  const [base, own] = [measure(theirs), measure(ours)]
  console.log(
    `${work}: ${theirs[0]} ${show(base)}; symup ${show(own)}; CPU ratio ${(own.cpu / base.cpu).toFixed(2)}, wall ratio ${(own.wall / base.wall).toFixed(2)}`,
  )
}

function measure([program, args]: Command) {
  const runs = Array.from({ length: Number(values.repeat) }, () => {
    // zip adds to an archive that is there.
    if (program === 'zip') rmSync(theirs, { force: true })
    const figures = join(place, 'time')
    execFileSync('/usr/bin/time', ['-f', '%U %S %e %M', '-o', figures, program, ...args], { cwd: directory })
    const [user = 0, system = 0, wall = 0, kilobytes = 0] = readFileSync(figures, 'utf8').trim().split(' ').map(Number)
    return { cpu: user + system, wall, peak: kilobytes / 1024 }
  })
  const median = (field: 'cpu' | 'wall' | 'peak') =>
    runs.map((run) => run[field]).sort((a, b) => a - b)[runs.length >> 1] as number
  return { cpu: median('cpu'), wall: median('wall'), peak: median('peak') }
}

function show({ cpu, wall, peak }: ReturnType<typeof measure>): string {
  return `${cpu.toFixed(2)} s CPU, ${wall.toFixed(2)} s, ${peak.toFixed(0)} MB`
}

function size(path: string): string {
  return (statSync(path).size / 1024 / 1024).toFixed(1)
}
