import type { Explanation } from './frames.ts'

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
