import { inspect } from 'node:util'
import { type Line, printableLine } from '../model/line.ts'
import { printable } from '../model/printable.ts'
import { type Problem, SymupError } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Presenter } from './present.ts'
import type { Verdict } from './verdict.ts'

/** The error that fails a build. Bundlers print errors with `util.inspect`, so the inspected form contains only the message. */
class BuildFailure extends SymupError {
  constructor(message: string, problems: Problem[]) {
    super(message, problems)
    this.stack = `${this.name}: ${message}`
    Object.defineProperty(this, 'problems', { enumerable: false })
  }

  [inspect.custom](): string {
    return `${this.name}: ${this.message}`
  }
}

/** Creates the error without a stack. Otherwise, Bun would show a part of symup's own bundle, even if `stack` were changed later. */
function buildFailure(message: string, problems: Problem[]): BuildFailure {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return new BuildFailure(message, problems)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

export interface BuildEnd {
  present: Presenter
  /**
   * Reports the end of the build. If a signal stopped the run, the signal is raised again after the report.
   * @throws SymupError if the verdict fails the build. The message is the last line or, for an unusable configuration, all problems.
   */
  conclude(verdict: Verdict): void
}

/** @param log prints one line. Lines that become part of the error are not logged. */
export function endOfBuild(log: (line: Line) => void): BuildEnd {
  const unusable: Line[] = []
  return {
    present: {
      show(lines, role) {
        if (role === 'unusable') unusable.push(...lines)
        else if (role !== 'summary' || lines[0]?.severity !== 'error') lines.forEach(log)
      },
    },
    conclude({ exitCode, summary, problems, signal }) {
      if (signal) {
        log(printableLine(summary))
        process.kill(process.pid, signal)
      }
      if (exitCode === 0) return unusable.forEach(log)
      const message = unusable.length > 0 ? unusable.map(({ text }) => text).join('\n  ') : printable(summary.text)
      // Bundlers already mark an exception as an error, so the message does not begin with `error`.
      const mark = `${t`error`} `
      throw buildFailure(message.startsWith(mark) ? message.slice(mark.length) : message, problems)
    },
  }
}
