import { shownPath } from '../files/shown-path.ts'
import { type SymbolUpload, uploadBytes } from '../model/plan.ts'
import type { Outcome } from '../model/report.ts'
import type { Secret } from '../model/secret.ts'
import type { HeldParts } from '../model/wire.ts'
import { type Problem, type ProblemCode, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { isPermanent, reasonOf } from '../transport/reasons.ts'
import { type AttemptResult, resultOf } from './attempt-result.ts'
import { type GzipLevel, type RequestBody, requestBody, UnreadableFile } from './body.ts'
import { Breaker } from './breaker.ts'
import type { FindHeld } from './held.ts'
import type { Intake } from './intake.ts'
import { type History, partHashes } from './ledger.ts'
import { pause, retryDelay } from './retry.ts'

export interface Attempt {
  file: string
  /** The number of the attempt, starting from 1. */
  attempt: number
  attempts: number
  status: AttemptResult['status']
  /** The time in milliseconds until the response or the failure, including the time to encode the body. */
  milliseconds: number
  code?: ProblemCode
  requestId?: string
  /** The time in milliseconds until the next attempt. Undefined for the last attempt. */
  delay?: number
}

export interface SenderInput {
  intake: Intake
  endpoint: string
  apiKey: Secret
  attempts: number
  level: GzipLevel
  resume: boolean
  cwd: string
  signal: AbortSignal
  /** Returns the reason why the signal was aborted, phrased as the end of a sentence. */
  stoppedBecause: () => string
  /** Called before each retry. The first retry is attempt 2. */
  onRetry?: (attempt: number) => void
  onAttempt?: (attempt: Attempt) => void
  history?: History
  /** The sender waits for the promise before it sends anything. */
  findHeld?: Promise<FindHeld | undefined>
  /** The reason why the intake would reject all artifacts, if already known. */
  refusal?: Problem | undefined
}

type Failure = Pick<Outcome, 'status' | 'problem' | 'requestId'>

/** Sends the artifacts of one run, and decides after each failure whether the run continues. */
export class Sender {
  readonly #input: SenderInput
  readonly #breaker = new Breaker()
  #refusal: Problem | undefined

  constructor(input: SenderInput) {
    this.#input = input
    this.#refusal = input.refusal
  }

  get hasStopped(): boolean {
    return this.#refusal !== undefined || this.#breaker.cause !== undefined || this.#input.signal.aborted
  }

  /**
   * Sends one artifact, with retries until the outcome is final, and records the outcome in the ledger.
   * @param onRead called when the artifact's files are no longer needed in memory.
   */
  async send(item: SymbolUpload, onRead?: () => void): Promise<Outcome> {
    const { history, resume } = this.#input
    const bare = { event: item.event, bytes: uploadBytes(item) }
    const refused = this.#refuseFirst(item)
    if (refused) return { ...bare, ...refused }
    const hashes = history && !this.hasStopped ? await partHashes(item) : undefined
    const identity = hashes && history?.identify(item, hashes)
    if (identity && resume && history?.has(identity)) return { ...bare, status: 'already-there', attempts: 0 }
    const held = this.hasStopped ? {} : await this.#heldOf(item, hashes)
    const outcome: Outcome = { ...bare, ...(await this.#sendUntilSettled(item, held, onRead)) }
    if (identity && outcome.status !== 'not-tried') history?.record(identity, outcome)
    return outcome
  }

  /** Reports the rejection only once, for the first artifact. */
  #refuseFirst(item: SymbolUpload): Omit<Outcome, 'event' | 'bytes'> | undefined {
    if (!this.#refusal) return undefined
    const refusal = { ...this.#refusal, file: this.#fileOf(item) }
    this.#breaker.open(refusal)
    this.#refusal = undefined
    return { status: 'refused', problem: refusal, attempts: 0 }
  }

  async #heldOf(item: SymbolUpload, known: readonly string[] | undefined): Promise<HeldParts> {
    const findHeld = await this.#input.findHeld
    const hashes = findHeld && (known ?? (await partHashes(item)))
    return findHeld && hashes ? findHeld(item, hashes) : {}
  }

  async #sendUntilSettled(
    item: SymbolUpload,
    known: HeldParts,
    onRead?: () => void,
  ): Promise<Omit<Outcome, 'event' | 'bytes'>> {
    const { attempts: limit, signal } = this.#input
    const file = this.#fileOf(item)
    let held = known
    const bodyWith = bodyOf(item, this.#input.level, onRead)
    /** The failure to report if the run stops before the next attempt. */
    let failure: Failure | undefined
    for (let attempts = 1; ; attempts++) {
      if (this.hasStopped) {
        if (failure) return { ...this.#givenUp(failure), attempts: attempts - 1 }
        return { status: 'not-tried', problem: this.#notTried(file), attempts: attempts - 1 }
      }
      const started = performance.now()
      const { status, problem, requestId, retryAfter } = await this.#attempt(bodyWith, held, file)
      const delay = status === 'retry' && attempts < limit ? retryDelay(attempts, retryAfter) : undefined
      this.#input.onAttempt?.({
        ...{ file, attempt: attempts, attempts: limit, status, requestId, delay, code: problem?.code },
        milliseconds: performance.now() - started,
      })
      const why = { ...(problem && { problem }), ...(requestId !== undefined && { requestId }) }
      if (status !== 'retry') {
        if (status === 'not-tried' && failure) return { ...this.#givenUp(failure), attempts }
        // The intake may have deleted content that it listed earlier, so the entire artifact is sent again.
        const mayPassWhole = status === 'refused' && Object.keys(held).length > 0
        if (!mayPassWhole || this.hasStopped) return { status, attempts, ...why, ...heldBytesOf(item, held) }
        held = {}
      } else if (delay === undefined) {
        if (problem) this.#breaker.exhausted(problem)
        return { status: 'failed', attempts, ...why }
      } else {
        failure = { status: 'failed', ...why }
        this.#input.onRetry?.(attempts + 1)
        await pause(delay, signal)
      }
    }
  }

  async #attempt(bodyWith: ReturnType<typeof bodyOf>, held: HeldParts, file: string): Promise<AttemptResult> {
    const { intake, endpoint, apiKey, signal } = this.#input
    try {
      const answer = await intake.send(await bodyWith(held), signal)
      const result = resultOf(answer, { file, endpoint, clean: (text) => apiKey.redact(text) })
      if (result.status === 'retry') return result
      this.#breaker.answered()
      if (result.stopsRun && result.problem) this.#breaker.open(result.problem)
      return result
    } catch (error) {
      if (error instanceof UnreadableFile) return { status: 'failed', problem: this.#unreadable(error) }
      if (signal.aborted) return { status: 'not-tried', problem: this.#unanswered(file) }
      const unreachable = problem('unreachable', t`Could not reach ${endpoint}. ${reasonOf(error)}`, { file })
      if (!isPermanent(error)) return { status: 'retry', problem: unreachable }
      this.#breaker.open(unreachable)
      return { status: 'failed', problem: unreachable }
    }
  }

  #unreadable({ path, code }: UnreadableFile): Problem {
    const file = this.#shown(path)
    if (code !== 'TRUNCATED')
      return problem('file-unreadable', t`The file could not be read during the upload (${code}).`, { file })
    const message = t`The file became shorter during the upload, probably because another program changed it.`
    return problem('file-unreadable', message, {
      file,
      fix: t`Run the upload after the last build step that writes to the output.`,
    })
  }

  /** Adds to the message why symup stopped retrying. If the failure itself stopped the run, the message stays unchanged. */
  #givenUp(failure: Failure): Failure {
    const { problem } = failure
    if (!problem || this.#breaker.cause !== undefined) return failure
    const bare = problem.message.replace(/[.。]$/, '')
    return {
      ...failure,
      problem: { ...problem, message: t`${bare} (symup stopped retrying because ${this.#input.stoppedBecause()}).` },
    }
  }

  #notTried(file: string): Problem {
    const { cause } = this.#breaker
    const why = cause === undefined ? this.#input.stoppedBecause() : t`an earlier artifact failed with "${cause.code}"`
    const fix = this.#howToGoOn(cause)
    return problem('not-tried', t`The artifact was not sent because ${why}.`, { file, fix, cause: cause?.code })
  }

  /** Returns the problem to report if the run stops during a request. The intake may already have received the artifact. */
  #unanswered(file: string): Problem {
    const fix = this.#howToGoOn(undefined)
    const message = t`The upload was interrupted before a response arrived because ${this.#input.stoppedBecause()}.`
    return problem('not-tried', message, { file, fix })
  }

  #howToGoOn(cause: Problem | undefined): string | undefined {
    const { history } = this.#input
    // If the run was stopped, there is no earlier problem to fix.
    if (!cause)
      return history ? t`Upload again with \`--resume\` to send only the missing artifacts.` : t`Upload again.`
    if (!history) return undefined
    return t`Fix the earlier problem, then upload again with \`--resume\` to send only the missing artifacts.`
  }

  /** Returns the last file of an artifact. This is the deployed file, which users know best. */
  #fileOf(item: SymbolUpload): string {
    return this.#shown(item.parts.at(-1)?.path ?? '')
  }

  #shown(path: string): string {
    return shownPath(path, this.#input.cwd)
  }
}

/** Returns a function that creates the body of an artifact. A body in memory is created only once, even if it is sent several times. */
function bodyOf(item: SymbolUpload, level: GzipLevel, onRead: () => void = () => undefined) {
  let last: { held: HeldParts; body: RequestBody } | undefined
  /** @throws UnreadableFile if a file cannot be read. */
  return async (held: HeldParts): Promise<RequestBody> => {
    if (last?.held === held && Buffer.isBuffer(last.body.content)) return last.body
    const body = await requestBody(item, held, level)
    last = { held, body }
    if (Buffer.isBuffer(body.content)) onRead()
    else body.content.once('end', onRead)
    return body
  }
}

function heldBytesOf({ parts }: SymbolUpload, held: HeldParts): { heldBytes?: number } {
  const heldBytes = parts.reduce((sum, { name, bytes }) => sum + (Object.hasOwn(held, name) ? bytes : 0), 0)
  return heldBytes === 0 ? {} : { heldBytes }
}
