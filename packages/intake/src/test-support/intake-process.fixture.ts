import { NO_RATE_LIMITS, startIntake } from '../index.ts'

// An intake in a process of its own, to be killed: prints its address.
const [database = '', blobs = ''] = process.argv.slice(2)
const { url } = await startIntake({ database, blobs, rateLimits: NO_RATE_LIMITS })
process.stdout.write(`${url}\n`)
