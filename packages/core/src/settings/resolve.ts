import { basename } from 'node:path'
import { type Problem, problem } from '../problems.ts'
import { Secret } from '../secret.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import {
  DEFAULT_SITE,
  SETTINGS,
  type SettingDefinition,
  type SettingName,
  SITES,
  type Site,
  waysToSet,
} from './definitions.ts'
import { uploadUrl } from './endpoint.ts'
import { type Inferred, inferService, inferVersion } from './infer.ts'
import { isUsablePrefix } from './prefix.ts'
import type { Provenance, Setting, Settings } from './settings.ts'

/** Raw values as a plugin's options, a build extension or flags give them. `undefined` means "not given here". */
export type SettingOptions = Partial<Record<SettingName, string | undefined>>

export interface ResolveInput {
  options: SettingOptions
  /** Project directory: where the search for the config file and for package.json starts. Default: the working directory. */
  cwd?: string
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv
  /** Ignore `symup.json` and `flashcat-ci.json`. Default false. */
  ignoreConfigFile?: boolean
  /** How the caller names an option in messages: `option service` for plugins (default), `--service`, `symup.serviceName`. */
  naming?: 'option' | 'flag' | 'gradle'
  /** Where the files are deployed, as the bundler's config says; used when nobody set a prefix. */
  inferredPrefix?: Inferred | undefined
  /** What the build says of itself (an Android build has an id and a version); used when nobody set a value. */
  inferredService?: Inferred | undefined
  inferredVersion?: Inferred | undefined
  /** A dry run sends nothing and so needs no key. Default false. */
  dryRun?: boolean
  /** False for kinds of symbol files without a path prefix. Default true. */
  needsPrefix?: boolean
  /** False for kinds of symbol files that are found by an id alone (a dSYM): service and version may be empty. Default true. */
  needsRelease?: boolean
}

export type Resolution = {
  problems: Problem[]
  /** Absolute path of the project config file that was read. */
  configFile?: string
} & (
  | { ok: true; settings: Settings }
  /** Unusable configuration: every problem at once, and what could be found all the same. */
  | { ok: false; found: Partial<Settings> }
)

/** Finds every value, in the one order of resolution, and says where each came from. Throws nothing. */
export function resolveSettings(input: ResolveInput): Resolution {
  const cwd = input.cwd ?? process.cwd()
  const env = input.env ?? process.env
  const config: ReturnType<typeof readConfigFile> = input.ignoreConfigFile ? { problems: [] } : readConfigFile(cwd)
  const problems: Problem[] = [...config.problems]
  const lookUp = (name: SettingName) => find(name, input, env, config.file, problems)

  const { inferredService, inferredVersion } = input
  const absent = input.needsRelease === false ? NOT_NEEDED : undefined
  const service = orInferred('service', lookUp('service'), inferredService, () => inferService(cwd), problems) ?? absent
  const version =
    orInferred('version', lookUp('version'), inferredVersion, () => inferVersion(cwd, env), problems) ?? absent
  const prefix =
    input.needsPrefix === false
      ? undefined
      : checkedPrefix(lookUp('minifiedPathPrefix'), input.inferredPrefix, problems)
  const endpoint = resolveEndpoint(lookUp('endpoint'), lookUp('site'), problems)
  const apiKey = lookUp('apiKey')

  if (apiKey === undefined && input.dryRun !== true) reportMissing('apiKey', 'api-key-missing', problems)
  if (service === undefined) reportMissing('service', 'service-missing', problems)
  if (version === undefined) reportMissing('version', 'version-missing', problems)
  if (prefix === undefined && input.needsPrefix !== false) {
    reportMissing('minifiedPathPrefix', 'prefix-missing', problems)
  }
  const found: Partial<Settings> = {
    ...(apiKey && { apiKey: { ...apiKey, value: new Secret(apiKey.value) } }),
    ...(endpoint && { endpoint }),
    ...(service && { service }),
    ...(version && { version }),
    ...(prefix && { minifiedPathPrefix: prefix }),
  }
  const result = { problems, ...(config.file && { configFile: config.file.path }) }
  const isUsable = problems.every(({ severity }) => severity !== 'error') && endpoint && service && version
  return isUsable
    ? { ...result, ok: true, settings: { ...found, endpoint, service, version } }
    : { ...result, ok: false, found }
}

