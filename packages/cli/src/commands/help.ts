import { docsUrl, PROBLEMS, type ProblemCode, problem } from '@symup/core'
import { didYouMean } from '@symup/core/internal'
import { t, translated } from '@symup/core/text'
import { REASONS } from '@symup/symbolicate/internal'
import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'

export function topicOf(code: string): string[] | undefined {
  if (Object.hasOwn(PROBLEMS, code)) {
    const { category, severity, cause, fix } = PROBLEMS[code as ProblemCode]
    return [
      t`${code} (${translated(severity)}, ${category})`,
      '',
      translated(cause),
      t`  fix: ${translated(fix)}`,
      t`  docs: ${docsUrl(code)}`,
    ]
  }
  if (!Object.hasOwn(REASONS, code)) return undefined
  const { cause, fix } = REASONS[code as keyof typeof REASONS]
  return [
    t`${code} (reason for an unresolved frame)`,
    '',
    translated(cause),
    ...(fix === '' ? [] : [t`  fix: ${translated(fix)}`]),
    t`  docs: ${docsUrl(code)}`,
  ]
}

export function noHelp(topic: readonly string[], program: Command): CommandFailure {
  const words = [...program.commands.map((it) => it.name()), 'flags', ...Object.keys(PROBLEMS), ...Object.keys(REASONS)]
  const message = t`No help found for "${topic.join(' ')}".` + didYouMean(topic.at(-1) ?? '', words)
  const fix = t`Pass the name of a command, or a problem code from an error message. To list the commands, run symup --help.`
  return new CommandFailure([problem('command-invalid', message, { fix })])
}
