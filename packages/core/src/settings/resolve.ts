import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Secret } from '../model/secret.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { proxyFromEnvironment } from './endpoint.ts'
import type { Inferred } from './infer.ts'
import { ownerOfKey, whyNoKey } from './other-uploaders.ts'
import { checkedPrefix, givenOrInferred, refuseTrapFromAbove, resolveEndpoint, turboHint } from './rules.ts'
import { Search, type SearchInput } from './search.ts'
import type { Setting, Settings } from './settings.ts'
import { DEFINITIONS, type SettingName } from './table.ts'

export interface ResolveInput extends SearchInput {
  /** The deployment address from the bundler's config, which is used if no prefix is set. */
  inferredPrefix?: Inferred | undefined
  /**
   * The reason why the bundler's config has no usable address, such as `Vite's base is relative ('./')`. The reason is shown if no prefix
   * is set.
   */
  noPrefixBecause?: string | undefined
  /** A sentence that suggests another option to set instead. */
  prefixElse?: string | undefined
  /** The service and version from the build itself, such as the version of an Android app. They are used if the settings are missing. */
  inferredService?: Inferred | undefined
  inferredVersion?: Inferred | undefined
  /** Whether the run is a dry run, which sends nothing and therefore needs no key. Default: false. */
  dryRun?: boolean
  /** Whether an API key is needed. Set to false if the run sends nothing. Default: true. */
  needsKey?: boolean
  /**
   * Whether a path prefix is required. Set to false for symbol files without a path prefix. With `where-set`, a prefix is optional but must
   * be valid. Default: true.
   */
  needsPrefix?: boolean | 'where-set'
  /**
   * Whether service and version are required. Set to false for symbol files that are identified by id alone, such as dSYMs. Default: true.
   */
  needsRelease?: boolean
}

export type Resolution = {
  problems: Problem[]
  /** The absolute path of the project config file, even if the file is unusable. */
  configFile?: string
} & (
  | { ok: true; settings: Settings }
  /** The configuration is unusable. `problems` contains all reasons at once, and `found` contains the values that were found. */
  | { ok: false; found: Partial<Settings> }
)

/** Settings with their own resolution rules. */
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

/** Resolves every setting and records the source of each value. The function never throws. */
export function resolveSettings(input: ResolveInput): Resolution {
  const { needsPrefix = true, needsRelease = true } = input
  const search = new Search(input)
  const service = givenOrInferred(search, 'service', { inferred: input.inferredService, isNeeded: needsRelease })
  const version = givenOrInferred(search, 'version', { inferred: input.inferredVersion, isNeeded: needsRelease })
  const prefix = needsPrefix === false ? undefined : checkedPrefix(search, input.inferredPrefix)
  const endpoint = resolveEndpoint(search)
  const apiKey = findKey(search)
  const proxy = search.text('proxy')
  const others = findOthers(search)
  const cacheDirectory = findCacheDirectory(search)
  const found: Partial<Settings> = {
    ...(apiKey && { apiKey }),
    ...(endpoint && { endpoint }),
    ...(service && { service }),
    ...(version && { version }),
    ...(prefix && { minifiedPathPrefix: prefix }),
    ...(proxy ? { proxy } : endpoint && proxyFromEnvironment(endpoint.value, search.env)),
    ...others,
    cacheDirectory,
  }
  const { configFile, unusableFile, problems } = search
  // Missing values are not reported if the config file is unusable, because the file may contain them.
  if (unusableFile === undefined) reportMissing(search, found, input)
  if (configFile?.isAbove) refuseTrapFromAbove(search, configFile.path, found)
  const path = configFile?.path ?? unusableFile?.file
  const result = { problems, ...(path !== undefined && { configFile: path }) }
  const isUsable = problems.every(({ severity }) => severity !== 'error') && endpoint && service && version
  return isUsable
    ? { ...result, ok: true, settings: { ...found, endpoint, service, version, cacheDirectory } }
    : { ...result, ok: false, found }
}

function findKey(search: Search): Setting<Secret> | undefined {
  const key = search.text('apiKey')
  if (key?.from.kind === 'option' && search.adapter === 'cli')
    search.problems.push(problem('api-key-visible', t`The API key was passed on the command line.`))
  const owner = key && ownerOfKey(key.value)
  if (owner !== undefined) {
    const fix = t`Use an API key that was issued for the endpoint.`
    search.problems.push(problem('value-invalid', t`The API key from ${key?.from.name} is for ${owner}.`, { fix }))
  }
  return key && { ...key, value: new Secret(key.value) }
}

function findOthers(search: Search): Partial<Settings> {
  const names = DEFINITIONS.flatMap(([name, { env }]) => (env && !RULED.has(name) ? [name as SettingName] : []))
  const found = names.map((name) => [name, search.find(name)] as const)
  return Object.fromEntries(found.filter(([, setting]) => setting !== undefined))
}

function findCacheDirectory(search: Search): Setting<string> {
  const value = () => defaultCacheDirectory(search.cwd, search.env)
  return search.text('cacheDirectory') ?? { value: value(), from: { kind: 'default', name: t`default` }, overrode: [] }
}

function reportMissing(search: Search, found: Partial<Settings>, input: ResolveInput): void {
  const { dryRun = false, needsKey = true, needsPrefix = true, noPrefixBecause, prefixElse } = input
  const { problems, env } = search
  const missing = (noun: string, because?: string) =>
    because === undefined ? t`No ${noun} is set.` : t`No ${noun} is set, and ${because}.`
  const setIt = (name: SettingName) => t`Set the value with ${search.waysToSet(name)}.`
  if (!found.apiKey && !dryRun && needsKey)
    problems.push(
      problem('api-key-missing', missing(t`API key`, whyNoKey(env)), { fix: setIt('apiKey') + turboHint(env) }),
    )
  if (!found.service) problems.push(problem('service-missing', missing(t`service`), { fix: setIt('service') }))
  if (!found.version) problems.push(problem('version-missing', missing(t`version`), { fix: setIt('version') }))
  if (!found.minifiedPathPrefix && needsPrefix === true) {
    const fix = [setIt('minifiedPathPrefix'), ...(prefixElse === undefined ? [] : [prefixElse])].join(' ')
    problems.push(problem('prefix-missing', missing(t`minified path prefix`, noPrefixBecause), { fix }))
  }
}

/**
 * Returns the default cache directory. It is in the project's `node_modules` if that directory exists, and otherwise in the user's cache.
 */
export function defaultCacheDirectory(projectDirectory: string, env: NodeJS.ProcessEnv): string {
  const packages = join(resolve(projectDirectory), 'node_modules')
  return existsSync(packages) ? join(packages, '.cache/symup') : join(userCache(env), 'symup')
}

function userCache(env: NodeJS.ProcessEnv): string {
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME
  if (process.platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA
  return join(env.HOME || homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache')
}
