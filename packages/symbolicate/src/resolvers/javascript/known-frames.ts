import type { ScriptArtifact } from '../../artifacts.ts'
import type { Shelf } from '../../cache.ts'
import type { Explanation, Reason, ResolvedFrame } from '../../frames.ts'
import { DEFAULT_NEAR, MAX_NEAR, type StackQuestion } from '../../question.ts'
import { debugIdOf, type Find } from './find-script.ts'
import { dotsOf, isHermesAddress, isOfProject, type ProjectFrame } from './parse-stack.ts'

/** What a place of a script led to, or that the map has nothing for it. All that it rests on is in its key, so that it is right for ever. */
export type KnownFrame = Pick<ResolvedFrame, 'resolved' | 'note' | 'reason'>

/** Bytes of what is kept of a frame beside its texts, and of a line of its snippet, about. */
const [FRAME_BYTES, LINE_BYTES] = [1000, 60]

/** A frame's place, in the script that it is in. */
export interface Place {
  key: string
  artifact: ScriptArtifact
  remark: Reason | undefined
}

/** Keeps what the frames of an answer led to. */
export async function keepFrames(
  { frames }: Explanation,
  question: StackQuestion,
  find: Find,
  kept: Shelf<KnownFrame>,
): Promise<void> {
  for (const frame of frames) {
    const place = lasts(frame) && isOfProject(frame) ? await placeOf(frame, question, find) : undefined
    if (place) keepFrame(frame, place, kept)
  }
}

/** Keeps what a place led to, where the next question would find the same, and returns it. */
export function keepFrame(frame: ResolvedFrame, { key }: Place, kept: Shelf<KnownFrame>): KnownFrame {
  const { resolved, note, reason: why } = frame
  // What is to be said of one that resolved is the stack's.
  const known = { resolved, ...(resolved === null && why && { reason: why }), ...(note !== undefined && { note }) }
  if (lasts(frame)) kept.set(key, known, weightOf(key, known))
  return known
}

/** Any other reason may be gone when the frame is asked again. */
function lasts({ resolved, reason: why }: ResolvedFrame): boolean {
  return resolved !== null || why?.code === 'no-mapping-at-position'
}

/** undefined where more is to be looked at than the place. */
export async function placeOf(frame: ProjectFrame, question: StackQuestion, find: Find): Promise<Place | undefined> {
  const { file, line, column, isEvaluated = false } = frame
  const { artifact, remark } = await find(file)
  if (!artifact || artifact.elsewhere !== undefined || column === undefined || isHermesAddress(frame)) return undefined
  const running = debugIdOf(file, question)
  if (running !== undefined && artifact.debugId !== undefined && running !== artifact.debugId) return undefined
  const { contentKey, path, service, version, note } = artifact
  const near = Math.min(question.near ?? DEFAULT_NEAR, MAX_NEAR)
  const release = [service, version, question.service, question.version]
  const key = JSON.stringify([contentKey, path, release, note, near, line, column, isEvaluated, dotsOf(frame)])
  return { key, artifact, remark }
}

function weightOf(key: string, { resolved, note = '' }: KnownFrame): number {
  const positions = resolved ? [resolved, ...(resolved.inlined ?? [])] : []
  const lines = positions.flatMap(({ snippet = [] }) => snippet.map(({ code }) => code))
  const texts = [key, note, ...lines, ...positions.flatMap(({ file, function: name = '' }) => [file, name])]
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return FRAME_BYTES * (1 + positions.length) + lines.length * LINE_BYTES + 2 * characters
}
