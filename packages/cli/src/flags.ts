import {
  DEFINITIONS,
  type GzipLevel,
  nameIn,
  type OptionName,
  type OptionValue,
  type Policy,
  parsePolicy,
  SETTINGS,
  type SettingDefinition,
  type SettingOptions,
  textsFor,
} from '@symup/core'
import { t } from '@symup/core/text'
import { type Command, InvalidArgumentError, Option } from 'commander'

type Table = typeof SETTINGS
type Camel<Word extends string> = Word extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Word
type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text
/**
 * The property name that Commander derives from a flag: `--release-version <version>` becomes `releaseVersion`, and `--no-config-file`
 * becomes `configFile`.
 */
type FlagKey<Text extends string> =
  FirstWord<Text> extends `--no-${infer Word}`
    ? Camel<Word>
    : FirstWord<Text> extends `--${infer Word}`
      ? Camel<Word>
      : never
type FlagOf<Name extends OptionName> = Table[Name] extends { flag: infer Text extends string } ? Text : never
type NamesShown<Where> = {
  [Name in OptionName]: FlagOf<Name> extends never ? never : Table[Name] extends { flagShown: Where } ? never : Name
}[OptionName]
type FlagValue<Name extends OptionName> = Name extends 'policy'
  ? Policy
  : Name extends 'compression'
    ? GzipLevel
    : OptionValue<Name> | (Table[Name] extends { negated: object } ? false : never)

/** Flags that all upload commands have, keyed by the property names that Commander derives. */
export type UploadFlags = { [Name in NamesShown<'own'> as FlagKey<FlagOf<Name>>]?: FlagValue<Name> }

/**
 * @param where `usual` flags are listed in the help of each command, `further` flags only by `symup help flags`, and `rare` flags only in
 * the documentation.
 */
export function flagsShown(where: 'usual' | 'further' | 'rare'): Option[] {
  return DEFINITIONS.flatMap(([name, { flag, flagShown = 'further', negated }]) => {
    if (flag === undefined || flagShown !== where) return []
    return [flagOption(name), ...(negated ? [new Option(negated.flag, negated.description)] : [])]
  })
}

export function flagOption(name: OptionName): Option {
  const { flag = '', type, range }: SettingDefinition = SETTINGS[name]
  const option = new Option(flag, helpOf(name, type === 'boolean'))
  if (name === 'policy') return option.argParser(policy)
  if (type === 'list') return option.argParser(inList)
  return type === 'integer' && range ? option.argParser(wholeNumber(...range)) : option
}

/**
 * Returns the help text for a flag, such as `artifacts in flight at a time (default: 6)`. Switches are off by default, so their default is
 * omitted.
 */
function helpOf(name: OptionName, isSwitch: boolean): string {
  const { description, default: fallback } = textsFor('cli', name)
  const sentence = description.replace(/\.$/, '').replaceAll('`', '')
  // Keep the capital letters in `API key`.
  const text = /^[A-Z][a-z ]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence
  const auto = name === 'version' || name === 'service' ? ", or 'auto'" : ''
  return `${text}${auto}${fallback === undefined || isSwitch ? '' : ` (default: ${fallback.replaceAll('`', '').replace(/^'(.*)'$/, '$1')})`}`
}

export function withFailOnWarnings(command: Command): Command {
  for (const flag of [flagOption('failOnWarnings'), ...formerFlags()]) command.addOption(flag)
  return command
}

function formerFlags(): Option[] {
  return DEFINITIONS.flatMap(([name, { flag, formerly }]) => {
    if (flag === undefined || formerly === undefined) return []
    const help = `the same as ${flag}`
    if (formerly.startsWith('--')) return [new Option(formerly, help).hideHelp().implies({ [keyOf(name)]: true })]
    const long = formerly.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return [new Option(`--${long} <value>`, help).hideHelp().argParser(inList)]
  })
}

const inList = (text: string, before: readonly string[] = []) => [...before, text]

export function withUploadFlags(command: Command): Command {
  for (const flag of flagsShown('usual')) command.addOption(flag)
  const hidden = [...flagsShown('further'), ...flagsShown('rare'), ...formerFlags()]
  for (const flag of hidden) command.addOption(flag.hideHelp())
  return command.addHelpText('after', t`\nTo list the flags for all upload commands, run: symup help flags`)
}

export function settingsIn(flags: object): SettingOptions {
  const given = flags as Readonly<Record<string, unknown>>
  const settings = DEFINITIONS.filter(([, { flag, env }]) => flag !== undefined && env !== undefined)
  return Object.fromEntries(settings.map(([name, { formerly = '' }]) => [name, given[keyOf(name)] ?? given[formerly]]))
}

function keyOf(name: OptionName): string {
  const flag = nameIn('cli', name) ?? ''
  return flag.replace(/^--(?:no-)?/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Parses the value of a repeatable `key=value` flag. */
export function keyValue(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (key === undefined || value === undefined) throw new InvalidArgumentError(t`Use the form prefix=alias.`)
  return { ...before, [key]: value }
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(t`Use a whole number from ${least} to ${most}.`)
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
