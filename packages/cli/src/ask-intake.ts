import { formatBytes, type Platform, UPLOAD_PATH } from '@symup/core/internal'
import type { Explanation, ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
import { type EnrichedFrame, readAnswer } from './enriched-answer.ts'

export interface Question {
  /** Address of the intake, with or without the upload path. */
  intake: string
  appKey: string
  service: string
  version: string
  stack: string
  platform: Platform
  /** Tells mini programs of the same service and version apart. */
  appid?: string
  variant?: string
  buildId?: string
  debugIds?: Readonly<Record<string, string>>
  /** Unix milliseconds. */
  eventTime?: number
  /** Source lines on each side. */
  near: number
}

/** Why an intake gave no explanation, in a sentence. */
export class IntakeError extends Error {}

/** What an answer may take, its body included. */
export interface AnswerLimits {
  milliseconds: number
  bytes: number
}

/** A stack of 500 frames with source lines has some 500 KB. */
const LIMITS: AnswerLimits = { milliseconds: 30_000, bytes: 16 * 1024 * 1024 }

/** @throws IntakeError when it cannot be reached, answers with an error, or answers with too much or too slowly. */
export async function askIntake(question: Question, limits: AnswerLimits = LIMITS): Promise<Explanation> {
  const { intake, appKey, service, version, stack, near, platform, appid, variant, buildId, debugIds, eventTime } =
    question
  const url = new URL(`${intake.replace(/\/+$/, '').replace(new RegExp(`${UPLOAD_PATH}$`), '')}/sourcemap/stack/enrich`)
  const shown = url.href
  url.searchParams.set('app_key', appKey)
  const signal = AbortSignal.timeout(limits.milliseconds)
  let response: Response
  let text: string | undefined
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ type: platform, service, version, stack, near, appid, variant },
        ...{ build_id: buildId, debug_ids: debugIds, event_time: eventTime },
      }),
      redirect: 'error',
      signal,
    })
    text = await textOf(response, limits.bytes)
  } catch (error) {
    // Node's message may hold the URL, and the URL holds the key.
    const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? (error as Error).name
    if (signal.aborted) throw new IntakeError(`${shown} did not answer within ${limits.milliseconds / 1000} s`)
    throw new IntakeError(`${shown} could not be reached (${code})`)
  }
  if (text === undefined) throw new IntakeError(`${shown} answered with more than ${formatBytes(limits.bytes)}`)
  const body = readAnswer(text)
  if (!response.ok || body.frames === undefined) {
    const said = (body.message ?? 'no frames in the answer').slice(0, 300).replaceAll(appKey, '***')
    throw new IntakeError(`${shown} answered HTTP ${response.status}: ${said}`)
  }
  const { frames, retraced } = body
  return { frames: withInlined(frames.map(toFrame), frames), ...(retraced !== undefined && { text: retraced }) }
}

/** @returns undefined where there is more of it than that. */
async function textOf(response: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Puts calls that the compiler inlined under the frame that they are in. */
function withInlined(frames: readonly ResolvedFrame[], answered: readonly EnrichedFrame[]): ResolvedFrame[] {
  let inlined: ResolvedPosition[] = []
  return frames.flatMap((frame, index) => {
    if (frame.resolved && answered[index]?.inlined === true) {
      inlined.push(frame.resolved)
      return []
    }
    const whole = frame.resolved && inlined.length > 0 ? { ...frame, resolved: { ...frame.resolved, inlined } } : frame
    inlined = []
    return [whole]
  })
}

function chainOf(positions: readonly ResolvedPosition[]): ResolvedPosition[] {
  const outermost = positions.at(-1)
  if (!outermost) return []
  return [positions.length === 1 ? outermost : { ...outermost, inlined: positions.slice(0, -1) }]
}

function toFrame(frame: EnrichedFrame): ResolvedFrame {
  const original = frame.original_frame ?? (frame.converted ? {} : frame)
  const raw: ResolvedFrame = {
    raw: frame.raw ?? `at ${original.function ?? '<anonymous>'} (${original.file}:${original.line}:${original.column})`,
    ...(original.function !== undefined && { function: original.function }),
    ...(original.file !== undefined && { file: original.file }),
    ...(original.line !== undefined && { line: original.line }),
    ...(original.column !== undefined && { column: original.column }),
    resolved: null,
  }
  if (!frame.converted || frame.file === undefined) {
    const { reason } = frame
    return reason ? { ...raw, reason } : raw
  }
  const { function: name, file, line, column, code_snippets: snippet, candidates, reason } = frame
  return {
    ...raw,
    resolved: {
      ...(name !== undefined && { function: name }),
      file,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      ...(snippet && snippet.length > 0 && { snippet }),
      ...(candidates && { candidates: candidates.flatMap(chainOf) }),
    },
    ...(reason && { reason }),
    ...(frame.note !== undefined && { note: frame.note }),
  }
}
