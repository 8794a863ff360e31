import { t } from '@symup/core/text'
import { CommanderError } from 'commander'
import { ACCEPTED, ARGUMENTS, BEFORE, COMMANDS, PLACES, RENAMED } from './foreign-table.ts'

/** Returns the command of symup whose counterpart has the longest name that matches the first arguments. */
export function counterpartOf(args: readonly string[]) {
  const given = withoutFlags(args)
  const matches = [...COMMANDS].flatMap(([name, entry]) => {
    const words = name.split(' ')
    const isOne = words.every((word, index) => word === given[index] || (word === '*' && index < given.length))
    return isOne ? [{ entry, words: given.slice(0, words.length), rest: given.slice(words.length) }] : []
  })
  return matches.sort((a, b) => b.words.length - a.words.length)[0]
}

export function translateFlags(args: readonly string[]): string[] {
  const command = withoutFlags(args).slice(0, 2).join(' ')
  if (!/\bupload/.test(command)) return [...args]
  return args.flatMap((arg, index) => {
    const [flag = '', ...rest] = arg.split('=')
    const value = rest.length > 0 ? [rest.join('=')] : []
    if (args[index - 1] === '--url-prefix') return [withoutOrigin(arg)]
    const ours = ACCEPTED.get(flag)
    if (ours !== undefined) return [ours, ...(flag === '--url-prefix' ? value.map(withoutOrigin) : value)]
    return ARGUMENTS.get(flag) === command ? value : [arg]
  })
}

/** Removes `~`, which stands for any origin in Sentry. symup uses only the path. */
const withoutOrigin = (prefix: string): string => prefix.replace(/^~\/?/, '/')

/**
 * @param known the flags of the command.
 * @param argument the name of the command's first argument.
 */
export function adviceOnFlag(flag: string, known: readonly string[], argument = ''): string | undefined {
  const ours = RENAMED.get(flag)
  if (ours !== undefined && known.includes(ours)) return t`Use ${ours} instead.`
  return PLACES.has(flag) && /\b(?:dir|path)\b/.test(argument)
    ? t`Remove ${flag}, and pass the directory as an argument to the command.`
    : undefined
}

/** @returns the number of arguments that belong to the flag, or 0 if `arg` is not a flag that may precede the words of a command. */
function lengthOfFlag(arg = ''): number {
  if (/^--(?:quiet|no-color)$/.test(arg)) return 1
  const [name = '', ...value] = arg.split('=')
  return BEFORE.has(name) ? (value.length > 0 ? 1 : 2) : 0
}

/** Removes flags that precede the first word, such as `--lang zh`. */
export function withoutFlags(args: readonly string[]): readonly string[] {
  const length = lengthOfFlag(args[0])
  return length > 0 ? withoutFlags(args.slice(length)) : args
}

/**
 * Rejects `--version 1.2.3` after a command. Other uploaders use this flag for the release version, but Commander would print the version
 * of symup and exit successfully.
 * @throws CommanderError
 */
export function refuseVersionOfRelease(args: readonly string[]): void {
  const [first = '-'] = withoutFlags(args)
  if (!first.startsWith('-') && args.includes('--version'))
    throw new CommanderError(1, 'commander.unknownOption', "error: unknown option '--version'")
}
