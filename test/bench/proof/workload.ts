// node scripts/run.js test/bench/proof/workload.ts [--size S|M|L]
//
// What the proof of a whole deployment costs, in a process that does nothing else: CPU seconds, the best of three, and the most memory that the process ever had,
// beside what it had before. M takes a quarter of an hour to make, once.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { collectJavaScript, prove } from '@symup/core/internal'
import { makeWorkload, type Size } from '../upload/workloads.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'M' },
    /** The files are there: this is the process that is measured. */
    directory: { type: 'string' },
  },
})

function megabytes(field: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

async function measure(directory: string): Promise<string> {
  const release = { service: 's', version: '1', minifiedPathPrefix: '/', toolVersion: '0' }
  const { uploads } = await collectJavaScript({ directory, ...release })
  const before = megabytes('VmRSS')
  const seconds: number[] = []
  let result = ''
  for (let at = 0; at < 3; at++) {
    const since = process.cpuUsage()
    const { positions, resolved } = await prove(uploads)
    const { user, system } = process.cpuUsage(since)
    seconds.push((user + system) / 1e6)
    result = `${resolved} of ${positions} places`
  }
  return `proof: ${Math.min(...seconds).toFixed(2)} s of CPU, ${megabytes('VmHWM')} MB at most (${before} MB before); ${result}`
}

if (values.directory !== undefined) console.log(await measure(values.directory))
else {
  const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/symup/bench')
  const { directory, pairs, mapBytes } = await makeWorkload(values.size as Size, cache)
  console.log(`workload ${values.size}: ${pairs} scripts, ${(mapBytes / 1e6).toFixed(0)} MB of maps`)
  const args = [...process.execArgv, import.meta.filename, '--directory', directory]
  console.log(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim())
}
