import { problem } from '../problems/problems.ts'
import { t, translated } from '../text.ts'
import { uploadUrl } from './endpoint.ts'
import { type Inferred, inferService, inferVersion, remedyForGit } from './infer.ts'
import { isUsablePrefix, minifiedUrl } from './prefix.ts'
import type { Search } from './search.ts'
import type { Provenance, Setting, Settings } from './settings.ts'
import { DEFAULT_SITE, SITES, type Site } from './sites.ts'

const AUTO = 'auto'

/** @returns what else to do about a missing key in a task of Turborepo; '' elsewhere. */
export function turboHint(env: NodeJS.ProcessEnv): string {
  if (!env.TURBO_HASH) return ''
  return t` Turborepo hides variables that turbo.json does not name: add SYMUP_API_KEY to the task's passThroughEnv, or set upload: 'later'.`
}

const NOT_NEEDED: Setting<string> = { value: '', from: { kind: 'default', name: 'not needed' }, overrode: [] }

/**
 * The value that was given; what was inferred where nobody gave one or `'auto'` was asked for.
 * @param inferred what the build says of itself. Default: the project is looked at where `'auto'` was asked for.
 * @param isNeeded false puts an empty value where there is none.
 */
export function givenOrInferred(
  search: Search,
  name: 'service' | 'version',
  { inferred, isNeeded }: { inferred: Inferred | undefined; isNeeded: boolean },
): Setting<string> | undefined {
  const setting = search.text(name)
  const absent = isNeeded ? undefined : NOT_NEEDED
  if (setting === undefined && inferred !== undefined) return inferredSetting(inferred)
  if (setting?.value !== AUTO) return setting ?? absent
  const { cwd, env, problems } = search
  const found = inferred ?? (name === 'service' ? inferService(cwd) : inferVersion(cwd, env))
  if (found !== undefined) return { ...inferredSetting(found), overrode: setting.overrode }
  if (absent !== undefined) return absent
  const remedy = name === 'version' ? remedyForGit(cwd, env) : undefined
  const give = t`Give the ${name} itself: ${search.waysToSet(name)}.`
  const asked = t`${name} is '${AUTO}' (${setting.from.name})`
  problems.push(
    remedy === undefined
      ? problem('inference-failed', t`${asked}, but there is nothing to infer it from.`, { fix: give })
      : problem('inference-failed', t`${asked}, but git does not trust the directory: its owner is another user.`, {
          fix: t`Run \`${remedy}\` before. Or: ${give}`,
        }),
  )
  return setting
}

function inferredSetting({ value, from }: Inferred): Setting<string> {
  return { value, from: { kind: 'inferred', name: from }, overrode: [] }
}

export function checkedPrefix(search: Search, inferred: Inferred | undefined): Setting<string> | undefined {
  const setting = search.text('minifiedPathPrefix')
  const prefix = setting ? overInferred(setting, inferred) : inferred && inferredSetting(inferred)
  // An empty value has been reported as such.
  if (prefix !== undefined && prefix.value !== '' && !isUsablePrefix(prefix.value)) {
    search.problems.push(
      problem('prefix-invalid', t`The minified path prefix "${prefix.value}" (${prefix.from.name}) cannot be used.`, {
        fix: fixForTheirs(prefix.value),
      }),
    )
  }
  return prefix
}

/** The host may differ from the bundler's, as a CDN's does. Where the path differs, the bundler's is shown too. A prefix that cannot be used is reported elsewhere. */
function overInferred(setting: Setting<string>, inferred: Inferred | undefined): Setting<string> {
  if (inferred === undefined || ![setting, inferred].every(({ value }) => isUsablePrefix(value))) return setting
  if (pathOf(setting.value) === pathOf(inferred.value)) return setting
  const other: Provenance = { kind: 'inferred', name: `${translated(inferred.from)} (${inferred.value})` }
  return { ...setting, overrode: [...setting.overrode, other] }
}

function pathOf(prefix: string): string {
  return minifiedUrl(prefix, '').replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '')
}

/** Sentry writes `~` for any origin, and Bugsnag `*` for anything. */
function fixForTheirs(prefix: string): string | undefined {
  if (/^~\//.test(prefix)) return t`Leave out the ~: a path such as ${prefix.slice(1)} fits every host.`
  return prefix.includes('*') ? t`There are no wildcards here. A path such as /app fits every host.` : undefined
}

/** The address to post to. The site is not even looked at once there is an endpoint. */
export function resolveEndpoint(search: Search): Setting<string> | undefined {
  const endpoint = search.text('endpoint')
  if (endpoint === undefined) {
    const site = search.text('site')
    const from: Provenance = { kind: 'default', name: t`default site ${DEFAULT_SITE}` }
    if (site === undefined) return { value: uploadUrl(SITES[DEFAULT_SITE]), from, overrode: [] }
    // A flawed value has been reported as such.
    return site.value === '' ? undefined : { ...site, value: uploadUrl(SITES[site.value as Site]) }
  }
  if (endpoint.value === '') return undefined
  try {
    return { ...endpoint, value: uploadUrl(endpoint.value) }
  } catch (error) {
    const why = (error as RangeError).message
    search.problems.push(
      problem('endpoint-invalid', t`The endpoint from ${endpoint.from.name} cannot be used: ${why}.`, {
        fix: t`Use an address such as https://intake.example.com: ${search.waysToSet('endpoint')}.`,
      }),
    )
    return undefined
  }
}

/**
 * A config file above the project directory may lie where others put files. It may not choose where a key from the environment goes: neither
 * the intake, nor a proxy that reads along, nor the authority that vouches for either. A site is an intake of the platform's own.
 * With a key that is an option, whoever wrote the option may know the file: that is a warning.
 */
export function refuseTrapFromAbove(search: Search, path: string, found: Partial<Settings>): void {
  if (found.apiKey === undefined || found.apiKey.from.kind === 'config-file') return
  for (const name of ['endpoint', 'proxy', 'ca'] as const) {
    const setting = found[name]
    if (setting?.from.kind !== 'config-file' || (name === 'endpoint' && isPlatform(setting.value))) continue
    search.problems.push(
      problem(
        'config-file-untrusted',
        t`It is above the project, and its ${name} would decide where the key from ${found.apiKey.from.name} goes.`,
        {
          file: path,
          severity: found.apiKey.from.kind === 'environment' ? 'error' : 'warning',
          fix: t`Set the ${name} in the project directory's own symup.json or beside the key: ${search.waysToSet(name)}.`,
        },
      ),
    )
  }
}

function isPlatform(address: string): boolean {
  return Object.values(SITES).some((site) => uploadUrl(site) === address)
}
