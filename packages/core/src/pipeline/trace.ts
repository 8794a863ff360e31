import type { Attempt } from '../send/sender.ts'
import { phrase, t, translated } from '../text.ts'

const PHASES = {
  keyCheck: phrase`key check`,
  collect: phrase`collect`,
  git: 'git',
  proof: phrase`check`,
  send: phrase`send`,
  proofAndSend: phrase`check and send`,
  cleanUp: phrase`clean up`,
}

export class Phases {
  readonly #milliseconds = new Map<keyof typeof PHASES, number>()
  #began = performance.now()

  begin(): void {
    this.#began = performance.now()
  }

  /** Ends the current phase. Each phase starts when the previous one ends. */
  end(name: keyof typeof PHASES): void {
    const began = this.#began
    this.begin()
    this.#milliseconds.set(name, this.#began - began)
  }

  /** A string such as `Time: collect 12 ms, check 80 ms, send 1.2 s`. */
  get text(): string {
    const phases = [...this.#milliseconds].map(([name, time]) => `${translated(PHASES[name])} ${duration(time)}`)
    return t`Time: ${phases.join(t`, `)}`
  }
}

const WORDS: Readonly<Record<Attempt['status'], string>> = {
  accepted: phrase`accepted`,
  'already-there': phrase`already uploaded`,
  refused: phrase`refused`,
  failed: phrase`failed`,
  'not-tried': phrase`stopped`,
  retry: phrase`unsuccessful`,
}

/**
 * Returns a string such as `dist/a.js: attempt 1 of 5, not successful (server-error) after 12 ms, request 8f2c, next attempt in 420 ms`.
 */
export function describeAttempt({ file, attempt, attempts, status, milliseconds, ...attempted }: Attempt): string {
  const { code, requestId, delay } = attempted
  const outcome = `${translated(WORDS[status])}${code === undefined ? '' : ` (${code})`}`
  return [
    t`${file}: attempt ${attempt} of ${attempts}`,
    t`${outcome} after ${duration(milliseconds)}`,
    ...(requestId === undefined ? [] : [t`request ${requestId}`]),
    ...(delay === undefined ? [] : [t`next attempt in ${duration(delay)}`]),
  ].join(t`, `)
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
