import { t } from '@symup/core/text'
import type { Command } from 'commander'

export interface Registration {
  program: Command
  version: string
  exit(code: number): void
}

export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText('after', t`\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
}
