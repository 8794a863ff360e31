import { t } from '../text.ts'
import type { Adapter, PluginAdapter, SettingDefinition, ValueOf } from './definition.ts'
import { SETTINGS } from './definitions.ts'

type Table = typeof SETTINGS
export type OptionName = keyof Table

/** The options that are resolved: those with an environment variable. */
export type SettingName = { [K in OptionName]: Table[K] extends { env: readonly string[] } ? K : never }[OptionName]

/** The type of an option's value. */
export type OptionValue<K extends OptionName> = ValueOf<Table[K]>

type PluginOptionName<A extends PluginAdapter> = {
  [K in OptionName]: Table[K] extends { plugins: readonly (infer P)[] } ? (A extends P ? K : never) : never
}[OptionName]

/** The options of a plugin, as its users type them. */
export type OptionsOf<A extends PluginAdapter> = {
  [K in PluginOptionName<A>]?:
    | OptionValue<K>
    | (Table[K] extends { mayBeFunction: true } ? (file: string, output: FileOutput) => string : never)
}

/** The output that a file is in, as a function for each file is told. */
interface FileOutput {
  /** Relative to the project, `/`-separated. */
  directory: string
  /** Format of the file, as the bundler names it. */
  format?: string
}

/** The table as a list, in its order. */
export const DEFINITIONS: readonly (readonly [OptionName, SettingDefinition])[] = Object.entries(SETTINGS) as [
  OptionName,
  SettingDefinition,
][]

/** The name under which an adapter has the option; undefined where it has not. */
export function nameIn(adapter: Adapter, name: OptionName): string | undefined {
  const { flag, gradle, plugins }: SettingDefinition = SETTINGS[name]
  if (adapter === 'cli') return flag?.split(' ')[0]
  if (adapter === 'gradle') return gradle
  return plugins?.includes(adapter) ? name : undefined
}

/** What an adapter's documentation says of an option. */
export function textsFor(adapter: Adapter, name: OptionName) {
  const definition: SettingDefinition = SETTINGS[name]
  const { description, details, default: fallback } = { ...definition, ...definition.per?.[adapter] }
  return { description, details, default: fallback }
}

/**
 * The ways in which the user of an adapter sets a value, in words: `--service, field service in symup.json, or environment variable
 * SYMUP_SERVICE`. For a secret the environment comes first.
 */
export function waysToSet(name: SettingName, adapter: Adapter): string {
  const { env = [], secret, config }: SettingDefinition = SETTINGS[name]
  const own = nameIn(adapter, name)
  const ways = own === undefined ? [] : [shownName(adapter, own)]
  if (config) ways.push(t`field \`${name}\` in symup.json`)
  const variable = t`environment variable ${env[0]}`
  return listed(secret ? [variable, ...ways] : [...ways, variable])
}

/** An option as messages name it: `--service`, `symup.serviceName`, ``option `service` ``. */
function shownName(adapter: Adapter, own: string): string {
  if (adapter === 'cli') return own
  return adapter === 'gradle' ? `symup.${own}` : t`option \`${own}\``
}

function listed(ways: readonly string[]): string {
  return ways.length < 3 ? ways.join(t` or `) : t`${ways.slice(0, -1).join(t`, `)}, or ${ways.at(-1)}`
}
