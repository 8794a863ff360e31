import { type GzipLevel, type Policy, parsePolicy } from '@symup/core'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** Flags that every uploading command has. */
export interface UploadFlags {
  apiKey?: string
  endpoint?: string
  site?: string
  service?: string
  releaseVersion?: string
  dryRun?: boolean
  json?: boolean
  quiet?: boolean
  strict?: boolean
  /** File for the problems: `*.sarif`, else GitLab's Code Quality format. */
  output?: string
  concurrency?: number
  compression?: GzipLevel
  /** `--ledger FILE`, or false for `--no-ledger`. */
  ledger?: string | false
  resume?: boolean
  proxy?: string
  ca?: string
  /** Seconds. */
  timeBudget?: number
  attempts?: number
  policy?: Policy
  cwd?: string
  /** Commander's form of `--no-config-file`. */
  configFile: boolean
}

/** Flags that most people need; each command's help shows them. */
export function usualFlags(): Option[] {
  return [
    new Option('--service <name>', 'service name, as the running app reports it'),
    new Option('--release-version <version>', "release version, as the app reports it, or 'auto'"),
    new Option('--api-key <key>', 'API key (better: SYMUP_API_KEY in the environment)'),
    new Option('--endpoint <url>', 'address of the intake'),
    new Option('--dry-run', 'show what would be uploaded, send nothing'),
    new Option('--json', 'print one JSON document on standard output'),
    new Option('--strict', 'count warnings as failures'),
  ]
}

/** Flags that few people need: hidden in the help of a command, all listed by `symup help flags`. */
export function furtherFlags(): Option[] {
  return [
    new Option('--site <site>', 'CN or STAGING (default: CN)'),
    new Option('--quiet', 'print problems and the last line only'),
    new Option('--output <file>', 'write the problems to a file: *.sarif, or GitLab Code Quality JSON'),
    new Option(
      '--policy <policy>',
      'what fails the command: strict (default), ci or local, and kind=fail|warn|ignore',
    ).argParser(policy),
    new Option('--ledger <file>', 'remember here what was sent (default: in node_modules/.cache, where there is one)'),
    new Option('--no-ledger', 'remember nothing'),
    new Option('--resume', 'leave out what the ledger says the intake has'),
    new Option('--concurrency <n>', 'artifacts in flight at a time (default: 6)').argParser(wholeNumber(1, 64)),
    new Option('--compression <level>', 'gzip level, 1 to 9 (default: by the speed of the network)').argParser(
      wholeNumber(1, 9),
    ),
    new Option('--attempts <n>', 'requests made for one artifact before it counts as failed (default: 5)').argParser(
      wholeNumber(1, 100),
    ),
    new Option('--time-budget <seconds>', 'end the run after so long; what is left is not tried').argParser(
      wholeNumber(1, 86_400),
    ),
    new Option('--proxy <url>', 'proxy to use, or "" for none (default: as the environment says)'),
    new Option('--ca <file>', 'certificates (PEM) to trust besides the usual ones'),
    new Option('--cwd <dir>', 'project directory (default: the working directory)'),
    new Option('--no-config-file', 'ignore symup.json and flashcat-ci.json'),
  ]
}

const MORE_FLAGS = '\nMore flags, the same for every upload: symup help flags'

/** Gives a command all flags of an upload. */
export function withUploadFlags(command: Command): Command {
  for (const flag of usualFlags()) command.addOption(flag)
  for (const flag of furtherFlags()) command.addOption(flag.hideHelp())
  return command.addHelpText('after', MORE_FLAGS)
}

/** Parses `key=value`; the flag may be repeated. */
export function keyValue(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be prefix=alias.')
  return { ...before, [key]: value }
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
    }
    return value
  }
}

function policy(text: string): Policy {
  try {
    return parsePolicy(text)
  } catch (error) {
    throw new InvalidArgumentError((error as RangeError).message)
  }
}
