import { programOf } from '../packages/cli/src/program.ts'
import { SCHEMAS } from '../packages/cli/src/schemas.ts'

type Command = ReturnType<typeof programOf>

const MADE = 'This page is generated from the code (`npm run docs`).'
const WIDTH = 100

export function commandsPage(): string {
  // `symup intake` is a command and also has subcommands. Groups such as `symup web` have no options.
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
  const about = `This page contains the help of every command. For the flags that all uploads share, see [the command's README](../../packages/cli/README.md#commands) or run \`symup help flags\`. ${MADE}`
  return ['# Commands and flags', about, ...sections].join('\n\n')
}

function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => WIDTH })
  command.outputHelp()
  return help.trim()
}

const PRINTED_BY: Readonly<Record<keyof typeof SCHEMAS, string>> = {
  plan: 'an upload with `--dry-run --json`',
  report: 'an upload with `--json`',
  explain: '`symup explain --json`',
  check: '`symup check --json`',
  doctor: '`symup doctor --json`',
  failure: 'any command with `--json` that could not start',
  problem: 'the other documents, as an element of `problems`',
  config: 'no command; the schema describes `symup.json`',
}

export function jsonPage(): string {
  const sections = Object.entries(SCHEMAS).map(
    ([name, schema]) =>
      `## ${name}\n\nPrinted by ${PRINTED_BY[name as keyof typeof SCHEMAS]}.\n\n\`\`\`json\n${JSON.stringify(schema, null, 1)}\n\`\`\`\n`,
  )
  const about = `With \`--json\`, standard output contains exactly one JSON document. This page lists the schemas (JSON Schema 2020-12). New versions may add fields but do not remove any, so ignore unknown fields. \`symup schema <name>\` prints the same schemas. ${MADE}`
  return ['# JSON documents', about, ...sections].join('\n\n')
}
