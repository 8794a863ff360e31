// One look-up with typical use of `@jridgewell/trace-mapping`: the map is read, parsed and queried. Among several
// positions, 1-based, it uses the first that is mapped.
import { readFileSync } from 'node:fs'
import { AnyMap, originalPositionFor } from '../../../packages/core/src/formats/source-map/trace-mapping.fixture.ts'

const [path = '', places = '[]'] = process.argv.slice(2)
const asked: { line: number; column: number }[] = JSON.parse(places)
const resident = (field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
const idle = resident('VmRSS')
const begin = performance.now()
const map = new AnyMap(readFileSync(path, 'utf8'))
const answers = asked.map(({ line, column }) => originalPositionFor(map, { line, column: column - 1 }))
const nth = answers.findIndex(({ source }) => source !== null)
const ms = performance.now() - begin
console.log(JSON.stringify({ ms, megabytes: resident('VmHWM') - idle, place: asked[nth], found: answers[nth] }))
