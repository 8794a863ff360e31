import { catalogueOf } from '@symup/core/catalogue'
import { columnsOf, setLanguage } from '@symup/core/internal'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { englishIn } from '../../../test/support/english.ts'
import type { CommandFailure } from './failure.ts'
import { COMMANDER_SENTENCES, commandFailure } from './near-miss.ts'
import { programOf } from './program.ts'

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

function helpOf(command: Command, columns: number): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => columns })
  command.outputHelp()
  return text
}

const named = allCommands(programOf('1.0.0', () => undefined)).map(
  (command) => [[command.parent?.name(), command.name()].filter(Boolean).join(' '), command] as const,
)

describe.each(named)('%s --help', (_, command) => {
  it('fits a screen of 80 × 40, its examples before all else', () => {
    const help = helpOf(command, 80).trimEnd().split('\n')
    expect(help.length).toBeLessThanOrEqual(40)
    expect(Math.max(...help.map((line) => line.length))).toBeLessThanOrEqual(82)
    const isGroup = command.commands.length > 0 && command.parent !== null
    if (!isGroup && command.name() !== 'help') expect(help[0]).toBe('Examples:')
  })

  it('wraps for a narrow terminal', () => {
    const help = helpOf(command, 60)
      .split('\n')
      .filter((line) => !/^ {2}(?:symup|pbpaste|source|--)/.test(line.slice(0, 8)))
    const usage = help.findIndex((line) => line.startsWith('Usage:'))
    expect(Math.max(...help.slice(usage).map((line) => line.length))).toBeLessThanOrEqual(72)
  })
})

it('in Chinese every help fits the same screen and has no English in it', () => {
  setLanguage('zh')
  try {
    for (const command of allCommands(programOf('1.0.0', () => undefined))) {
      const help = helpOf(command, 80).trimEnd().split('\n')
      expect(help.length, command.name()).toBeLessThanOrEqual(40)
      expect(Math.max(...help.map(columnsOf)), command.name()).toBeLessThanOrEqual(82)
      expect(help[0] === '示例：' || help[0]?.startsWith('用法：'), command.name()).toBe(true)
      expect(englishIn(help.join('\n'))).toEqual([])
    }
  } finally {
    setLanguage('en')
  }
})

it.each([
  [['check']],
  [['check', 'dist', '--cwd']],
  [['upload']],
  [['check', 'dist', '--zzz']],
  [['intake', '--port', 'x']],
  [['explain', '--platform', 'x']],
  [['check', 'a', 'b']],
  [['doctor', 'a', 'b']],
])('what Commander says of %j is one of the sentences that have their Chinese', async (args) => {
  const program = programOf('1.0.0', () => undefined)
  const failure = await program.parseAsync(args, { from: 'user' }).then(
    () => undefined,
    (error) => commandFailure(error, program, args) as Error,
  )
  const known = catalogueOf(Object.fromEntries(COMMANDER_SENTENCES.map((sentence) => [sentence, sentence])))
  expect(known.sentence(failure?.message ?? ''), failure?.message).toBeDefined()
})

it.each([
  ['sourcemaps upload dist --release 1', 'Did you mean: symup web upload dist …?'],
  ['dsyms upload Shop.dSYM', 'Did you mean: symup ios upload Shop.dSYM?'],
  ['upload-proguard mapping.txt', 'Did you mean: symup android upload-mapping mapping.txt?'],
  [
    'debug-files upload x',
    'Did you mean: symup ios upload x? For other files: symup android upload-ndk, symup electron upload.',
  ],
  ['sourcemaps inject dist', 'symup --help shows the commands.'],
])("another uploader's command %j is known: %s", async (line, fix) => {
  const args = line.split(' ')
  const program = programOf('1.0.0', () => undefined)
  const failure = await program
    .parseAsync(args, { from: 'user' })
    .catch((error) => commandFailure(error, program, args))
  expect((failure as CommandFailure).problems[0]?.fix).toBe(fix)
})

it('the help of symup itself names the languages and what decides where none is given', () => {
  const help = helpOf(
    programOf('1.0.0', () => undefined),
    120,
  )
  expect(help).toMatch(/--lang <language> +en or zh \(default: SYMUP_LANG, else the locale\)\n/)
})
