import type { Command } from 'commander'
import { furtherFlags, usualFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

/** The commands that are about the command itself. */
export function registerShell({ program, exit }: Registration): void {
  const schema = program
    .command('schema')
    .argument('[name]', 'plan, report, explain, check, doctor, failure, problem or config')
    .description('print the JSON Schema of what --json prints, or of symup.json (config)')
    .action(async (name?: string) => {
      const { printSchema } = await import('../commands/schema.ts')
      exit(printSchema(name))
    })
  withExamples(schema, 'symup schema report', 'symup schema config')
  const completion = program
    .command('completion')
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
    .argument('[topic...]', 'a command, or flags')
    .description('help of a command, or the flags of every upload')
    .action((topic: string[]) => showHelp(program, topic))
}

function showHelp(program: Command, topic: readonly string[]): void {
  if (topic.length === 1 && topic[0] === 'flags') {
    process.stdout.write(flagsPage(program))
    return
  }
  let command = program
  for (const name of topic) {
    const child = command.commands.find((it) => it.name() === name)
    if (!child) program.error(`error: there is no help about '${topic.join(' ')}' (symup --help shows the commands)`)
    command = child as Command
  }
  command.help()
}

/** The flags that every upload has, in the words of the commands' own help. */
function flagsPage(program: Command): string {
  const help = program.createHelp()
  help.helpWidth = process.stdout.columns ?? 80
  const flags = [...usualFlags(), ...furtherFlags()]
  const widest = Math.max(...flags.map((flag) => help.optionTerm(flag).length))
  const rows = flags.map((flag) => help.formatItem(help.optionTerm(flag), widest, flag.description, help))
  return `Flags of every uploading command:\n${rows.join('\n')}\n`
}
