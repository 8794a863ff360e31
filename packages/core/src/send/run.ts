import { eventLoopYielder } from '../event-loop.ts'
import { shownPath } from '../files/shown-path.ts'
import { type FilePart, type SymbolUpload, uploadBytes } from '../model/plan.ts'
import type { Outcome } from '../model/report.ts'
import type { Secret } from '../model/secret.ts'
import type { HeldParts } from '../model/wire.ts'
import { type Problem, type ProblemCode, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { isPermanent, reasonOf } from '../transport/reasons.ts'
import { Arena } from './arena.ts'
import { type AttemptResult, resultOf } from './attempt-result.ts'
import { Breaker } from './breaker.ts'
import type { Client } from './client.ts'
import { load } from './content.ts'
import type { History } from './history.ts'
import type { Offers } from './offers.ts'
import type { Pace } from './pace.ts'
import { pause, retryDelay } from './retry.ts'
import { UnreadableFile } from './source.ts'

/** One request for an artifact, and how it ended. */
export interface Attempt {
  /** The artifact's file, as messages name it. */
  file: string
  /** From 1. */
  attempt: number
  /** Most that are made for one artifact. */
  attempts: number
  status: AttemptResult['status']
  /** Milliseconds until the answer, or until none came; preparing the body is part of it. */
  milliseconds: number
  /** Why it is not a success. */
  code?: ProblemCode
  /** The intake's id of the request. */
  requestId?: string
  /** Milliseconds until the next one; absent for the last. */
  delay?: number
}

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
  /** Called before an artifact is tried again, with the number of the attempt. */
  onRetry?: (attempt: number) => void
  /** Called after each request. */
  onAttempt?: (attempt: Attempt) => void
  history?: History
  /** What the intake can do, once it has said so. Nothing is sent before. */
  offers?: Promise<Offers>
  preparation?: Preparation
}

type Failure = Pick<Outcome, 'status' | 'problem' | 'requestId'>

/** What is done with each artifact just before it is sent. */
export interface Preparation {
  /** Whether it takes long enough to be worth doing beside the compression. */
  readonly proves: boolean
  /**
   * @param parts its files, most of them with their bytes.
   * @returns what is sent, with files of its own; undefined, and it is left out.
   */
  ready(upload: SymbolUpload, parts: readonly FilePart[]): SymbolUpload | undefined
  /** What was found, after the last one. */
  problems(): readonly Problem[]
}

/**
 * Files of artifacts that are proven, hashed or waiting for their compression, in bytes: somewhat more than the largest that is not read by windows. With
 * 4 MiB a run takes a little longer, with 6 no less.
 */
const ARENA_BYTES = 5 * 1024 * 1024

/** Settles the uploads of one run; they share whether trying the next one still makes sense. */
export class Run {
  readonly #input: RunInput
  readonly #breaker = new Breaker()
  readonly #arena = new Arena(ARENA_BYTES)
  readonly #yieldToEventLoop = eventLoopYielder()

  constructor(input: RunInput) {
    this.#input = input
  }

