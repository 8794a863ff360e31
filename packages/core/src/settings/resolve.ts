import { basename, dirname, resolve } from 'node:path'
import { Secret } from '../model/secret.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { defaultCacheDirectory } from './cache-directory.ts'
import { checkOptions, sentence } from './check-options.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import type { Adapter, SettingDefinition } from './definition.ts'
import { SETTINGS } from './definitions.ts'
import { type Inferred, inferService, inferVersion, remedyForGit } from './infer.ts'
import { ownerOfKey, whyNoKey } from './other-uploaders.ts'
import { proxyFromEnvironment } from './proxy.ts'
import { checkedPrefix, orInferred, refuseTrapFromAbove, resolveEndpoint, turboHint } from './rules.ts'
import type { Provenance, Setting, Settings } from './settings.ts'
import { DEFINITIONS, nameIn, type OptionName, type SettingName, waysToSet } from './table.ts'
import { type ReadValue, readValue } from './values.ts'

/** Raw values as a plugin's options, a build extension or flags give them. `undefined` and `null` mean "not given here". */
export type SettingOptions = Readonly<Partial<Record<OptionName, unknown>>>

export interface ResolveInput {
  /** All options that were given; those that are not settings are checked and left alone. */
  options: SettingOptions
  /**
   * Who asks: it decides which options there are, and what they are called in messages (`option service`, `--service`, `symup.serviceName`).
   * Default: `bundler`.
   */
  adapter?: Adapter
  /** Project directory: where the search for the config file and for package.json starts. Default: the working directory. */
  cwd?: string
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv
  /** Ignore `symup.json` and `flashcat-ci.json`. Default false. */
  ignoreConfigFile?: boolean
  /** Where the files are deployed, as the bundler's config says; used when nobody set a prefix. */
  inferredPrefix?: Inferred | undefined
  /** Why the bundler's config does not say it, such as `Vite's base is relative ('./')`; named where no prefix is set. */
  noPrefixBecause?: string | undefined
  /** What may be set in its place there: a sentence. */
  prefixElse?: string | undefined
  /** What the build says of itself (an Android build has an id and a version); used when nobody set a value. */
  inferredService?: Inferred | undefined
  inferredVersion?: Inferred | undefined
  /** A dry run sends nothing and so needs no key. Default false. */
  dryRun?: boolean
  /** False where nothing is sent yet. Default true. */
  needsKey?: boolean
  /** False for kinds of symbol files without a path prefix; `where-set` reads and checks one, and misses none. Default true. */
  needsPrefix?: boolean | 'where-set'
  /** False for kinds of symbol files that are found by an id alone (a dSYM): service and version may be empty. Default true. */
  needsRelease?: boolean
}

export type Resolution = {
  problems: Problem[]
  /** Absolute path of the project config file, of one that cannot be used, too. */
  configFile?: string
} & (
  | { ok: true; settings: Settings }
  /** Unusable configuration: every problem at once, and what could be found all the same. */
  | { ok: false; found: Partial<Settings> }
)

/** Those that have a rule of their own below. */
const RULED: ReadonlySet<string> = new Set<SettingName>([
  'apiKey',
  'endpoint',
  'site',
  'service',
  'version',
  'minifiedPathPrefix',
  'proxy',
  'noProxy',
  'cacheDirectory',
])

/** Finds every value, in the one order of resolution, and says where each came from. Throws nothing. */
export function resolveSettings(input: ResolveInput): Resolution {
  const cwd = resolve(input.cwd ?? '.')
  const env = input.env ?? process.env
  const config: ReturnType<typeof readConfigFile> = input.ignoreConfigFile ? { problems: [] } : readConfigFile(cwd)
  const problems: Problem[] = [...checkOptions(input.adapter ?? 'bundler', input.options), ...config.problems]
  const lookUp = (name: SettingName) => find(name, input, { cwd, env, file: config.file }, problems)
  const lookUpText = (name: SettingName) => lookUp(name) as Setting<string> | undefined

  const { inferredService, inferredVersion, adapter = 'bundler' } = input
  const absent = input.needsRelease === false ? NOT_NEEDED : undefined
  const rest = [adapter, problems, absent] as const
  const service = orInferred(
    'service',
    lookUpText('service'),
    inferredService,
    { infer: () => inferService(cwd) },
    ...rest,
  )
  const ofVersion = { infer: () => inferVersion(cwd, env), remedy: () => remedyForGit(cwd, env) }
  const version = orInferred('version', lookUpText('version'), inferredVersion, ofVersion, ...rest)
  const prefix =
    input.needsPrefix === false
      ? undefined
      : checkedPrefix(lookUpText('minifiedPathPrefix'), input.inferredPrefix, problems)
  const endpoint = resolveEndpoint(lookUpText('endpoint'), () => lookUpText('site'), adapter, problems)
  const apiKey = lookUpText('apiKey')
  if (apiKey?.from.kind === 'option' && input.adapter === 'cli') {
    problems.push(problem('api-key-visible', t`The API key is an argument of the command.`))
  }
  const owner = apiKey && ownerOfKey(apiKey.value)
  if (owner !== undefined) {
    const fix = t`Give a key of the service that the endpoint belongs to.`
    problems.push(problem('value-invalid', t`The API key (${apiKey?.from.name}) is a key of ${owner}.`, { fix }))
  }
  const ownProxy = lookUpText('proxy')
  const others = DEFINITIONS.filter(([name, { env }]) => env !== undefined && !RULED.has(name)).map(
    ([name]) => [name, lookUp(name as SettingName)] as const,
  )

  // What is missing may stand in a file that cannot be used.
  const unusable = config.problems.find(({ severity }) => severity === 'error')
  const isRead = unusable === undefined
  if (isRead && apiKey === undefined && input.dryRun !== true && input.needsKey !== false) {
    reportMissing('apiKey', 'api-key-missing', adapter, problems, { because: whyNoKey(env) })
    for (const missing of problems.slice(-1)) missing.fix += turboHint(env)
  }
  if (isRead && service === undefined) reportMissing('service', 'service-missing', adapter, problems)
  if (isRead && version === undefined) reportMissing('version', 'version-missing', adapter, problems)
  if (isRead && prefix === undefined && (input.needsPrefix ?? true) === true) {
    const { noPrefixBecause: because, prefixElse: instead } = input
    reportMissing('minifiedPathPrefix', 'prefix-missing', adapter, problems, { because, instead })
  }
  const cacheDirectory: Setting<string> = lookUpText('cacheDirectory') ?? {
    value: defaultCacheDirectory(cwd, env),
    from: { kind: 'default', name: t`default` },
    overrode: [],
  }
  const found: Partial<Settings> = {
    ...(apiKey && { apiKey: { ...apiKey, value: new Secret(apiKey.value) } }),
    ...(endpoint && { endpoint }),
    ...(service && { service }),
    ...(version && { version }),
    ...(prefix && { minifiedPathPrefix: prefix }),
    ...(ownProxy ? { proxy: ownProxy } : endpoint && proxyFromEnvironment(endpoint.value, env)),
    ...Object.fromEntries(others.filter(([, setting]) => setting !== undefined)),
    cacheDirectory,
  }
  if (config.file?.isAbove) refuseTrapFromAbove(config.file.path, found, adapter, problems)
  const configFile = config.file?.path ?? unusable?.file
  const result = { problems, ...(configFile !== undefined && { configFile }) }
  const isUsable = problems.every(({ severity }) => severity !== 'error') && endpoint && service && version
  return isUsable
    ? { ...result, ok: true, settings: { ...found, endpoint, service, version, cacheDirectory } }
    : { ...result, ok: false, found }
}

