import { t } from '@symup/core/text'
import type { Command } from 'commander'
import { flagsShown } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerShell({ program, exit }: Registration): void {
  const schema = program
    .command('schema', { hidden: true })
    .argument('[name]', 'plan, report, explain, check, doctor, failure, problem or config')
    .description('print the JSON Schema for --json output or for symup.json')
    .action(async (name?: string) => {
      const { printSchema } = await import('../commands/schema.ts')
      exit(printSchema(name))
    })
  withExamples(schema, 'symup schema report', 'symup schema config')
  const completion = program
    .command('completion', { hidden: true })
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for the shell')
    .action(async (shell: string) => {
      const { printCompletion } = await import('../commands/completion.ts')
      exit(printCompletion(shell, program))
    })
  withExamples(completion, 'source <(symup completion bash)')
  program
    .helpCommand(false)
    .command('help')
    .argument('[topic...]', 'name of a command, "flags", or a problem code')
    .description('show help for a command, flags, or a problem')
    .action((topic: string[]) => showHelp(program, topic))
}

async function showHelp(program: Command, topic: readonly string[]): Promise<void> {
  if (topic.length === 1 && topic[0] === 'flags') {
    process.stdout.write(flagsPage(program))
    return
  }
  const { noHelp, topicOf } = await import('../commands/help.ts')
  const known = topicOf(topic[0] ?? '')
  if (topic.length === 1 && known) {
    process.stdout.write(`${known.join('\n')}\n`)
    return
  }
  let command = program
  for (const name of topic) {
    const child = command.commands.find((it) => it.name() === name)
    if (!child) throw noHelp(topic, program)
    command = child as Command
  }
  // Commander treats a group without a command as an error, but here the user requested help.
  command.outputHelp()
}

function flagsPage(program: Command): string {
  const help = program.createHelp()
  help.helpWidth = process.stdout.columns ?? 80
  const flags = [...flagsShown('usual'), ...flagsShown('further')]
  const widest = Math.max(...flags.map((flag) => help.optionTerm(flag).length))
  const rows = flags.map((flag) => help.formatItem(help.optionTerm(flag), widest, help.optionDescription(flag), help))
  return t`Flags for all upload commands:\n${rows.join('\n')}\n`
}
