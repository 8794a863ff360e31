import { NO_RATE_LIMITS, startIntake } from '../index.ts'

// An intake in its own process, which a test can kill. It prints its address.
const [database = '', blobs = ''] = process.argv.slice(2)
const { url } = await startIntake({ database, blobs, rateLimits: NO_RATE_LIMITS })
process.stdout.write(`${url}\n`)
