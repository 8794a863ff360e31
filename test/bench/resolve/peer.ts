// One look-up with `@jridgewell/trace-mapping`, as it is used: the map is read, parsed and asked.
import { readFileSync } from 'node:fs'
import { AnyMap, originalPositionFor } from '../../../packages/core/src/formats/source-map/trace-mapping.fixture.ts'

const [path = '', line, column] = process.argv.slice(2)
const resident = (field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
const idle = resident('VmRSS')
const begin = performance.now()
const map = new AnyMap(readFileSync(path, 'utf8'))
const found = originalPositionFor(map, { line: Number(line), column: Number(column) - 1 })
const ms = performance.now() - begin
console.log(JSON.stringify({ ms, megabytes: resident('VmHWM') - idle, found }))
