// npm run bench -- --only many
//
// 10,000 distinct source maps with their scripts, asked at random, one question at a time, with a cache that holds 1 % of them: how long the slow questions take; and what memory
// is left after 10,000 frames and after a million. Maps of this size have no index that is kept (see decision 023), so a question that does not find its map in the cache makes one.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ArtifactSource, createSymbolicator } from '../../../packages/symbolicate/src/index.ts'
import { fractionsOf } from '../../support/random.ts'
import { makeWorkload } from '../upload/workloads.ts'
import { positionsIn } from './positions.ts'

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'symup-bench') },
    maps: { type: 'string', default: '10000' },
    frames: { type: 'string', default: '1000000' },
  },
})
const MAPS = Number(values.maps)
const FRAMES = Number(values.frames)
const QUESTIONS = 2000
/** Of a stack, for the memory. */
const STACK = 100
const FEW_FRAMES = 10_000
const MOST_SLOWER = 5
/** Of what is measured after garbage collection. */
const NOISE = 1.05

const scratch = mkdtempSync(join(tmpdir(), 'symup-bench-maps-'))
/** As a store answers it, with files on disk. */
const source = {
  async findScripts(release: { service: string; version: string }, paths: readonly string[]) {
    return paths.map((path) => {
      const nth = Number(/\d+/.exec(path)?.[0])
      const script = join(scratch, String(Math.floor(nth / 1000)), `${nth}.js`)
      return {
        ...{ ...release, path, contentKey: path },
        locate: async (part: string) => (part === 'map' ? `${script}.map` : part === 'script' ? script : undefined),
        readMap: async () => readFileSync(`${script}.map`),
        readScript: async () => readFileSync(script),
      }
    })
  },
} as unknown as ArtifactSource

try {
  const { directory } = await makeWorkload('S', values.cache)
  const scripts = readdirSync(directory).filter((name) => name.endsWith('.js'))
  const sizeOf = (name: string) => statSync(join(directory, `${name}.map`)).size
  const small = scripts.sort((a, b) => sizeOf(a) - sizeOf(b)).slice(1, 9)
  const places = small.map((name, nth) => positionsIn(join(directory, name), 1000, nth))
  for (let nth = 0; nth < MAPS; nth++) writeMap(nth, directory, small[nth % small.length] as string)
  const random = fractionsOf(5)
  const below = (count: number) => Math.floor(random() * count)
  const stackOf = (map: number, frames: number) => {
    const own = places[map % small.length] as { line: number; column: number }[]
    const at = Array.from({ length: frames }, () => own[below(own.length)] as { line: number; column: number })
    return `Error\n${at.map(({ line, column }) => `    at f (https://h/${map}.js:${line}:${column})`).join('\n')}`
  }
  const bytes = small.reduce((sum, name) => sum + sizeOf(name) + statSync(join(directory, name)).size, 0) / small.length
  // An open map takes its index, and what was read of it and of the map: about a third of the map and its script.
  const maxCachedBytes = Math.round((bytes / 3) * MAPS * 0.01)
  const symbolicator = createSymbolicator({ maxCachedBytes })
  const explain = async (stack: string) => {
    const { frames } = await symbolicator.symbolicate({ service: 's', version: '1', stack }, source)
    const resolved = frames.filter((frame) => frame.resolved).length
    if (frames.length > 1 && resolved < frames.length / 2)
      throw new Error(`only ${resolved} of ${frames.length} frames are resolved`)
  }

  for (let nth = 0; nth < 300; nth++) await explain(stackOf(below(MAPS), 1))
  const [walls, cpus]: [number[], number[]] = [[], []]
  for (let nth = 0; nth < QUESTIONS; nth++) {
    const stack = stackOf(below(MAPS), 1)
    const [wall, cpu] = [performance.now(), process.cpuUsage()]
    await explain(stack)
    const { user, system } = process.cpuUsage(cpu)
    walls.push(performance.now() - wall)
    cpus.push((user + system) / 1000)
  }
  console.log(
    `${MAPS} maps of ${(bytes / 1000).toFixed(0)} kB with their scripts, a cache of ${(maxCachedBytes / 1e6).toFixed(1)} MB`,
  )
  const ratio = report('wall', walls)
  report('CPU', cpus)
  judge('p99 of the wall, of p50', ratio, MOST_SLOWER)

  let [asked, few] = [0, 0]
  const begin = process.cpuUsage()
  while (asked < FRAMES) {
    await explain(stackOf(below(MAPS), STACK))
    asked += STACK
    if (asked === FEW_FRAMES) few = await memory()
  }
  const { user, system } = process.cpuUsage(begin)
  const many = await memory()
  console.log(`memory after ${FEW_FRAMES} frames ${few.toFixed(1)} MB, after ${asked} ${many.toFixed(1)} MB`)
  console.log(`${((user + system) / (asked / STACK) / 1000).toFixed(2)} ms of CPU for a stack of ${STACK} frames`)
  judge('memory after all, of that after few', many / few, NOISE)
} finally {
  rmSync(scratch, { recursive: true })
}

function report(what: string, times: number[]): number {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] as number
  console.log(
    `${what}: p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms (${(at(0.99) / at(0.5)).toFixed(1)} ×)`,
  )
  return at(0.99) / at(0.5)
}

function judge(what: string, figure: number, most: number): void {
  const isMet = figure <= most
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}: ${figure.toFixed(2)}, at most ${most}`)
  if (!isMet) process.exitCode = 1
}

/** In MB, of all that is reachable. */
async function memory(): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

/** A copy with sources of its own. */
function writeMap(nth: number, directory: string, name: string): void {
  const folder = join(scratch, String(Math.floor(nth / 1000)))
  mkdirSync(folder, { recursive: true })
  const map = readFileSync(join(directory, `${name}.map`), 'utf8')
  writeFileSync(join(folder, `${nth}.js.map`), map.replace('"sources": ["', `"sources": ["${nth}/`))
  writeFileSync(join(folder, `${nth}.js`), readFileSync(join(directory, name)))
}
