import { type Platform, UPLOAD_PATH } from '@symup/core/internal'
import type { Explanation, Reason, ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'

/** A frame as `POST /sourcemap/stack/enrich` answers it; `raw` and `reason` are additions that other intakes do not have. */
interface EnrichedFrame {
  function?: string
  file?: string
  line?: number
  column?: number
  converted: boolean
  code_snippets?: { line: number; code: string }[]
  original_frame?: { function?: string; file?: string; line?: number; column?: number }
  raw?: string
  reason?: Reason
  note?: string
  /** The compiler copied this call into the next frame. */
  inlined?: boolean
  /** What the frame may have been instead, each as a list of frames, innermost first. */
  candidates?: ResolvedPosition[][]
}

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

const TIMEOUT_MS = 30_000

/** @throws IntakeError when it cannot be reached or answers with an error. */
export async function askIntake(question: Question): Promise<Explanation> {
  const { intake, appKey, service, version, stack, near, platform, appid, variant, buildId, debugIds, eventTime } =
    question
  const url = new URL(`${intake.replace(/\/+$/, '').replace(new RegExp(`${UPLOAD_PATH}$`), '')}/sourcemap/stack/enrich`)
  const shown = url.href
  url.searchParams.set('app_key', appKey)
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ type: platform, service, version, stack, near, appid, variant },
        ...{ build_id: buildId, debug_ids: debugIds, event_time: eventTime },
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    // Node's message may hold the URL, and the URL holds the key.
    const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? (error as Error).name
    throw new IntakeError(`${shown} could not be reached (${code})`)
  }
  const body = (await response.json().catch(() => undefined)) as
    | { data?: { frames?: EnrichedFrame[]; retraced?: string }; error?: { message?: string } }
    | undefined
  if (!response.ok || !Array.isArray(body?.data?.frames)) {
    const said = (body?.error?.message ?? 'no frames in the answer').replaceAll(appKey, '***')
    throw new IntakeError(`${shown} answered HTTP ${response.status}: ${said}`)
  }
  const { frames, retraced } = body.data
  return { frames: withInlined(frames.map(toFrame), frames), ...(retraced !== undefined && { text: retraced }) }
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
