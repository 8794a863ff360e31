import { programOf } from '../packages/cli/src/program.ts'
import { SCHEMAS } from '../packages/cli/src/schemas.ts'

type Command = ReturnType<typeof programOf>

const MADE = 'This page is generated from the code (`npm run docs`).'
const WIDTH = 100

export function commandsPage(): string {
  // `symup intake` has subcommands but is also a command itself. Groups such as `symup web` only contain subcommands.
  const runnable = (command: Command): Command[] => [
    ...(command.commands.length === 0 || command.options.length > 0 ? [command] : []),
    ...command.commands.flatMap(runnable),
  ]
  const program = programOf('', () => undefined)
  const sections = program.commands.flatMap(runnable).map((command) => {
    const name: string[] = []
    for (let at: Command | null = command; at; at = at.parent) name.unshift(at.name())
    return `## ${name.join(' ')}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`
  })
  const about = `This page shows the help text for every command. For flags that all upload commands share, see [the command's README](../../packages/cli/README.md#commands) or run \`symup help flags\`. ${MADE}`
  return ['# Commands and flags', about, ...sections].join('\n\n')
}

function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => WIDTH })
  command.outputHelp()
  return help.trim()
}

const PRINTED_BY: Readonly<Record<keyof typeof SCHEMAS, string>> = {
  plan: 'An upload command with `--dry-run --json` prints this document.',
  report: 'An upload command with `--json` prints this document.',
  explain: '`symup explain --json` prints this document.',
  check: '`symup check --json` prints this document.',
  doctor: '`symup doctor --json` prints this document.',
  failure: 'Any command with `--json` prints this document if it cannot start.',
  problem: 'The `problems` arrays in the other documents contain elements with this schema.',
  config: 'This schema describes `symup.json`. No command prints a document with this schema.',
}

export function jsonPage(): string {
  const sections = Object.entries(SCHEMAS).map(
    ([name, schema]) =>
      `## ${name}\n\n${PRINTED_BY[name as keyof typeof SCHEMAS]}\n\n\`\`\`json\n${JSON.stringify(schema, null, 1)}\n\`\`\`\n`,
  )
  const about = `With \`--json\`, a command prints exactly one JSON document to standard output. This page lists the JSON Schema (2020-12) of each document. New versions of symup may add fields but do not remove any, so ignore unknown fields. To print a schema in the terminal, run \`symup schema <name>\`. ${MADE}`
  return ['# JSON documents', about, ...sections].join('\n\n')
}
