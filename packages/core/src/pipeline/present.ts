import { type Line, printableLine } from '../model/line.ts'
import { printable } from '../model/printable.ts'
import type { Progress } from './upload.ts'
import type { Verdict } from './verdict.ts'

/**
 * What a line is for:
 * - `detail`: settings, what was found, the proof, what was deleted. A quiet run leaves them out.
 * - `problem`: a problem with its fix, and the commands that help.
 * - `summary`: the last line.
 * - `unusable`: the problems and the last line of a run whose configuration cannot be used.
 */
export type LineRole = 'detail' | 'problem' | 'summary' | 'unusable'

/** How an adapter shows a run to people: a terminal, a bundler's logger, the output of a Gradle task. */
export interface Presenter {
  show(lines: readonly Line[], role: LineRole): void
  /** Called whenever an artifact is done, and before one is tried again. */
  progress?(progress: Progress): void
  /** Called once when sending is over, before the next line is shown. */
  progressEnd?(): void
  /** Called with what only a verbose run shows: each request, and how long each phase took. */
  trace?(text: string): void
  /** Called once before the last line, for what is written beside the lines: JSON documents, annotations, files. */
  record?(verdict: Verdict): void
}

/** A presenter that gets only lines which cannot steer a terminal or a CI system, whatever files, git and the intake say. */
export function printableOnly(present: Presenter): Presenter {
  return {
    show: (lines, role) => present.show(lines.map(printableLine), role),
    ...(present.progress && { progress: (progress) => present.progress?.(progress) }),
    ...(present.trace && { trace: (text) => present.trace?.(printable(text)) }),
    progressEnd: () => present.progressEnd?.(),
    record: (verdict) => present.record?.(verdict),
  }
}

/** One line at a time, whatever it is for. */
export function presentLines(print: (line: Line) => void): Presenter {
  return { show: (lines) => lines.forEach(print) }
}
