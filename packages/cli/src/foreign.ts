import { t, translated } from '@symup/core/text'
import { CommanderError } from 'commander'
import {
  ACCEPTED,
  ARGUMENTS,
  BETWEEN,
  COMMAND_ADVICE,
  COMMANDS,
  COMMANDS_OF_FLAGS,
  FLAG_ADVICE,
  NEEDLESS,
  PLACES,
  RENAMED,
} from './foreign-table.ts'

interface Found {
  entry: string
  /** The matched words. Flags between the words are omitted, because their values may be secrets. */
  words: readonly string[]
  rest: readonly string[]
}

/** Returns the entry with the longest name that matches the first arguments. */
function lookUp(table: ReadonlyMap<string, string>, args: readonly string[]): Found | undefined {
  return [...table]
    .flatMap(([name, entry]) => {
      const found = wordsIn(args, name.split(' '))
      return found ? [{ entry, ...found }] : []
    })
    .sort((a, b) => b.words.length - a.words.length)[0]
}

function wordsIn(args: readonly string[], words: readonly string[]): Omit<Found, 'entry'> | undefined {
  const found: string[] = []
  const flags: string[] = []
  let at = 0
  for (const word of words) {
    for (let length = lengthOfFlag(args[at]); length > 0; length = lengthOfFlag(args[at])) {
      flags.push(...args.slice(at, at + length))
      at += length
    }
    const arg = args[at]
    if (arg === undefined || (word !== arg && word !== '*')) return undefined
    found.push(arg)
    at++
  }
  return { words: found, rest: [...args.slice(at), ...flags] }
}

export const counterpartOf = (args: readonly string[]) => lookUp(COMMANDS, args)

export const adviceOnCommand = (args: readonly string[]) => lookUp(COMMAND_ADVICE, args)

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
  const version = '--release-version'
  if (NEEDLESS.has(flag)) return t`Remove ${flag}. symup does not need this flag.`
  const ours = RENAMED.get(flag)
  if (ours !== undefined && known.includes(ours)) return t`Use ${ours} instead.`
  if (PLACES.has(flag) && /\b(?:dir|path)\b/.test(argument))
    return t`Remove ${flag}, and pass the directory as an argument to the command.`
  // Commands without a version flag are not uploads, and the advice below applies only to uploads.
  if (!known.includes(version)) return undefined
  if (flag === '--dist' || flag === '-d') return t`Append the value of this flag to ${version}.`
  const command = COMMANDS_OF_FLAGS.get(flag)
  if (command !== undefined) return t`Use a separate command instead: symup ${command}.`
  const advice = FLAG_ADVICE.get(flag)
  return advice === undefined ? undefined : translated(advice)
}

/** @returns the number of arguments that belong to the flag, or 0 if `arg` is not a flag that may occur between words. */
function lengthOfFlag(arg = ''): number {
  if (/^--(?:quiet|no-color)$/.test(arg)) return 1
  const [name = '', ...value] = arg.split('=')
  return BETWEEN.has(name) ? (value.length > 0 ? 1 : 2) : 0
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
