import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { openStore, type StoredUpload } from './store/store.ts'

export { createApp } from './app.ts'
export { DEFAULT_LIMITS, type Limits } from './limits.ts'
export { openStore, type StoredPart, type StoredUpload } from './store/store.ts'

export interface IntakeOptions {
  /** Default 0: a free one. */
  port?: number
  /** Default 127.0.0.1: only this machine. */
  host?: string
  /** Keeps what is uploaded. Default: a temporary directory that goes when the intake closes. */
  dataDir?: string
  /** Keys that may upload. Default `dev-api-key`. */
  apiKeys?: readonly string[]
  /** Keys that may call the JSON operations. Default `dev-app-key`. */
  appKeys?: readonly string[]
  limits?: Partial<Limits>
}

export interface Intake {
  url: string
  /** Everything that is stored, oldest first. */
  uploads(): Promise<StoredUpload[]>
  close(): Promise<void>
}

/** Starts an intake: `const intake = await startIntake()`, then upload to `intake.url`. */
export async function startIntake(options: IntakeOptions = {}): Promise<Intake> {
  const { port = 0, host = '127.0.0.1', apiKeys = ['dev-api-key'], appKeys = ['dev-app-key'] } = options
  const directory = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'symup-intake-')))
  const store = await openStore(directory)
  const app = createApp({ store, apiKeys, appKeys, limits: { ...DEFAULT_LIMITS, ...options.limits } })
  const close = async () => {
    await app.close()
    await store.close()
    if (options.dataDir === undefined) await rm(directory, { recursive: true, force: true })
  }
  try {
    await app.listen({ port, host })
  } catch (error) {
    await close()
    throw error
  }
  const { address, port: bound, family } = app.server.address() as AddressInfo
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`, uploads: store.uploads, close }
}