  /**
   * Makes one artifact ready, sends it until it is settled, and writes the outcome into the ledger.
   * @returns undefined when it turned out that it is not to be sent.
   */
  async settle(item: SymbolUpload): Promise<Outcome | undefined> {
    const { history, offers, preparation } = this.#input
    await this.#yieldToEventLoop()
    if (this.#hasStopped() || !(history || offers || preparation)) return this.#settleReady(item)
    const { parts, free } = await load(item, this.#arena)
    try {
      const ready = preparation ? preparation.ready(item, parts) : item
      return ready && (await this.#settleReady({ ...ready, parts }, free))
    } finally {
      free()
    }
  }

  /** Nothing is settled any more. */
  close(): void {
    this.#arena.close()
  }

  async #settleReady(item: SymbolUpload, onRead?: () => void): Promise<Outcome> {
    const { history, resume } = this.#input
    const bare = { event: item.event, bytes: uploadBytes(item) }
    const known = resume && !this.#hasStopped() ? await history?.identify(item) : undefined
    if (known && history?.has(known)) return { ...bare, status: 'already-there', attempts: 0 }
    const outcome: Outcome = { ...bare, ...(await this.#sendUntilSettled(item, onRead)) }
    if (history && outcome.status !== 'not-tried') {
      const identity = known ?? (await history.identify(item))
      if (identity) history.record(identity, outcome)
    }
    return outcome
  }

  async #sendUntilSettled(item: SymbolUpload, onRead?: () => void): Promise<Omit<Outcome, 'event' | 'bytes'>> {
    const { attempts: limit, signal, offers } = this.#input
    const file = this.#fileOf(item)
    let held = this.#hasStopped() ? {} : ((await (await offers)?.held(item)) ?? {})
    /** Of the last attempt that ended; a run that stops takes it for the reason. */
    let failure: Failure | undefined
    for (let attempts = 1; ; attempts++) {
      if (this.#hasStopped()) {
        if (failure) return { ...this.#givenUp(failure), attempts: attempts - 1 }
        return { status: 'not-tried', problem: this.#notTried(file), attempts: attempts - 1 }
      }
      const started = performance.now()
      const { status, problem, requestId, retryAfter } = await this.#attempt(item, file, held, onRead)
      const delay = status === 'retry' && attempts < limit ? retryDelay(attempts, retryAfter) : undefined
      this.#input.onAttempt?.({
        ...{ file, attempt: attempts, attempts: limit, status, milliseconds: performance.now() - started },
        ...(problem && { code: problem.code }),
        ...(requestId !== undefined && { requestId }),
        ...(delay !== undefined && { delay }),
      })
      const told = { attempts, ...(problem && { problem }), ...(requestId !== undefined && { requestId }) }
      if (status !== 'retry') {
        if (status === 'not-tried' && failure) return { ...this.#givenUp(failure), attempts }
        // What the intake held may be gone.
        const mayPassWhole = status === 'refused' && Object.keys(held).length > 0
        if (!mayPassWhole || this.#hasStopped()) return { status, ...told }
        held = {}
      } else if (delay === undefined) {
        if (problem) this.#breaker.exhausted(problem)
        return { status: 'failed', ...told }
      } else {
        failure = { status: 'failed', ...(problem && { problem }), ...(requestId !== undefined && { requestId }) }
        this.#input.onRetry?.(attempts + 1)
        await pause(delay, signal)
      }
    }
  }

  async #attempt(
    item: SymbolUpload,
    file: string,
    held: HeldParts,
    onRead: (() => void) | undefined,
  ): Promise<AttemptResult> {
    const { client, pace, endpoint, apiKey, signal } = this.#input
    try {
      const answer = await client.send(item, pace.compression, held, signal, onRead)
      const result = resultOf(answer, file, (text) => apiKey.redact(text))
      if (result.status === 'retry') return result
      this.#breaker.answered()
      pace.observe(answer.effort)
      if (result.stopsRun && result.problem) this.#breaker.open(result.problem)
      return result
    } catch (error) {
      if (error instanceof UnreadableFile) {
        return { status: 'failed', problem: this.#unreadable(error) }
      }
      if (signal.aborted) return { status: 'not-tried', problem: this.#unanswered(file) }
      const unreachable = problem('unreachable', t`${endpoint}: ${reasonOf(error)}.`, { file })
      if (!isPermanent(error)) return { status: 'retry', problem: unreachable }
      this.#breaker.open(unreachable)
      return { status: 'failed', problem: unreachable }
    }
  }

  #hasStopped(): boolean {
    return this.#breaker.cause !== undefined || this.#input.signal.aborted
  }

  #unreadable({ path, code }: UnreadableFile): Problem {
    const file = this.#shown(path)
    if (code !== 'TRUNCATED')
      return problem('file-unreadable', t`It could not be read while sending (${code}).`, { file })
    return problem('file-unreadable', t`It became shorter while it was sent: something else writes it.`, {
      file,
      fix: t`Upload after the last step that writes to the output.`,
    })
  }

  /** Where one that failed before ended the run, it failed as this one did: to say so again tells nothing. */
  #givenUp(failure: Failure): Failure {
    const { problem } = failure
    if (!problem || this.#breaker.cause !== undefined) return failure
    const bare = problem.message.replace(/[.。]$/, '')
    return {
      ...failure,
      problem: { ...problem, message: t`${bare} (given up, because ${this.#input.stoppedBecause()})` },
    }
  }

  #notTried(file: string): Problem {
    const { cause } = this.#breaker
    const why = cause === undefined ? this.#input.stoppedBecause() : t`an earlier one ended with "${cause.code}"`
    const fix = this.#howToGoOn(cause)
    return problem('not-tried', t`It was not sent, because ${why}.`, { file, cause: cause?.code, ...(fix && { fix }) })
  }

  /** The run was stopped while the request was under way: the intake may have it. */
  #unanswered(file: string): Problem {
    const fix = this.#howToGoOn(undefined)
    const message = t`No answer came before ${this.#input.stoppedBecause()}.`
    return problem('not-tried', message, { file, ...(fix && { fix }) })
  }

  /** @returns undefined where the catalogue's fix is right. */
  #howToGoOn(cause: Problem | undefined): string | undefined {
    const { history } = this.#input
    // Where the run was stopped there is nothing to fix first.
    if (!cause) return history ? t`Upload again with \`--resume\`: it sends only what is missing.` : t`Upload again.`
    if (!history) return undefined
    return t`Fix the earlier problem, then upload again with \`--resume\`: it sends only what is missing.`
  }

  /** The file of an artifact that the user knows best: the deployed one, which comes last. */
  #fileOf(item: SymbolUpload): string {
    return this.#shown(item.parts.at(-1)?.path ?? '')
  }

  #shown(path: string): string {
    return shownPath(path, this.#input.cwd)
  }
}
