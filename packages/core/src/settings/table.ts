import { t } from '../text.ts'
import type { Adapter, PluginAdapter, SettingDefinition, ValueOf } from './definition.ts'
import { SETTINGS } from './definitions.ts'

type Table = typeof SETTINGS
export type OptionName = keyof Table

/** The names of settings, which are options with an environment variable. */
export type SettingName = { [K in OptionName]: Table[K] extends { env: readonly string[] } ? K : never }[OptionName]

export type OptionValue<K extends OptionName> = ValueOf<Table[K]>

type PluginOptionName<A extends PluginAdapter> = {
  [K in OptionName]: Table[K] extends { plugins: readonly (infer P)[] } ? (A extends P ? K : never) : never
}[OptionName]

export type OptionsOf<A extends PluginAdapter> = {
  [K in PluginOptionName<A>]?:
    | OptionValue<K>
    | (Table[K] extends { mayBeFunction: true } ? (file: string, output: FileOutput) => string : never)
}

/** The output that contains a file. Options that are functions receive the output as an argument. */
interface FileOutput {
  /** The directory relative to the project, with `/` as the separator. */
  directory: string
  /** The output format, in the bundler's terminology. */
  format?: string
}

export const DEFINITIONS: readonly (readonly [OptionName, SettingDefinition])[] = Object.entries(SETTINGS) as [
  OptionName,
  SettingDefinition,
][]

export function nameIn(adapter: Adapter, name: OptionName): string | undefined {
  const { flag, gradle, plugins }: SettingDefinition = SETTINGS[name]
  if (adapter === 'cli') return flag?.split(' ')[0]
  if (adapter === 'gradle') return gradle
  return plugins?.includes(adapter) ? name : undefined
}

export function textsFor(adapter: Adapter, name: OptionName) {
  const definition: SettingDefinition = SETTINGS[name]
  const { description, details, default: fallback } = { ...definition, ...definition.per?.[adapter] }
  return { description, details, default: fallback }
}

/**
 * Describes how to set a value with an adapter: `--service, field service in symup.json, or environment variable SYMUP_SERVICE`. For
 * secrets, the environment comes first, and the config file is omitted, because it is often committed.
 */
export function waysToSet(name: SettingName, adapter: Adapter): string {
  const { env = [], secret, config }: SettingDefinition = SETTINGS[name]
  const own = nameIn(adapter, name)
  const ways = own === undefined ? [] : [shownName(adapter, own)]
  if (config && !secret) ways.push(t`the \`${name}\` field in symup.json`)
  const variable = t`the environment variable ${env[0]}`
  return listed(secret ? [variable, ...ways] : [...ways, variable])
}

/** Returns an option's name as it appears in messages: `--service`, `symup.serviceName` or ``option `service` ``. */
function shownName(adapter: Adapter, own: string): string {
  if (adapter === 'cli') return own
  return adapter === 'gradle' ? `symup.${own}` : t`the \`${own}\` option`
}

function listed(ways: readonly string[]): string {
  return ways.length < 3 ? ways.join(t` or `) : t`${ways.slice(0, -1).join(t`, `)}, or ${ways.at(-1)}`
}
