// Answers stacks with one mapping, as the intake does: the first one cold, then others, then the first again. Prints JSON.
import { readFileSync } from 'node:fs'
import { artifactSourceOf, createSymbolicator } from '@symup/symbolicate'

const [mapping = '', framesFile = ''] = process.argv.slice(2)
const frames = JSON.parse(readFileSync(framesFile, 'utf8')) as string[]
const release = { service: 's', version: '1' }
const event = { type: 'jvm_mapping_file' as const, cli_version: '', ...release, version_code: 1, variant: 'release' }
const part = { name: 'jvm_mapping_file', filename: 'f', path: mapping, bytes: 0 }
const source = artifactSourceOf([{ event, parts: [part] }])
const symbolicator = createSymbolicator()
/** A long stack: fifty frames. */
const STACK = 50

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
  return milliseconds
}

const first = await answer(0)
const others: number[] = []
const before = process.cpuUsage()
for (let index = 1; index <= 20; index++) others.push(await answer(index * 31))
const { user, system } = process.cpuUsage(before)
/** Processor time, which other work on the machine does not change. */
const processor = (user + system) / 1000 / others.length
const again = await answer(0)
const peakBytes = process.resourceUsage().maxRSS * 1024
process.stdout.write(JSON.stringify({ first, slowestOther: Math.max(...others), processor, again, peakBytes }))
