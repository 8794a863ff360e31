import { type Intake, startIntake } from '@symup/intake'
import { startServer } from '../support/server.ts'

/** The conditions that a build may encounter. */
export const CONDITIONS = ['right', 'no key', 'wrong key', 'intake down', 'too large', 'leak'] as const
export type Condition = (typeof CONDITIONS)[number]

/** The intakes that the conditions need, in this process. */
export interface Intakes {
  real: Intake
  /** The settings in a build's environment. */
  envFor(condition: Condition): NodeJS.ProcessEnv
  close(): Promise<void>
}

/** No server listens on this address. */
const NOWHERE = 'http://127.0.0.1:1'

export async function startIntakes(): Promise<Intakes> {
  const real = await startIntake()
  /** An intake, or a proxy in front of one, that rejects everything as too large. */
  const small = await startServer(({ method }, response) =>
    response
      .writeHead(method === 'POST' ? 413 : 404, { 'Content-Type': 'text/html' })
      .end('<h1>Request Entity Too Large</h1>'),
  )
  const addresses: Partial<Record<Condition, string>> = {
    'intake down': NOWHERE,
    'too large': small.url,
  }
  return {
    real,
    envFor: (condition) => ({
      SYMUP_ENDPOINT: addresses[condition] ?? real.url,
      ...(condition !== 'no key' && { SYMUP_API_KEY: condition === 'wrong key' ? 'not-the-key' : 'dev-api-key' }),
    }),
    async close() {
      await small.close()
      await real.close()
    },
  }
}
