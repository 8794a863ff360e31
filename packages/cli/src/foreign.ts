import { t } from '@symup/core/text'
import { CommanderError } from 'commander'
import { ACCEPTED, ARGUMENTS, BETWEEN, COMMANDS, PLACES, RENAMED } from './foreign-table.ts'

interface Found {
  entry: string
  /** The matched words. Flags between the words are omitted, because their values may be secrets. */
  words: readonly string[]
  rest: readonly string[]
}

/** Returns the command of symup whose counterpart has the longest name that matches the first arguments. */
export function counterpartOf(args: readonly string[]): Found | undefined {
  return [...COMMANDS]
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
