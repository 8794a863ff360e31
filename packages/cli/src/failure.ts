import { EXIT, type Problem, printableJson, renderProblems, SymupError } from '@symup/core'
import { systemRefusal } from '@symup/core/internal'
import { printLines } from './terminal.ts'

/** An expected failure of a command. `runProgram` prints its problems on standard error, or as one document with `--json`. */
export class CommandFailure extends SymupError {
  readonly exitCode: number
  /** Fields to add to the command's document, in addition to the problems. */
  readonly document: object

  /** @param exitCode default: 2, an unusable command or configuration. */
  constructor(problems: Problem[], exitCode: number = EXIT.unusable, document: object = {}) {
    super(problems.map(({ message }) => message).join(' '), problems)
    this.exitCode = exitCode
    this.document = document
  }
}

/**
 * Prints the error that ended a command early. Bugs are rethrown.
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

/** Prints the only document of a run with `--json`. */
export function printDocument(document: unknown): void {
  process.stdout.write(`${printableJson(document)}\n`)
}
