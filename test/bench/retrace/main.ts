// Time and memory for a stack with a 100 MB mapping: `node scripts/run.js test/bench/retrace/main.ts [megabytes]`.
// Compared in the same run with ProGuard's ReTrace, if Debian's proguard-cli is installed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeMapping } from './mapping.ts'

const MIB = 1024 * 1024
const megabytes = Number(process.argv[2] ?? 100)
/** The project's promise: with a mapping of 63 MB, the first stack takes half a second of processor time. */
const LIMITS = {
  first: 2000,
  firstProcessor: (500 / 63) * megabytes,
  slowestOther: 50,
  processor: 50,
  again: 50,
  peakBytes: 300 * MIB,
}
const RETRACE = ['/usr/share/java/retrace.jar', '/usr/share/java/proguard.jar']

const directory = mkdtempSync(join(tmpdir(), 'symup-bench-retrace-'))
try {
  const mapping = join(directory, 'mapping.txt')
  const framesFile = join(directory, 'frames.json')
  const { bytes, classes, frames } = await writeMapping(mapping, megabytes * 1_000_000)
  writeFileSync(framesFile, JSON.stringify(frames))
  console.log(
    `mapping: ${(bytes / 1e6).toFixed(0)} MB, ${classes} classes; load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors`,
  )

  const args = [
    '--conditions=symup-source',
    '--import',
    import.meta.resolve('tsx'),
    join(import.meta.dirname, 'answer.ts'),
  ]
  const measured = JSON.parse(
    execFileSync(process.execPath, [...args, mapping, framesFile], { encoding: 'utf8' }),
  ) as typeof LIMITS & { places: string[] }
  let kept = true
  const report = (what: string, value: number, limit: number, unit: string) => {
    kept &&= value <= limit
    console.log(`${what.padEnd(34)} ${value.toFixed(0).padStart(6)} ${unit}  (limit ${limit} ${unit})`)
  }
  report('first stack, index included', measured.first, LIMITS.first, 'ms')
  report('  processor time of it', measured.firstProcessor, LIMITS.firstProcessor, 'ms')
  report('slowest of 20 other stacks', measured.slowestOther, LIMITS.slowestOther, 'ms')
  report('processor time of one of them', measured.processor, LIMITS.processor, 'ms')
  report('the first stack again', measured.again, LIMITS.again, 'ms')
  report('peak memory of the process', measured.peakBytes / MIB, LIMITS.peakBytes / MIB, 'MiB')

  if (RETRACE.every(existsSync)) {
    const stack = join(directory, 'stack.txt')
    // The same frames as ours: see answer.ts.
    const chosen = Array.from({ length: 50 }, (_, index) => frames[(index * 19) % frames.length])
    writeFileSync(stack, `x.Y: message\n${chosen.join('\n')}\n`)
    const started = performance.now()
    const output = execFileSync('java', ['-cp', RETRACE.join(':'), 'proguard.retrace.ReTrace', mapping, stack], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const theirs = performance.now() - started
    console.log(
      `ReTrace, one stack                 ${theirs.toFixed(0).padStart(6)} ms  (${(theirs / measured.first).toFixed(1)} × our first)`,
    )
    const places = [...output.matchAll(/^\s+at (\S+)\([^:)]*:(\d+)\)/gm)].map(([, name, line]) => `${name}:${line}`)
    const different = places.filter((place, nth) => place !== measured.places[nth])
    const [example = ''] = different
    console.log(
      `the same stack of ${chosen.length} frames: ReTrace has ${places.length}, we ${measured.places.length}; ${different.length} differ ${example}`,
    )
    kept &&= different.length === 0 && places.length === measured.places.length
  } else console.log('ReTrace is not installed (Debian: proguard-cli): no comparison')
  process.exitCode = kept ? 0 : 1
} finally {
  rmSync(directory, { recursive: true })
}
