import { type Problem, problem } from '@symup/core'
import { nearestOf } from '@symup/core/internal'
import { phrase, shellWord, t, translated } from '@symup/core/text'
import { type Command, CommanderError } from 'commander'
import { CommandFailure } from './failure.ts'
import { adviceOnCommand, adviceOnFlag, counterpartOf, withoutFlags } from './foreign.ts'

/**
 * Converts errors from Commander to problems with suggestions.
 * @returns undefined if help or the version was printed. Other errors are returned unchanged.
 */
export function commandFailure(error: unknown, program: Command, args: readonly string[]): unknown {
  // symup would interpret `upload dsym`, a command of another uploader, as an upload of the path `dsym`.
  const isForeign =
    error instanceof CommandFailure && error.problems.some(({ code }) => code === 'directory-unreadable')
  const foreign = isForeign ? foreignCommand(program, args) : undefined
  if (foreign) return new CommandFailure([foreign])
  if (!(error instanceof CommanderError)) return error
  if (error.exitCode === 0) return undefined
  return new CommandFailure([problemOf(error, program, args)])
}

/**
 * Rejects flags as values of other flags. Commander would parse `--service --json` as a service with the name `--json`.
 * @throws CommandFailure
 */
export function refuseSwallowedFlags(command: Command): void {
  const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]))
  for (const option of command.options) {
    if (option.isBoolean() || command.getOptionValueSource(option.attributeName()) !== 'cli') continue
    const swallowed = [command.getOptionValue(option.attributeName())].flat().find((value) => flags.has(value))
    if (swallowed === undefined) continue
    const message = t`${option.long} requires a value, but ${swallowed} is a flag.`
    throw new CommandFailure([problem('command-invalid', message, { fix: t`Specify a value for ${option.long}.` })])
  }
}

export const COMMANDER_SENTENCES = [
  phrase`Missing required argument '${'name'}'.`,
  phrase`Option '${'flag'}' argument missing.`,
  phrase`Unknown option '${'flag'}'.`,
  phrase`Unknown option '${'flag'}'. Did you mean ${'flag'}?`,
  phrase`Option '${'flag'}' argument '${'value'}' is invalid. ${'why'}`,
  phrase`Command-argument value '${'value'}' is invalid for argument '${'name'}'. ${'why'}`,
  phrase`Allowed choices are ${'choices'}.`,
  phrase`Too many arguments for '${'command'}'. Expected ${'count'} argument but got ${'count'}.`,
  phrase`Too many arguments for '${'command'}'. Expected ${'count'} arguments but got ${'count'}.`,
  phrase`Too many arguments. Expected ${'count'} arguments but got ${'count'}.`,
]

function problemOf({ code, message }: CommanderError, program: Command, args: readonly string[]): Problem {
  const { command, rest } = reached(program, args)
  const name = nameOf(command)
  const help = t`Run ${name} --help to list the arguments and flags.`
  // Advice for other uploaders' commands takes precedence over symup's own errors.
  const foreign = foreignCommand(program, args)
  if (foreign) return foreign
  // If a group was called without a command, Commander has already printed the help.
  if (code === 'commander.help') {
    const visible = program.createHelp().visibleCommands(command)
    const names = visible.map((it) => it.name()).join(', ')
    return problem('command-invalid', t`${name} requires a subcommand: ${names}.`, { fix: help })
  }
  if (code === 'commander.unknownCommand') {
    const word = rest[0] ?? ''
    return problem('command-invalid', t`Unknown command "${name} ${word}".`, { fix: meant(program, command, rest) })
  }
  // A misspelled flag may contain an API key, as in `--api-kye=…`, so the value is removed.
  const text = message
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^'=]*)=.*?'/s, "$1'")
    .replace(/\n\(Did you mean (.*?)\?\)$/, '. Did you mean $1?')
  const flag = /^unknown option '(--?[^'=]*)/.exec(text)?.[1]
  const known = command.options.flatMap(({ long }) => long ?? [])
  // The flag is valid, but it precedes the words of the command.
  if (flag !== undefined && known.includes(flag)) {
    const fix = t`Put the flag after the command: ${name} … ${flag}.`
    return problem('command-invalid', translated(sentenceOf(text)), { fix })
  }
  const onFlag = flag === undefined ? undefined : adviceOnFlag(flag, known, command.registeredArguments[0]?.name())
  if (onFlag !== undefined)
    return problem('command-invalid', t`${name} does not support the flag ${flag}.`, { fix: onFlag })
  const near = flag === undefined ? undefined : nearestOf(flag, known)
  if (near !== undefined)
    return problem('command-invalid', t`${name} does not support the flag ${flag}.`, { fix: t`Did you mean ${near}?` })
  return problem('command-invalid', translated(sentenceOf(text)), { fix: help })
}

function foreignCommand(program: Command, args: readonly string[]): Problem | undefined {
  const counterpart = counterpartOf(args)
  const found = counterpart ?? adviceOnCommand(args)
  if (!found) return undefined
  const ours = found.entry.split(', ').map((name) => `${program.name()} ${name}`)
  const fix = counterpart ? didYouMean(ours, counterpart.rest) : translated(found.entry)
  return problem('command-invalid', t`Unknown command "${program.name()} ${found.words.join(' ')}".`, { fix })
}

function sentenceOf(message: string): string {
  const text = message.replace(/^error: /, '')
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!。？]$/.test(sentence) ? sentence : `${sentence}.`
}

function reached(program: Command, args: readonly string[]): { command: Command; rest: readonly string[] } {
  let command = program
  let rest = withoutFlags(args)
  for (;;) {
    const child = command.commands.find((it) => it.name() === rest[0] || it.aliases().includes(rest[0] ?? ''))
    if (!child) return { command, rest }
    command = child
    rest = withoutFlags(rest.slice(1))
  }
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}

function meant(program: Command, command: Command, words: readonly string[]): string {
  const [word = '', ...rest] = words
  const sibling = nearestOf(
    word,
    command.commands.map((it) => it.name()),
  )
  if (sibling !== undefined) return didYouMean([`${nameOf(command)} ${sibling}`], rest)
  const leaves = program.commands.flatMap((group) => group.commands)
  if (command !== program) {
    // In a group with only one command, the command may be omitted, as in `symup web dist`.
    const [only, ...others] = command.commands
    if (only && others.length === 0) return didYouMean([nameOf(only)], [word, ...rest])
    return t`Available subcommands: ${command.commands.map((it) => it.name()).join(', ')}.`
  }
  const near = nearestOf(word, [...new Set(leaves.map((leaf) => leaf.name()))])
  const same = leaves.filter((leaf) => leaf.name() === near)
  return same.length === 0 ? t`Run symup --help to list the commands.` : didYouMean(same.map(nameOf), rest)
}

/** Suggests similar names. Flags are not repeated in the suggestion, because their values may be secrets. */
function didYouMean(names: readonly string[], rest: readonly string[]): string {
  const [first = '', ...others] = names
  const flags = rest.findIndex((word) => word.startsWith('-'))
  const shown = (flags === -1 ? rest : rest.slice(0, flags)).map(shellWord)
  const line = [first, ...shown, ...(flags === -1 ? [] : ['…'])].join(' ')
  return others.length === 0
    ? t`Did you mean: ${line}?`
    : t`Did you mean: ${line}? Commands for other file types: ${others.join(', ')}.`
}
