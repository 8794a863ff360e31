// Answers stacks with one mapping, like the intake: the first one cold, then others, then the first again. Prints JSON.
import { readFileSync } from 'node:fs'
import { artifactSourceOf } from '@symup/symbolicate'
import { createSymbolicator } from '@symup/symbolicate/internal'

const [mapping = '', framesFile = ''] = process.argv.slice(2)
const frames = JSON.parse(readFileSync(framesFile, 'utf8')) as string[]
const release = { service: 's', version: '1' }
const event = { type: 'jvm_mapping_file' as const, cli_version: '', ...release, version_code: 1, variant: 'release' }
const part = { name: 'jvm_mapping_file', filename: 'f', path: mapping, bytes: 0 }
const source = artifactSourceOf([{ event, parts: [part] }])
const symbolicator = createSymbolicator()
/** A long stack: fifty frames. */
const STACK = 50

/** The previous answer: class and method with their line; an inlined call precedes its caller. */
let places: string[] = []

async function answer(from: number): Promise<number> {
  const chosen = Array.from({ length: STACK }, (_, index) => frames[(from + index * 19) % frames.length])
  const started = performance.now()
  const { frames: found } = await symbolicator.symbolicate(
    { ...release, stack: `x.Y: message\n${chosen.join('\n')}`, platform: 'android' },
    source,
  )
  const milliseconds = performance.now() - started
  const missing = found.filter(({ resolved }) => resolved === null)
  if (found.length !== STACK || missing.length > 0)
    throw new Error(`${missing.length} of ${found.length} frames not resolved`)
  places = found.flatMap(({ resolved }) =>
    [...(resolved?.inlined ?? []), resolved].map((it) => `${it?.function}:${it?.line}`),
  )
  return milliseconds
}

let before = process.cpuUsage()
/** Milliseconds of processor time, which other work on the machine does not affect. */
const processorTime = () => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
const first = await answer(0)
const firstProcessor = processorTime()
const others: number[] = []
before = process.cpuUsage()
for (let index = 1; index <= 20; index++) others.push(await answer(index * 31))
const processor = processorTime() / others.length
const again = await answer(0)
const peakBytes = process.resourceUsage().maxRSS * 1024
process.stdout.write(
  JSON.stringify({ first, firstProcessor, slowestOther: Math.max(...others), processor, again, peakBytes, places }),
)
