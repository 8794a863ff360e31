import type { Problem } from '@symup/core'
import { catalogueOf } from '@symup/core/catalogue'
import { columnsOf, setLanguage } from '@symup/core/text'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { englishIn } from '../../../test/support/english.ts'
import type { CommandFailure } from './failure.ts'
import { refuseVersionOfRelease } from './foreign.ts'
import { ACCEPTED, ARGUMENTS, COMMANDS, COMMANDS_OF_FLAGS, RENAMED } from './foreign-table.ts'
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
  it('shows the usage first and fits an 80 × 40 screen', () => {
    const help = helpOf(command, 80).trimEnd().split('\n')
    expect(help.length).toBeLessThanOrEqual(40)
    expect(Math.max(...help.map((line) => line.length))).toBeLessThanOrEqual(82)
    expect(help[0]).toMatch(/^Usage: /)
    const isGroup = command.commands.length > 0 && command.parent !== null
    if (!isGroup && command.name() !== 'help') expect(help).toContain('Examples:')
  })

  it('wraps lines for a narrow terminal', () => {
    const help = helpOf(command, 60)
      .split('\n')
      .filter((line) => !/^ {2}(?:symup|pbpaste|source|--)/.test(line.slice(0, 8)))
    const usage = help.findIndex((line) => line.startsWith('Usage:'))
    expect(Math.max(...help.slice(usage).map((line) => line.length))).toBeLessThanOrEqual(72)
  })
})

it('fits every Chinese help text on the same screen and shows no English text', () => {
  setLanguage('zh')
  try {
    for (const command of allCommands(programOf('1.0.0', () => undefined))) {
      const help = helpOf(command, 80).trimEnd().split('\n')
      expect(help.length, command.name()).toBeLessThanOrEqual(40)
      expect(Math.max(...help.map(columnsOf)), command.name()).toBeLessThanOrEqual(82)
      expect(help[0]?.startsWith('用法：'), command.name()).toBe(true)
      expect(englishIn(help.join('\n'))).toEqual([])
    }
  } finally {
    setLanguage('en')
  }
})

it.each([
  [['check']],
  [['check', 'dist', '--cwd']],
  [['check', 'dist', '--zzz']],
  [['intake', '--port', 'x']],
  [['explain', '--platform', 'x']],
  [['check', 'a', 'b']],
  [['doctor', 'a', 'b']],
])("translates Commander's message for %j into Chinese", async (args) => {
  const program = programOf('1.0.0', () => undefined)
  const failure = await program.parseAsync(args, { from: 'user' }).then(
    () => undefined,
    (error) => commandFailure(error, program, args) as Error,
  )
  const known = catalogueOf(Object.fromEntries(COMMANDER_SENTENCES.map((sentence) => [sentence, sentence])))
  expect(known.sentence(failure?.message ?? ''), failure?.message).toBeDefined()
})

async function problemFor(line: string): Promise<Problem | undefined> {
  const args = line.split(' ')
  const program = programOf('1.0.0', () => undefined)
  const parse = async () => {
    refuseVersionOfRelease(args)
    return program.parseAsync(args, { from: 'user' })
  }
  const failure = await parse().catch((error) => commandFailure(error, program, args))
  return (failure as CommandFailure).problems[0]
}

const fixFor = async (line: string) => (await problemFor(line))?.fix

it.each([
  ['sourcemaps upload dist --release 1', 'Did you mean: symup web upload dist …?'],
  [
    'debug-files upload x',
    'Did you mean: symup ios upload x? Commands for other file types: symup android upload-ndk, symup electron upload.',
  ],
  ['releases files 1.2.3 upload-sourcemaps dist --rewrite', 'Did you mean: symup web upload dist …?'],
  ['upload-browser --directory dist', 'Did you mean: symup web upload …?'],
  ['upload js dist', 'Did you mean: symup web upload dist?'],
  ['releases new 1.2.3', 'Remove this command. symup sends the release version with each upload.'],
  ['inject-bundle-id dist', 'To make the bundler plugin write debug ids, set `debugIds: true`.'],
  [
    'react-native xcode',
    'Use the Gradle and Xcode scripts from @symup/react-native. The README of the package describes them.',
  ],
  // Scripts put flags before and between the words of a command.
  ['releases -p shop files shop@1 upload-sourcemaps --ext js .', 'Did you mean: symup web upload …?'],
  [
    'releases --org o --project=p files abc upload-sourcemaps dist/ --validate',
    'Did you mean: symup web upload dist/ …?',
  ],
  ['--auth-token x releases files 1 upload-sourcemaps ./dist', 'Did you mean: symup web upload ./dist …?'],
  ['releases files 1 delete --all', 'Remove this command. symup sends the release version with each upload.'],
  [
    'releases files 1 upload a.js ~/a.js',
    'Run symup web upload, and pass the directory that contains all scripts and source maps.',
  ],
  [
    'upload android-aab shop.aab --api-key k',
    'Did you mean: symup android upload-mapping shop.aab …? Commands for other file types: symup android upload-ndk.',
  ],
  ['upload react-native-sourcemaps --platform=ios', 'Did you mean: symup react-native upload …?'],
  ['upload --output-path dist', 'Remove --output-path, and pass the directory as an argument to the command.'],
])("recognizes another uploader's command %j: %s", async (line, fix) => {
  expect(await fixFor(line)).toBe(fix)
})

