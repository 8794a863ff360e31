// `npm run faults -- --minutes 10 --seed 1`: what three intakes answer and keep while PostgreSQL, S3, disks, clocks and they themselves break.
// Ends with 1 where something was answered wrongly or lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runFaults } from './run.ts'
import { tableOf } from './table.ts'

const SHOWN = 20

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
})
const directory = mkdtempSync(join(tmpdir(), 'symup-faults-'))
try {
  const result = await runFaults(Number(values.minutes), Number(values.seed), directory)
  const { rows, details, missing, notTried, complaints } = result
  console.log(tableOf(rows))
  for (const name of notTried) console.log(`not tried, as this machine does not permit it: ${name}`)
  for (const detail of details.slice(0, SHOWN)) console.log(`wrong: ${detail}\n${complaintOf(detail, complaints)}`)
  for (const name of missing.slice(0, SHOWN)) console.log(`lost: ${name}`)
  process.exitCode = details.length + missing.length === 0 ? 0 : 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** What an intake wrote of the request. */
function complaintOf(detail: string, complaints: string): string {
  const [id] = /"request_id":"\w+"/.exec(detail)?.[0].match(/\w{20,}/) ?? []
  const at = id === undefined ? -1 : complaints.indexOf(id)
  return at === -1 ? '' : (complaints.slice(at, at + 1500).split('\nintake:', 1)[0] as string)
}
