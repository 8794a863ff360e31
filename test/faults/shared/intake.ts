// An intake in a process of its own: prints its address.
import './clock.ts'

const [database = '', blobs = '', dataDir = '', port = '0'] = process.argv.slice(2)
const { startIntake } = await import('@symup/intake')
// Counted, in the database, but never reached.
const rateLimits = { perSecond: 1e6, perMinute: 1e6 }
const { url } = await startIntake({ database, blobs, dataDir, port: Number(port), rateLimits })
process.stdout.write(`${url}\n`)