it("quotes another uploader's command without its arguments", async () => {
  expect((await problemFor('create-build --api-key secret'))?.message).toBe('Unknown command "symup create-build".')
  expect((await problemFor('upload js dist'))?.message).toBe('Unknown command "symup upload js".')
  expect((await problemFor('--auth-token secret releases -p shop new 1'))?.message).toBe(
    'Unknown command "symup releases".',
  )
})

it.each([
  ['sourcemap upload --directory dist --version 1', 'Did you mean: symup web upload …?'],
  ['flutter upload symbols --service s --version 1.2.3', 'Use --release-version instead.'],
  ['web upload dist --version=1', 'Use --release-version instead.'],
  ['--lang en android upload-mapping m.txt --version 1', 'Use --release-version instead.'],
])('rejects %j instead of printing the version of symup', async (line, fix) => {
  expect(await fixFor(line)).toBe(fix)
})

it.each(['--api-key x web upload dist', 'web --api-key=x upload dist', '--quiet --lang en web upload dist'])(
  'rejects %j, which contains a flag of another command',
  async (line) => {
    const flag = line.includes('quiet') ? '--quiet' : '--api-key'
    expect(await fixFor(line)).toBe(`Put the flag after the command: symup web upload … ${flag}.`)
  },
)

it.each(['--version', '-V', '--no-color --version', '--lang zh --version'])(
  'prints the version of symup for %s',
  (line) => {
    expect(() => refuseVersionOfRelease(line.split(' '))).not.toThrow()
  },
)

it.each([
  ['--org acme', 'Use --service instead.'],
  ['--url=https://x', 'Use --endpoint instead.'],
  ['-r 1', 'Use --release-version instead.'],
  ['--dist 4', 'Append the value of this flag to --release-version.'],
  ['--directory dist', 'Remove --directory, and pass the directory as an argument to the command.'],
  ['--overwrite', 'Remove --overwrite. symup does not need this flag.'],
  ['--strip-prefix x', 'Remove this flag. symup does not change source names in source maps.'],
  ['--detect-app-version', 'Pass `--release-version auto` to read the version from the project.'],
  ['--ios-dsyms', 'Use a separate command instead: symup ios upload.'],
  ['--bundle dist/a.js', 'Remove --bundle, and pass the directory as an argument to the command.'],
  ['--fips', 'Run symup web upload --help to list the arguments and flags.'],
])("recognizes another uploader's flag %s for an upload: %s", async (flag, fix) => {
  expect(await fixFor(`web upload dist ${flag}`)).toBe(fix)
})

it('suggests only replacements that exist for commands and flags of other uploaders', () => {
  const program = programOf('1.0.0', () => undefined)
  const names = named.map(([name]) => name.replace(/^symup /, ''))
  const flags = new Set(allCommands(program).flatMap(({ options }) => options.map(({ long }) => long)))
  for (const ours of [...COMMANDS.values(), ...COMMANDS_OF_FLAGS.values(), ...ARGUMENTS.values()])
    for (const name of ours.split(', ')) expect(names, name).toContain(name)
  for (const flag of [...RENAMED.values(), ...ACCEPTED.values()]) expect(flags, flag).toContain(flag)
})

it('suggests only flags that the command supports', async () => {
  expect(await fixFor('explain e.json --directory dist')).toBe('Did you mean --dir?')
  expect(await fixFor('react-native upload main.jsbundle --directory ios')).not.toContain('Leave out')
  expect(await fixFor('ios upload x --directory ios')).toContain('Remove --directory')
  expect(await fixFor('ios upload x --ignore y')).toBe('Use --exclude instead.')
  expect(await fixFor('check dist --ignore x')).toBe('Run symup check --help to list the arguments and flags.')
})

it('starts the top-level help with the basics, and hides rarely used commands', () => {
  const program = programOf('1.0.0', () => undefined)
  const shown = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name())
  expect(shown.slice(0, 6)).toEqual(['init', 'doctor', 'check', 'explain', 'upload', 'intake'])
  expect(shown).not.toContain('schema')
  expect(helpOf(program, 120)).not.toContain('completion')
  expect(allCommands(program).map((command) => command.name())).toEqual(
    expect.arrayContaining(['schema', 'completion', 'gc']),
  )
})

it('lists the languages and explains the default in the top-level help', () => {
  const help = helpOf(
    programOf('1.0.0', () => undefined),
    120,
  )
  expect(help).toMatch(
    /--lang <language> +language of the output: en or zh \(default: SYMUP_LANG, otherwise the locale\)\n/,
  )
})
