// One reader of source maps: reads what it is asked, writes what it answers and what that cost. See same-frames.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AnyMap, originalPositionFor } from '../../../packages/core/src/formats/source-map/trace-mapping.fixture.ts'
import { FileBytes } from '../../../packages/core/src/internal.ts'
import { WeightedCache } from '../../../packages/symbolicate/src/cache.ts'
import { PagedFile } from '../../../packages/symbolicate/src/paged-file.ts'
import { buildIndex } from '../../../packages/symbolicate/src/resolvers/javascript/map-index/build-index.ts'
import { IndexReader } from '../../../packages/symbolicate/src/resolvers/javascript/map-index/format.ts'
import { SourceMap } from '../../../packages/symbolicate/src/resolvers/javascript/source-map.ts'

/** Lines and columns from 1. */
export interface AskedMap {
  map: string
  index: string
  places: { line: number; column: number }[]
}

export interface ReaderAnswer {
  /** Milliseconds of CPU for one frame of each map, and for all. */
  first: number
  all: number
  /** Most resident memory. */
  megabytes: number
  answers: string[]
}

interface Found {
  source?: string | null
  line?: number | null
  /** From 0. */
  column?: number | null
  name?: string | null | undefined
}
/** Line from 1, column from 0. */
type LookUp = (line: number, column: number) => Found | undefined

const [reader = '', asked = '', into = '', peer = ''] = process.argv.slice(2)
const maps: AskedMap[] = JSON.parse(readFileSync(asked, 'utf8'))
const open = await opener()
const begin = process.cpuUsage()
const cpu = () => {
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}
const answers: string[][] = []
const opened: LookUp[] = []
if (reader === 'make indexes') for (const { map, index } of maps) writeFileSync(index, indexOf(map))
else {
  for (const asked of maps) {
    const lookUp = await open(asked)
    opened.push(lookUp)
    answers.push([textOf(asked, 0, lookUp)])
  }
}
const first = cpu()
for (const [nth, lookUp] of opened.entries()) {
  const asked = maps[nth] as AskedMap
  for (let place = 1; place < asked.places.length; place++) answers[nth]?.push(textOf(asked, place, lookUp))
}
const all = cpu()
const megabytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
writeFileSync(into, JSON.stringify({ first, all, megabytes, answers: answers.flat() } satisfies ReaderAnswer))

/** Readers name a source as seen from the map, or from the root. */
function textOf({ places }: AskedMap, nth: number, lookUp: LookUp): string {
  const { line, column } = places[nth] as { line: number; column: number }
  const found = lookUp(line, column - 1)
  if (!found || typeof found.source !== 'string') return 'nothing'
  return `${found.source.replace(/^(?:\.{0,2}\/)+/, '')}:${found.line}:${found.column} ${found.name ?? ''}`
}

function indexOf(path: string): Buffer {
  const file = new FileBytes(path)
  try {
    return buildIndex(file)
  } finally {
    file.close()
  }
}

/** Loads the reader, so that this does not count. */
async function opener(): Promise<(asked: AskedMap) => Promise<LookUp> | LookUp> {
  if (reader === 'trace-mapping') {
    return ({ map }) => {
      const traced = new AnyMap(readFileSync(map, 'utf8'))
      return (line, column) => originalPositionFor(traced, { line, column })
    }
  }
  if (reader === 'source-map') {
    const { SourceMapConsumer } = createRequire(peer)('source-map')
    return async ({ map }) => {
      const consumer = await new SourceMapConsumer(readFileSync(map, 'utf8'))
      return (line, column) => consumer.originalPositionFor({ line, column })
    }
  }
  if (reader === 'metro-symbolicate') {
    const fromPeers = createRequire(peer)
    const { createContext } = fromPeers('metro-symbolicate/private/Symbolication')
    const { SourceMapConsumer } = createRequire(fromPeers.resolve('metro-symbolicate'))('source-map')
    return ({ map }) => {
      const context = createContext(SourceMapConsumer, readFileSync(map, 'utf8'), { nameSource: 'identifier_names' })
      return (line, column) => context.getOriginalPositionFor(line, column)
    }
  }
  return ({ map, index }) => {
    if (reader !== 'ours') writeFileSync(index, indexOf(map))
    const kept = new WeightedCache<unknown>(16 * 1024 * 1024)
    const source = new SourceMap(new IndexReader(new PagedFile(index, kept)), new PagedFile(map, kept), kept)
    return (line, column) => {
      const found = source.originalAt(line, column + 1)
      return found && { ...found, column: found.column - 1 }
    }
  }
}
