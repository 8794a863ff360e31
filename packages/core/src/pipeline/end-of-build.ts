import { inspect } from 'node:util'
import { type Line, printableLine } from '../model/line.ts'
import { printable } from '../model/printable.ts'
import { type Problem, SymupError } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Presenter } from './present.ts'
import type { Verdict } from './verdict.ts'

/** What fails a build. Its inspection is its message, because bundlers print errors by inspecting them. */
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

/** Without a stack, of which Bun would show a part of our own bundle, whatever `stack` says later. */
function buildFailure(message: string, problems: Problem[]): BuildFailure {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return new BuildFailure(message, problems)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** How a plugin inside somebody else's build shows a run and ends it. */
export interface BuildEnd {
  present: Presenter
  /**
   * Ends the plugin's part of the build. After a signal, sends it again, now that everything has been shown.
   * @throws SymupError when the verdict fails the build: its message is the last line, or for an unusable configuration all of its problems.
   */
  conclude(verdict: Verdict): void
}

/** @param log takes one line for people. Nothing is shown twice: what becomes the error is not logged. */
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
      // The exception's name already marks it as an error.
      const mark = `${t`error`} `
      throw buildFailure(message.startsWith(mark) ? message.slice(mark.length) : message, problems)
    },
  }
}
