import { fstatSync } from 'node:fs'
import type { Line } from '@symup/core/internal'

/** The last lines of builds in this process that passed although something was lost, with what had been written when they were shown. */
const outcomes = new Map<string, { line: Line; log(line: Line): void; writtenThen: number }>()

/**
 * Repeats a line when the process ends, if others have written anything after it: a bundler's statistics, a framework's next step. A failed
 * upload that the policy lets pass must not end in a screen that says nothing but "compiled successfully".
 */
export function repeatAtTheEnd(line: Line, log: (line: Line) => void): void {
  if (outcomes.size === 0) process.once('exit', sayAgain)
  outcomes.delete(line.text)
  outcomes.set(line.text, { line, log, writtenThen: bytesWritten() })
}

function sayAgain(): void {
  for (const { line, log, writtenThen } of [...outcomes.values()]) {
    if (bytesWritten() > writtenThen) log(line)
  }
  outcomes.clear()
}

/** By all that this process prints, whoever prints it. */
function bytesWritten(): number {
  return bytesOf(process.stdout, 1) + bytesOf(process.stderr, 2)
}

/** Terminals and pipes count what they were given; of a file the size tells. */
function bytesOf(stream: NodeJS.WriteStream, descriptor: number): number {
  if (typeof stream.bytesWritten === 'number') return stream.bytesWritten
  try {
    return fstatSync(descriptor).size
  } catch {
    return 0
  }
}
