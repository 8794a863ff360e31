import type { Attempt } from '../send/run.ts'

/** The time that each phase of a run took, in its order. */
export class Phases {
  readonly #milliseconds = new Map<string, number>()

  /** Runs a phase; one that runs again adds to the first. */
  async time<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const started = performance.now()
    try {
      return await work()
    } finally {
      this.#milliseconds.set(name, (this.#milliseconds.get(name) ?? 0) + performance.now() - started)
    }
  }

  /** `Time: collect 12 ms, proof 80 ms, send 1.2 s` */
  get text(): string {
    return `Time: ${[...this.#milliseconds].map(([name, time]) => `${name} ${duration(time)}`).join(', ')}`
  }
}

const WORDS: Readonly<Record<Attempt['status'], string>> = {
  accepted: 'accepted',
  'already-there': 'already there',
  refused: 'refused',
  failed: 'failed',
  'not-tried': 'stopped',
  retry: 'no success',
}

/** `dist/a.js: attempt 1 of 5, no success (server-error) after 12 ms, request 8f2c, next attempt in 420 ms` */
export function describeAttempt({ file, attempt, attempts, status, milliseconds, ...attempted }: Attempt): string {
  const { code, requestId, delay } = attempted
  return [
    `${file}: attempt ${attempt} of ${attempts}`,
    `${WORDS[status]}${code === undefined ? '' : ` (${code})`} after ${duration(milliseconds)}`,
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ...(delay === undefined ? [] : [`next attempt in ${duration(delay)}`]),
  ].join(', ')
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
