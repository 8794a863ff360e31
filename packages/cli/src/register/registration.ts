import { t } from '@symup/core/text'
import type { Command } from 'commander'

/** What a command group needs to register itself. */
export interface Registration {
  program: Command
  /** The command's own version. */
  version: string
  /** Ends a command by setting the process's exit code. */
  exit(code: number): void
}

/** Adds examples to the end of a command's help. */
export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText('after', t`\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
}
