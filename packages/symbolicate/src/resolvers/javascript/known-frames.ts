import type { ScriptArtifact } from '../../artifacts.ts'
import type { Shelf } from '../../cache.ts'
import type { Explanation, RawFrame, Reason, ResolvedFrame } from '../../frames.ts'
import { DEFAULT_NEAR, MAX_NEAR, type StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import { debugIdOf, type Find } from './find-script.ts'
import { isHermesAddress, isOfProject, isWebKit, type ProjectFrame } from './parse-stack.ts'
import { lateUpload, onceAFile } from './running-file.ts'

/** What a place of a script led to, or that the map has nothing for it. All that it rests on is in its key, so that it is right for ever. */
export type KnownFrame = Pick<ResolvedFrame, 'resolved' | 'note' | 'reason'>

/** Bytes of what is kept of a frame beside its texts, and of a line of its snippet, about. */
const [FRAME_BYTES, LINE_BYTES] = [1000, 60]

interface Place {
  key: string
  artifact: ScriptArtifact
  remark: Reason | undefined
}

/**
 * The answer to a stack of which each frame was in another one before: most new stacks are old frames in another order.
 * @returns undefined where one is not known.
 */
export async function explainKnown(
  parsed: readonly RawFrame[],
  question: StackQuestion,
  find: Find,
  kept: Shelf<KnownFrame>,
): Promise<Explanation | undefined> {
  const frames: ResolvedFrame[] = []
  for (const frame of parsed) {
    if (frame.wasmFunction !== undefined) return undefined
    if (!isOfProject(frame)) {
      frames.push({ ...frame, resolved: null, reason: reason('not-a-project-frame') })
      continue
    }
    const place = await placeOf(frame, question, find)
    const known = place && kept.get(place.key)
    if (!known) return undefined
    const why = known.resolved ? (place.remark ?? lateUpload(place.artifact, question.eventTime)) : undefined
    frames.push({ ...frame, ...(why && { reason: why }), ...known })
  }
  return { frames: frames.map(onceAFile()) }
}

/** Keeps what the frames of an answer led to. */
export async function keepFrames(
  { frames }: Explanation,
  question: StackQuestion,
  find: Find,
  kept: Shelf<KnownFrame>,
): Promise<void> {
  for (const { resolved, note, reason: why, ...frame } of frames) {
    // Any other reason may be gone when the frame is asked again, and what is to be said of one that resolved is the stack's.
    const isUnmapped = resolved === null && why?.code === 'no-mapping-at-position'
    const place = (resolved || isUnmapped) && isOfProject(frame) ? await placeOf(frame, question, find) : undefined
    if (!place) continue
    const known = { resolved, ...(isUnmapped && { reason: why }), ...(note !== undefined && { note }) }
    kept.set(place.key, known, weightOf(place.key, known))
  }
}

/** undefined where more is to be looked at than the place. */
async function placeOf(frame: ProjectFrame, question: StackQuestion, find: Find): Promise<Place | undefined> {
  const { file, line, column, isEvaluated = false } = frame
  const { artifact, remark } = await find(file)
  if (!artifact || artifact.elsewhere !== undefined || column === undefined || isHermesAddress(frame)) return undefined
  const running = debugIdOf(file, question)
  if (running !== undefined && artifact.debugId !== undefined && running !== artifact.debugId) return undefined
  const { contentKey, path, service, version, note } = artifact
  const near = Math.min(question.near ?? DEFAULT_NEAR, MAX_NEAR)
  const release = [service, version, question.service, question.version]
  const key = JSON.stringify([contentKey, path, release, note, near, line, column, isEvaluated, isWebKit(frame)])
  return { key, artifact, remark }
}

function weightOf(key: string, { resolved, note = '' }: KnownFrame): number {
  const positions = resolved ? [resolved, ...(resolved.inlined ?? [])] : []
  const lines = positions.flatMap(({ snippet = [] }) => snippet)
  const characters = lines.reduce((sum, { code }) => sum + code.length, key.length + note.length)
  return FRAME_BYTES * (1 + positions.length) + lines.length * LINE_BYTES + 2 * characters
}
