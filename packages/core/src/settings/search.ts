import { basename, dirname, resolve } from 'node:path'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { checkOptions } from './check-options.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import type { Adapter, SettingDefinition } from './definition.ts'
import { SETTINGS } from './definitions.ts'
import type { Provenance, Setting } from './settings.ts'
import { nameIn, type OptionName, type SettingName, waysToSet } from './table.ts'
import { type ReadValue, readValue } from './values.ts'

/** Raw values from a plugin's options, a build extension or flags. `undefined` and `null` mean "not set". */
export type SettingOptions = Readonly<Partial<Record<OptionName, unknown>>>

export interface SearchInput {
  /** All specified options. Options that are not settings are only validated. */
  options: SettingOptions
  /**
   * The current adapter, which determines which options exist and how messages refer to them (`option service`, `--service`,
   * `symup.serviceName`). Default: `bundler`.
   */
  adapter?: Adapter
  /** The project directory, where the search for the config file and for package.json starts. Default: the working directory. */
  cwd?: string
  /** @default process.env */
  env?: NodeJS.ProcessEnv
  /** Whether to ignore `symup.json` and `flashcat-ci.json`. Default: false. */
  ignoreConfigFile?: boolean
}

type Value = Extract<ReadValue, { value: unknown }>['value']

/** Looks up values in the resolution order (option, config file, environment), and collects problems. */
export class Search {
  readonly adapter: Adapter
  /** The absolute path of the project directory. */
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly configFile: ConfigFile | undefined
  readonly unusableFile: Problem | undefined
  readonly problems: Problem[]
  readonly #options: SettingOptions

  constructor({ options, adapter = 'bundler', cwd = '.', env = process.env, ignoreConfigFile = false }: SearchInput) {
    this.adapter = adapter
    this.cwd = resolve(cwd)
    this.env = env
    this.#options = options
    const { file, problems } = ignoreConfigFile ? { problems: [] } : readConfigFile(this.cwd)
    this.configFile = file
    this.unusableFile = problems.find(({ severity }) => severity === 'error')
    this.problems = [...checkOptions(adapter, options), ...problems]
  }

  find(name: SettingName): Setting<Value> | undefined {
    const [winner, ...others] = this.#candidates(name)
    if (winner === undefined) return undefined
    const { from } = winner
    const overrode = others.map((other) => other.from)
    const definition: SettingDefinition = SETTINGS[name]
    // For backward compatibility, sites are also accepted in lower case.
    const isSite = name === 'site' && typeof winner.value === 'string'
    const read = readValue(definition, isSite ? String(winner.value).toUpperCase() : winner.value)
    if ('flaw' in read) {
      const fix = t`Set a valid value with ${this.waysToSet(name)}.`
      // For historical reasons, `site` has its own problem code.
      const code = isSite ? 'site-unknown' : 'value-invalid'
      this.problems.push(problem(code, read.flaw(t`The value of ${name} from ${from.name}`), { fix }))
      // The result is an empty value, so that the setting is not also reported as missing.
      return { value: '', from, overrode }
    }
    const { value } = read
    if (definition.type !== 'path' || typeof value !== 'string') return { value, from, overrode }
    const base = from.kind === 'config-file' && this.configFile ? dirname(this.configFile.path) : this.cwd
    return { value: resolve(base, value), from, overrode }
  }

  text(name: SettingName): Setting<string> | undefined {
    return this.find(name) as Setting<string> | undefined
  }

  waysToSet(name: SettingName): string {
    return waysToSet(name, this.adapter)
  }

  #candidates(name: SettingName): { value: unknown; from: Provenance }[] {
    const { configFile, env } = this
    const candidates: { value: unknown; from: Provenance }[] = [
      { value: this.#given(name), from: { kind: 'option', name: this.#optionShown(name) } },
    ]
    if (configFile)
      candidates.push({
        value: configFile.values[name],
        from: { kind: 'config-file', name: basename(configFile.path) },
      })
    const definition: SettingDefinition = SETTINGS[name]
    // An empty variable counts as not set, because CI systems often define unused variables as empty.
    const variables = (definition.env ?? []).filter((variable) => env[variable] !== undefined && env[variable] !== '')
    for (const variable of variables)
      candidates.push({ value: env[variable], from: { kind: 'environment', name: variable } })
    this.#reportConflict(variables)
    return candidates.filter(({ value }) => value !== undefined && value !== null)
  }

  #given(name: SettingName): unknown {
    const { formerly }: SettingDefinition = SETTINGS[name]
    const options: Readonly<Record<string, unknown>> = this.#options
    return options[name] ?? (formerly === undefined ? undefined : options[formerly])
  }

  #optionShown(name: SettingName): string {
    const own = nameIn(this.adapter, name) ?? name
    if (this.adapter === 'cli') return own
    return this.adapter === 'gradle' ? `symup.${own}` : t`option ${own}`
  }

  #reportConflict([winner, ...others]: readonly string[]): void {
    for (const other of others) {
      if (this.env[other] === this.env[winner as string]) continue
      this.problems.push(
        problem(
          'environment-conflict',
          t`${winner} and ${other} are both set, but their values differ. symup uses ${winner}.`,
          {
            fix: t`Unset ${other}, or set both variables to the same value.`,
          },
        ),
      )
    }
  }
}