function find(
  name: SettingName,
  input: ResolveInput,
  env: NodeJS.ProcessEnv,
  file: ConfigFile | undefined,
  problems: Problem[],
): Setting<string> | undefined {
  const definition: SettingDefinition = SETTINGS[name]
  const candidates: { value: unknown; from: Provenance }[] = []
  const names = {
    option: `option ${definition.option}`,
    flag: definition.flag,
    gradle: `symup.${definition.gradle ?? definition.option}`,
  }
  const optionName = names[input.naming ?? 'option']
  candidates.push({ value: input.options[name], from: { kind: 'option', name: optionName } })
  if (file) candidates.push({ value: file.values[name], from: { kind: 'config-file', name: basename(file.path) } })
  // An empty variable is how CI systems say "not set".
  const variables = definition.env.filter((variable) => env[variable] !== undefined && env[variable] !== '')
  for (const variable of variables) {
    candidates.push({ value: env[variable], from: { kind: 'environment', name: variable } })
  }
  const given = candidates.filter(({ value }) => value !== undefined && value !== null)
  const [winner, ...overrode] = given
  if (winner === undefined) return undefined
  reportConflict(variables, env, problems)

  const flaw = flawOf(winner.value)
  if (flaw !== undefined) {
    problems.push(
      problem('value-invalid', `${name} from ${winner.from.name} ${flaw}.`, { fix: `Correct it: ${waysToSet(name)}.` }),
    )
    // A placeholder of the right type keeps "missing" from being reported as well.
    return { value: '', from: winner.from, overrode: overrode.map(({ from }) => from) }
  }
  return { value: (winner.value as string).trim(), from: winner.from, overrode: overrode.map(({ from }) => from) }
}

function flawOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return `is ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}, not a string`
  if (value.trim() === '') return 'is empty'
  if (/\p{Cc}/u.test(value.trim())) return 'has a control character or line break in it'
  return undefined
}

function reportConflict(variables: readonly string[], env: NodeJS.ProcessEnv, problems: Problem[]): void {
  const [winner, ...others] = variables
  for (const other of others) {
    if (env[other] === env[winner as string]) continue
    problems.push(
      problem('environment-conflict', `${winner} and ${other} are both set and differ; ${winner} is used.`, {
        fix: `Unset ${other}, or make them equal.`,
      }),
    )
  }
}

const AUTO = 'auto'
const NOT_NEEDED: Setting<string> = { value: '', from: { kind: 'default', name: 'not needed' }, overrode: [] }

function orInferred(
  name: 'service' | 'version',
  setting: Setting<string> | undefined,
  known: Inferred | undefined,
  infer: () => Inferred | undefined,
  problems: Problem[],
): Setting<string> | undefined {
  if (setting === undefined && known !== undefined) {
    return { value: known.value, from: { kind: 'inferred', name: known.from }, overrode: [] }
  }
  if (setting?.value !== AUTO) return setting
  const inferred = known ?? infer()
  if (inferred === undefined) {
    problems.push(
      problem('inference-failed', `${name} is '${AUTO}' (${setting.from.name}), but nothing tells it.`, {
        fix: `Give the ${name} itself: ${waysToSet(name)}.`,
      }),
    )
    return setting
  }
  return { value: inferred.value, from: { kind: 'inferred', name: inferred.from }, overrode: [setting.from] }
}

function checkedPrefix(
  setting: Setting<string> | undefined,
  inferred: Inferred | undefined,
  problems: Problem[],
): Setting<string> | undefined {
  const prefix: Setting<string> | undefined =
    setting ?? (inferred && { value: inferred.value, from: { kind: 'inferred', name: inferred.from }, overrode: [] })
  // An empty value has been reported as such.
  if (prefix !== undefined && prefix.value !== '' && !isUsablePrefix(prefix.value)) {
    problems.push(
      problem('prefix-invalid', `The minified path prefix "${prefix.value}" (${prefix.from.name}) cannot be used.`),
    )
  }
  return prefix
}

function resolveEndpoint(
  endpoint: Setting<string> | undefined,
  site: Setting<string> | undefined,
  problems: Problem[],
): Setting<string> | undefined {
  if (endpoint !== undefined) {
    // An empty value has been reported as such.
    if (endpoint.value === '') return undefined
    try {
      return { ...endpoint, value: uploadUrl(endpoint.value) }
    } catch (error) {
      const why = (error as RangeError).message
      problems.push(
        problem('endpoint-invalid', `The endpoint from ${endpoint.from.name} cannot be used: ${why}.`, {
          fix: `Use an address such as https://intake.example.com: ${waysToSet('endpoint')}.`,
        }),
      )
      return undefined
    }
  }
  if (site === undefined) {
    const from: Provenance = { kind: 'default', name: `default site ${DEFAULT_SITE}` }
    return { value: uploadUrl(SITES[DEFAULT_SITE]), from, overrode: [] }
  }
  if (site.value === '') return undefined
  const name = site.value.toUpperCase()
  if (!Object.hasOwn(SITES, name)) {
    problems.push(
      problem(
        'site-unknown',
        `The site "${site.value}" (${site.from.name}) is not one of ${Object.keys(SITES).join(', ')}.`,
      ),
    )
    return undefined
  }
  return { ...site, value: uploadUrl(SITES[name as Site]) }
}

function reportMissing(
  name: SettingName,
  code: 'api-key-missing' | 'service-missing' | 'version-missing' | 'prefix-missing',
  problems: Problem[],
): void {
  const what = { apiKey: 'API key', service: 'service', version: 'version', minifiedPathPrefix: 'minified path prefix' }
  const noun = what[name as keyof typeof what]
  problems.push(problem(code, `No ${noun} is set.`, { fix: `Set it: ${waysToSet(name)}.` }))
}
