import type { Explanation, ResolvedFrame, ResolvedPosition } from './frames.ts'

/** Limits the work that a hostile stack can cause. The limits are higher than what any runtime prints. */
export interface ReadLimits {
  frames: number
  characters: number
  /** @default no limit */
  lines?: number
}

/** Truncates the text at a line break, because a truncated line could contain a wrong position. */
export function textUpTo(text: string, characters: number): string {
  if (text.length <= characters) return text
  const end = text.lastIndexOf('\n', characters)
  return text.slice(0, end === -1 ? characters : end)
}

/** Limits the number of frames in a result and adds a note if the stack was not read completely. */
export function upToLimits(answer: Explanation, stack: string, limits: ReadLimits): Explanation {
  const more = moreThan(limits, answer, stack)
  return more === undefined ? answer : { ...answer, frames: answer.frames.slice(0, limits.frames), note: more }
}

function moreThan({ frames, characters, lines }: ReadLimits, answer: Explanation, stack: string): string | undefined {
  if (answer.frames.length > frames)
    return `The stack contains more frames. Only the first ${frames} frames are listed.`
  if (stack.length > characters)
    return `The stack is too long. Only the first ${characters} characters of the stack were read.`
  const all = lines === undefined ? [] : stack.split('\n', lines + 2)
  if (lines !== undefined && all.length > lines && (all.length > lines + 1 || all[lines] !== ''))
    return `The stack is too long. Only the first ${lines} lines of the stack were read.`
  return undefined
}

/** The maximum total length of the names in a result. In real results, the total is a few thousand characters. */
const MAX_NAMES = 1024 * 1024
/** Names up to this length are never shortened. */
const MIN_NAME = 200

/** Shortens the longest names in a result, because hostile symbol files can contain huge names. */
export function withNamesUpToLimit(answer: Explanation): Explanation {
  if (areNamesUpToLimit(answer.frames)) return answer
  const most = Math.max(MIN_NAME, Math.floor(MAX_NAMES / namesIn(answer.frames).length))
  const frames = answer.frames.map((frame) => ({
    ...frame,
    resolved: frame.resolved && shortened(frame.resolved, most),
  }))
  return { ...answer, frames }
}

export function areNamesUpToLimit(frames: readonly ResolvedFrame[]): boolean {
  return namesIn(frames).reduce((sum, name) => sum + name.length, 0) <= MAX_NAMES
}

function namesIn(frames: readonly ResolvedFrame[]): string[] {
  return namesOf(frames.flatMap(({ resolved }) => resolved ?? []))
}

function namesOf(positions: readonly ResolvedPosition[] = []): string[] {
  return positions.flatMap((it) => [it.file, it.function ?? '', ...namesOf(it.inlined), ...namesOf(it.candidates)])
}

function shortened(position: ResolvedPosition, most: number): ResolvedPosition {
  const short = (name: string) => (name.length > most ? `${name.slice(0, most)}…` : name)
  const all = (positions: ResolvedPosition[]) => positions.map((it) => shortened(it, most))
  return {
    ...position,
    file: short(position.file),
    ...(position.function !== undefined && { function: short(position.function) }),
    ...(position.inlined && { inlined: all(position.inlined) }),
    ...(position.candidates && { candidates: all(position.candidates) }),
  }
}
