import { EXIT, type Problem, printableJson, renderProblems, SymupError } from '@symup/core'
import { systemRefusal } from '@symup/core/internal'
import { printLines } from './terminal.ts'

/** An expected failure. `runProgram` prints its problems to standard error, or as a JSON document if `--json` is set. */
export class CommandFailure extends SymupError {
  readonly exitCode: number
  /** Additional fields for the JSON document. */
  readonly document: object

  /** @param exitCode default: 2 (unusable command or configuration). */
  constructor(problems: Problem[], exitCode: number = EXIT.unusable, document: object = {}) {
    super(problems.map(({ message }) => message).join(' '), problems)
    this.exitCode = exitCode
    this.document = document
  }
}

/**
 * Reports an expected failure. Other errors are bugs and are rethrown.
 * @returns the exit code.
 */
export function reportFailure(error: unknown, asJson: boolean): number {
  if (error instanceof SymupError) {
    const { exitCode = EXIT.unusable, document = {} } = error as Partial<CommandFailure>
    printLines(renderProblems(error.problems), process.stderr)
    if (asJson) printDocument({ ...document, problems: error.problems })
    return exitCode
  }
  const refusal = systemRefusal(error)
  if (refusal) return reportFailure(new CommandFailure([refusal]), asJson)
  throw error
}

export function printDocument(document: unknown): void {
  process.stdout.write(`${printableJson(document)}\n`)
}
