import { type Line, printableLine } from '../model/line.ts'
import { printable } from '../model/printable.ts'
import type { Progress } from './upload.ts'
import type { Verdict } from './verdict.ts'

/**
 * The purpose of a line.
 * - `detail`: Settings, findings, the check and deleted files. A quiet run omits these lines.
 * - `problem`: A problem with its fix, and related commands.
 * - `summary`: The last line.
 * - `unusable`: The problems and the last line if the configuration is unusable.
 */
export type LineRole = 'detail' | 'problem' | 'summary' | 'unusable'

/** Shows a run on a terminal, in a bundler's log, or in the output of a Gradle task. */
export interface Presenter {
  show(lines: readonly Line[], role: LineRole): void
  /** Called when an artifact is finished, and before a retry. */
  progress?(progress: Progress): void
  /** Called once after the last artifact, before the next line is shown. */
  progressEnd?(): void
  /** Called with details for verbose runs: each request, and the time that each phase took. */
  trace?(text: string): void
  /** Called once before the last line, so that the presenter can write other outputs: JSON documents, annotations, files. */
  record?(verdict: Verdict): void
}

/**
 * Wraps a presenter so that it removes control sequences from all lines. Text from files, Git and the intake may contain any characters.
 */
export function printableOnly(present: Presenter): Presenter {
  return {
    show: (lines, role) => present.show(lines.map(printableLine), role),
    ...(present.progress && { progress: (progress) => present.progress?.(progress) }),
    ...(present.trace && { trace: (text) => present.trace?.(printable(text)) }),
    progressEnd: () => present.progressEnd?.(),
    record: (verdict) => present.record?.(verdict),
  }
}

export function presentLines(print: (line: Line) => void): Presenter {
  return { show: (lines) => lines.forEach(print) }
}
