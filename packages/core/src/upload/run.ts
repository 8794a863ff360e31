import { type SymbolUpload, uploadBytes } from '../plan.ts'
import { type Problem, problem } from '../problems.ts'
import type { Outcome } from '../report.ts'
import type { Secret } from '../secret.ts'
import { shownPath } from '../shown-path.ts'
import type { HeldParts } from '../wire.ts'
import { judge, type Verdict } from './answer.ts'
import { Breaker } from './breaker.ts'
import type { Client } from './client.ts'
import type { History } from './history.ts'
import type { Offers } from './offers.ts'
import type { Pace } from './pace.ts'
import { pause, retryDelay } from './retry.ts'

export interface RunInput {
  client: Client
  endpoint: string
  apiKey: Secret
  pace: Pace
  attempts: number
  resume: boolean
  cwd: string
  signal: AbortSignal
  /** Why the signal was given, as the end of a sentence. */
  stoppedBecause: () => string
  history?: History
  offers?: Offers
}

/** What one attempt leaves: the end of the story, or a reason to try again. */
type Step =
  | { outcome: Pick<Outcome, 'status' | 'problem' | 'requestId'> }
  | { verdict: Verdict & { kind: 'retry' }; requestId?: string }

/** Settles the uploads of one run; they share whether trying the next one still makes sense. */
export class Run {
  readonly #input: RunInput
  readonly #breaker = new Breaker()

  constructor(input: RunInput) {
    this.#input = input
  }

  /** Sends one artifact until it is settled, and writes the outcome into the ledger. */
  async settle(item: SymbolUpload): Promise<Outcome> {
    const { history, resume } = this.#input
    const bare = { event: item.event, bytes: uploadBytes(item) }
    const known = resume && !this.#hasStopped() ? await history?.identify(item) : undefined
    if (known && history?.has(known)) return { ...bare, status: 'already-there', attempts: 0 }
    const outcome: Outcome = { ...bare, ...(await this.#sendUntilSettled(item)) }
    if (history && outcome.status !== 'not-tried') {
      const identity = known ?? (await history.identify(item))
      if (identity) history.record(identity, outcome)
    }
    return outcome
  }

  async #sendUntilSettled(item: SymbolUpload): Promise<Omit<Outcome, 'event' | 'bytes'>> {
    const { attempts: limit, signal, offers } = this.#input
    const file = this.#fileOf(item)
    let held = this.#hasStopped() ? {} : ((await offers?.held(item)) ?? {})
    for (let attempts = 1; ; attempts++) {
      if (this.#hasStopped()) return { status: 'not-tried', attempts: attempts - 1, problem: this.#notTried(file) }
      const step = await this.#attempt(item, file, held)
      if ('outcome' in step) {
        const mayBeGone = step.outcome.status === 'refused' && Object.keys(held).length > 0
        if (!mayBeGone || this.#hasStopped()) return { ...step.outcome, attempts }
        held = {}
        continue
      }
      const { verdict, requestId } = step
      if (attempts >= limit) {
        this.#breaker.exhausted(verdict.problem)
        return { status: 'failed', attempts, problem: verdict.problem, ...(requestId !== undefined && { requestId }) }
      }
      await pause(retryDelay(attempts, verdict.retryAfter), signal)
    }
  }

  async #attempt(item: SymbolUpload, file: string, held: HeldParts): Promise<Step> {
    const { client, pace, endpoint, apiKey, signal } = this.#input
    const attempt = await client.send(item, pace.compression, held, signal)
    switch (attempt.kind) {
      case 'aborted':
        return { outcome: { status: 'not-tried', problem: this.#notTried(file) } }
      case 'unreadable': {
        const message = `It could not be read while sending (${attempt.code}).`
        const unreadable = problem('file-unreadable', message, { file: this.#shown(attempt.path) })
        return { outcome: { status: 'failed', problem: unreadable } }
      }
      case 'no-answer':
        return {
          verdict: { kind: 'retry', problem: problem('unreachable', `${endpoint}: ${attempt.reason}.`, { file }) },
        }
    }
    const { requestId } = attempt.answer
    const verdict = judge(attempt.answer, file, (text) => apiKey.redact(text))
    const id = requestId === undefined ? {} : { requestId: apiKey.redact(requestId) }
    if (verdict.kind === 'retry') return { verdict, ...id }
    this.#breaker.answered()
    pace.observe(attempt.effort)
    if (verdict.kind !== 'final') return { outcome: { status: verdict.kind, ...id } }
    if (verdict.stopsRun) this.#breaker.open(verdict.problem)
    return { outcome: { status: 'refused', problem: verdict.problem, ...id } }
  }

  #hasStopped(): boolean {
    return this.#breaker.cause !== undefined || this.#input.signal.aborted
  }

  #notTried(file: string): Problem {
    const { cause } = this.#breaker
    const why = cause === undefined ? this.#input.stoppedBecause() : `an earlier one ended with "${cause.code}"`
    const fix = this.#input.history && {
      fix: 'Mend the earlier problem and upload again with `--resume`: it sends only what is missing.',
    }
    return problem('not-tried', `It was not sent, because ${why}.`, { file, ...fix })
  }

  /** The file of an artifact that the user knows best: the deployed one, which comes last. */
  #fileOf(item: SymbolUpload): string {
    return this.#shown(item.parts.at(-1)?.path ?? '')
  }

  #shown(path: string): string {
    return shownPath(path, this.#input.cwd)
  }
}
