import type { Explanation, ResolvedFrame, ResolvedPosition } from './frames.ts'

/** As much as is read of one stack: more than any runtime reports, so that hostile ones end. */
export interface ReadLimits {
  frames: number
  characters: number
  /** Default: as many as there are. */
  lines?: number
}

/** A text as far as it is read, to the end of a line: what is left of one would name another position. */
export function textUpTo(text: string, characters: number): string {
  if (text.length <= characters) return text
  const end = text.lastIndexOf('\n', characters)
  return text.slice(0, end === -1 ? characters : end)
}

/** Cuts an answer to the frames that are read of a stack, and says what was left out. What answers looks at one frame more than that, where there is one. */
export function upToLimits(answer: Explanation, stack: string, limits: ReadLimits): Explanation {
  const more = moreThan(limits, answer, stack)
  return more === undefined ? answer : { ...answer, frames: answer.frames.slice(0, limits.frames), note: more }
}

function moreThan({ frames, characters, lines }: ReadLimits, answer: Explanation, stack: string): string | undefined {
  if (answer.frames.length > frames) return `The stack has more frames: the first ${frames} are listed.`
  if (stack.length > characters) return `The stack goes on: its first ${characters} characters were read.`
  // A line feed at the end begins no other line.
  const all = lines === undefined ? [] : stack.split('\n', lines + 2)
  if (lines !== undefined && all.length > lines && (all.length > lines + 1 || all[lines] !== ''))
    return `The stack goes on: its first ${lines} lines were read.`
  return undefined
}

/** Characters of all names in an answer, of which real ones have some thousand: each frame repeats that of its file. */
const MAX_NAMES = 1024 * 1024
/** Characters of a name that are never too many. */
const MIN_NAME = 200

/** Shortens the longest names in an answer where a symbol file has so long ones that they would take the memory of whoever asks. */
export function withNamesUpToLimit(answer: Explanation): Explanation {
  if (areNamesUpToLimit(answer.frames)) return answer
  const most = Math.max(MIN_NAME, Math.floor(MAX_NAMES / namesIn(answer.frames).length))
  const frames = answer.frames.map((frame) => ({
    ...frame,
    resolved: frame.resolved && shortened(frame.resolved, most),
  }))
  return { ...answer, frames }
}

/** Whether the names in an answer are few enough to stay whole. */
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
