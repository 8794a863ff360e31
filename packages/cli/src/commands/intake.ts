import { join } from 'node:path'
import { EXIT } from '@symup/core'
import { language, setLanguage, t } from '@symup/core/text'
import type { RateLimits } from '@symup/intake'

export interface StoreFlags {
  data?: string
  database?: string
  blobs?: string
}

export interface IntakeFlags extends StoreFlags {
  port: number
  host: string
  inspector?: boolean
  rum?: boolean
  allowHost?: string[]
  seed?: string
  fault?: string[]
  rateLimit?: RateLimits
  uploadRateLimit?: RateLimits
  /** Maximum size of a request body in bytes. */
  maxBody?: number
  maxInflated?: number
  maxParts?: number
  testRoutes?: boolean
  logLevel?: 'debug' | 'info' | 'warn' | 'error'
}

/** Time in milliseconds for requests to finish before shutdown. Orchestrators usually wait a little longer before they kill a process. */
const DRAIN_MS = 25_000
/** Additional time in milliseconds for closing threads and files. */
const STOP_MS = 10_000

/** The inspector page shows the source code of all accounts, so it is disabled by default if other machines can access it. */
const inspectorOff = () =>
  t`off, because the page has no login and other machines can reach this address. To turn on the inspector anyway, pass --inspector.`

/**
 * Loads the intake package, or prints how to install it.
 * @returns undefined if the package is not installed.
 */
export async function loadIntake(): Promise<typeof import('@symup/intake') | undefined> {
  try {
    return await import('@symup/intake')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write(
      t`The local intake is a separate package. To install the package, run:
  npm install --save-dev @symup/intake
`,
    )
    return undefined
  }
}

/** Returns a sentence that explains why the store cannot be opened. SQLite's errors do not contain the file name. */
export function whyUnusable(error: unknown, directory: string | undefined): string {
  const { message } = error as Error
  // Codes of system errors are strings, but some other errors have numeric codes.
  const code = String((error as { code?: unknown }).code)
  if (!code.startsWith('SQLITE_') || directory === undefined) return /[.。]$/.test(message) ? message : `${message}.`
  const file = join(directory, 'intake.db')
  return /^SQLITE_(?:NOTADB|CORRUPT)/.test(code)
    ? t`The store ${file} is damaged (${message}). Restore a backup, or move ${directory} to another location and upload again.`
    : `${file}: ${message}.`
}

/** Runs `symup intake` until SIGINT or SIGTERM, and then shuts down gracefully. A second signal stops the intake immediately. */
export async function runIntake(flags: IntakeFlags): Promise<number> {
  const intake = await loadIntake()
  if (!intake) return EXIT.unusable
  const users = language()
  // The intake's responses are part of its API, so they are always in English.
  setLanguage('en')
  const { port, host, inspector, rum, database, blobs, logLevel, fault, testRoutes } = flags
  let running: Awaited<ReturnType<typeof intake.startIntake>>
  try {
    const seed = flags.seed === undefined ? undefined : await intake.readSeed(flags.seed)
    running = await intake.startIntake({
      ...{ port, host, inspector, rum, database, blobs, logLevel, seed, fault, testRoutes },
      allowedHosts: flags.allowHost,
      dataDir: flags.data,
      drainMs: DRAIN_MS,
      rateLimits: flags.rateLimit,
      uploadRateLimits: flags.uploadRateLimit,
      // Start a thread early, because most users query a new intake immediately.
      stacks: { startsAhead: true },
      limits: {
        ...(flags.maxBody !== undefined && { bodyBytes: flags.maxBody }),
        ...(flags.maxInflated !== undefined && { inflatedBytes: flags.maxInflated }),
        ...(flags.maxParts !== undefined && { parts: flags.maxParts }),
      },
    })
  } catch (error) {
    setLanguage(users)
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    const why = isTaken ? t`Port ${port} is in use. Pass --port 0 to use a free port.` : whyUnusable(error, flags.data)
    process.stderr.write(t`Could not start the intake. ${why}\n`)
    return EXIT.unusable
  }
  process.stdout.write(`symup intake listening on ${running.url}\n`)
  setLanguage(users)
  process.stdout.write(
    flags.seed === undefined
      ? t`upload key: dev-api-key   app key: dev-app-key\n`
      : t`accounts and keys: ${flags.seed}\n`,
  )
  const exports = {
    SYMUP_ENDPOINT: running.url,
    ...(flags.seed === undefined && { SYMUP_API_KEY: 'dev-api-key', SYMUP_APP_KEY: 'dev-app-key' }),
  }
  for (const [name, value] of Object.entries(exports)) process.stdout.write(`  export ${name}=${value}\n`)
  process.stdout.write(t`inspector: ${running.inspector ? `${running.url}/` : inspectorOff()}\n`)
  if (rum) process.stdout.write(t`To see live errors, set proxy: '${running.url}/rum' in the browser SDK.\n`)
  const tooLate = t`The intake did not stop in time, so symup terminated it.\n`
  setLanguage('en')
  await new Promise<void>((stop) => {
    process.once('SIGINT', () => stop())
    process.once('SIGTERM', () => stop())
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(EXIT.incomplete))
  const late = setTimeout(() => {
    process.stderr.write(tooLate)
    process.exit(EXIT.incomplete)
  }, DRAIN_MS + STOP_MS)
  late.unref()
  await running.close()
  return EXIT.ok
}