const NOT_NEEDED: Setting<string> = { value: '', from: { kind: 'default', name: 'not needed' }, overrode: [] }

interface Sources {
  cwd: string
  env: NodeJS.ProcessEnv
  file: ConfigFile | undefined
}

type Value = Extract<ReadValue, { value: unknown }>['value']

/** The value of a setting by the order of resolution, read as the table says; undefined when nobody sets it. */
function find(
  name: SettingName,
  { options, adapter = 'bundler' }: ResolveInput,
  { cwd, env, file }: Sources,
  problems: Problem[],
): Setting<Value> | undefined {
  const definition: SettingDefinition = SETTINGS[name]
  const candidates: { value: unknown; from: Provenance }[] = [
    { value: options[name], from: { kind: 'option', name: shownName(adapter, name) } },
  ]
  if (file) candidates.push({ value: file.values[name], from: { kind: 'config-file', name: basename(file.path) } })
  // An empty variable is how CI systems say "not set".
  const variables = (definition.env ?? []).filter((variable) => env[variable] !== undefined && env[variable] !== '')
  for (const variable of variables) {
    candidates.push({ value: env[variable], from: { kind: 'environment', name: variable } })
  }
  const [winner, ...others] = candidates.filter(({ value }) => value !== undefined && value !== null)
  if (winner === undefined) return undefined
  reportConflict(variables, env, problems)

  const { from } = winner
  const overrode = others.map((other) => other.from)
  // Sites have always been understood in small letters too.
  const isSite = name === 'site' && typeof winner.value === 'string'
  const read = readValue(definition, isSite ? String(winner.value).toUpperCase() : winner.value)
  if ('flaw' in read) {
    const fix = t`Correct it: ${waysToSet(name, adapter)}.`
    // The site has a code of its own, older than this rule.
    const code = isSite ? 'site-unknown' : 'value-invalid'
    problems.push(problem(code, sentence(t`${name} from ${from.name} ${read.flaw}`), { fix }))
    // A placeholder of the right type keeps "missing" from being reported as well.
    return { value: '', from, overrode }
  }
  const { value } = read
  if (definition.type !== 'path' || typeof value !== 'string') return { value, from, overrode }
  const base = from.kind === 'config-file' && file ? dirname(file.path) : cwd
  return { value: resolve(base, value), from, overrode }
}

function shownName(adapter: Adapter, name: SettingName): string {
  const own = nameIn(adapter, name) ?? name
  return adapter === 'cli' ? own : adapter === 'gradle' ? `symup.${own}` : t`option ${own}`
}

function reportConflict(variables: readonly string[], env: NodeJS.ProcessEnv, problems: Problem[]): void {
  const [winner, ...others] = variables
  for (const other of others) {
    if (env[other] === env[winner as string]) continue
    problems.push(
      problem('environment-conflict', t`${winner} and ${other} are both set and differ; ${winner} is used.`, {
        fix: t`Unset ${other}, or make them equal.`,
      }),
    )
  }
}

function reportMissing(
  name: 'apiKey' | 'service' | 'version' | 'minifiedPathPrefix',
  code: 'api-key-missing' | 'service-missing' | 'version-missing' | 'prefix-missing',
  adapter: Adapter,
  problems: Problem[],
  { because, instead }: { because?: string | undefined; instead?: string | undefined } = {},
): void {
  const noun = {
    apiKey: t`API key`,
    service: t`service`,
    version: t`version`,
    minifiedPathPrefix: t`minified path prefix`,
  }
  problems.push(
    problem(code, t`No ${noun[name]} is set${because === undefined ? '' : t`, and ${because}`}.`, {
      fix: [t`Set it: ${waysToSet(name, adapter)}.`, ...(instead === undefined ? [] : [instead])].join(' '),
    }),
  )
}
