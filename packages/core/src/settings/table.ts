import { t } from '../text.ts'
import type { Adapter, PluginAdapter, SettingDefinition, ValueOf } from './definition.ts'
import { SETTINGS } from './definitions.ts'

type Table = typeof SETTINGS
export type OptionName = keyof Table

/** Names of settings: options with an environment variable. */
export type SettingName = { [K in OptionName]: Table[K] extends { env: readonly string[] } ? K : never }[OptionName]

/** The type of an option's value. */
export type OptionValue<K extends OptionName> = ValueOf<Table[K]>

type PluginOptionName<A extends PluginAdapter> = {
  [K in OptionName]: Table[K] extends { plugins: readonly (infer P)[] } ? (A extends P ? K : never) : never
}[OptionName]

/** The type of a plugin's options. */
export type OptionsOf<A extends PluginAdapter> = {
  [K in PluginOptionName<A>]?:
    | OptionValue<K>
    | (Table[K] extends { mayBeFunction: true } ? (file: string, output: FileOutput) => string : never)
}

/** The output that contains a file, passed to function options. */
interface FileOutput {
  /** Relative to the project, `/`-separated. */
  directory: string
  /** Format of the file in the bundler's terms. */
  format?: string
}

/** The table as a list, in its order. */
export const DEFINITIONS: readonly (readonly [OptionName, SettingDefinition])[] = Object.entries(SETTINGS) as [
  OptionName,
  SettingDefinition,
][]

/** The adapter's name for the option; undefined if it does not have the option. */
export function nameIn(adapter: Adapter, name: OptionName): string | undefined {
  const { flag, gradle, plugins }: SettingDefinition = SETTINGS[name]
  if (adapter === 'cli') return flag?.split(' ')[0]
  if (adapter === 'gradle') return gradle
  return plugins?.includes(adapter) ? name : undefined
}

/** The documentation of an option for one adapter. */
export function textsFor(adapter: Adapter, name: OptionName) {
  const definition: SettingDefinition = SETTINGS[name]
  const { description, details, default: fallback } = { ...definition, ...definition.per?.[adapter] }
  return { description, details, default: fallback }
}

/**
 * The ways to set a value with an adapter, in words: `--service, field service in symup.json, or environment variable
 * SYMUP_SERVICE`. For secrets the environment comes first.
 */
export function waysToSet(name: SettingName, adapter: Adapter): string {
  const { env = [], secret, config }: SettingDefinition = SETTINGS[name]
  const own = nameIn(adapter, name)
  const ways = own === undefined ? [] : [shownName(adapter, own)]
  if (config) ways.push(t`the \`${name}\` field in symup.json`)
  const variable = t`the environment variable ${env[0]}`
  return listed(secret ? [variable, ...ways] : [...ways, variable])
}

/** An option's name in messages: `--service`, `symup.serviceName`, ``option `service` ``. */
function shownName(adapter: Adapter, own: string): string {
  if (adapter === 'cli') return own
  return adapter === 'gradle' ? `symup.${own}` : t`the \`${own}\` option`
}

function listed(ways: readonly string[]): string {
  return ways.length < 3 ? ways.join(t` or `) : t`${ways.slice(0, -1).join(t`, `)}, or ${ways.at(-1)}`
}
