import { problem } from '../problems/problems.ts'
import { t, translated } from '../text.ts'
import { DEFAULT_SITE, SITES, type Site, uploadUrl } from './endpoint.ts'
import { type Inferred, inferService, inferVersion, remedyForGit } from './infer.ts'
import { isUsablePrefix, minifiedUrl } from './prefix.ts'
import type { Search } from './search.ts'
import type { Provenance, Setting, Settings } from './settings.ts'

const AUTO = 'auto'

/** @returns an additional hint about a missing key in a Turborepo task, or '' in other builds. */
export function turboHint(env: NodeJS.ProcessEnv): string {
  if (!env.TURBO_HASH) return ''
  return t` Turborepo does not pass variables to a task unless turbo.json lists them. Add SYMUP_API_KEY to passThroughEnv of the task, or set upload: 'later'.`
}

const NOT_NEEDED: Setting<string> = { value: '', from: { kind: 'default', name: 'not needed' }, overrode: [] }

/**
 * Returns the value of a setting. If there is none, or if the value is `'auto'`, an inferred value is used.
 * @param inferred the value from the build itself. If it is missing, `'auto'` infers the value from the project.
 * @param isNeeded if false, the result is an empty value instead of undefined.
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
  const give = t`Set the ${name} explicitly with ${search.waysToSet(name)}.`
  problems.push(
    remedy === undefined
      ? problem(
          'inference-failed',
          t`${name} is 'auto' (${setting.from.name}), but symup cannot infer the value from the project.`,
          { fix: give },
        )
      : problem(
          'inference-failed',
          t`${name} is 'auto' (${setting.from.name}), but git does not trust the directory because another user owns it.`,
          {
            fix: t`Run \`${remedy}\` first. Alternatively: ${give}`,
          },
        ),
  )
  return setting
}

function inferredSetting({ value, from }: Inferred): Setting<string> {
  return { value, from: { kind: 'inferred', name: from }, overrode: [] }
}

export function checkedPrefix(search: Search, inferred: Inferred | undefined): Setting<string> | undefined {
  const setting = search.text('minifiedPathPrefix')
  const prefix = setting ? overInferred(setting, inferred) : inferred && inferredSetting(inferred)
  // An empty value has already been reported.
  if (prefix !== undefined && prefix.value !== '' && !isUsablePrefix(prefix.value)) {
    search.problems.push(
      problem('prefix-invalid', t`The minified path prefix "${prefix.value}" from ${prefix.from.name} is invalid.`, {
        fix: fixForTheirs(prefix.value),
      }),
    )
  }
  return prefix
}

/**
 * Records that the configured prefix replaces the bundler's prefix, so that the log shows both. Prefixes that differ only in the host are
 * normal, for example with a CDN. Unusable prefixes are reported separately.
 */
function overInferred(setting: Setting<string>, inferred: Inferred | undefined): Setting<string> {
  if (inferred === undefined || ![setting, inferred].every(({ value }) => isUsablePrefix(value))) return setting
  if (pathOf(setting.value) === pathOf(inferred.value)) return setting
  const other: Provenance = { kind: 'inferred', name: `${translated(inferred.from)} (${inferred.value})` }
  return { ...setting, overrode: [...setting.overrode, other] }
}

function pathOf(prefix: string): string {
  return minifiedUrl(prefix, '').replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '')
}

/** Returns the fix for prefixes in another service's syntax. Sentry uses `~` for any origin, and Bugsnag uses `*` as a wildcard. */
function fixForTheirs(prefix: string): string | undefined {
  if (/^~\//.test(prefix)) return t`Remove the ~. A path such as ${prefix.slice(1)} already matches all hosts.`
  return prefix.includes('*')
    ? t`symup does not support wildcards. Use a path such as /app, which matches all hosts.`
    : undefined
}

/** Returns the upload URL. If an endpoint is set, the site is ignored. */
export function resolveEndpoint(search: Search): Setting<string> | undefined {
  const endpoint = search.text('endpoint')
  if (endpoint === undefined) {
    const site = search.text('site')
    const from: Provenance = { kind: 'default', name: t`the default site ${DEFAULT_SITE}` }
    if (site === undefined) return { value: uploadUrl(SITES[DEFAULT_SITE]), from, overrode: [] }
    // An invalid value has already been reported.
    return site.value === '' ? undefined : { ...site, value: uploadUrl(SITES[site.value as Site]) }
  }
  if (endpoint.value === '') return undefined
  try {
    return { ...endpoint, value: uploadUrl(endpoint.value) }
  } catch (error) {
    const why = (error as RangeError).message
    search.problems.push(
      problem('endpoint-invalid', t`The endpoint from ${endpoint.from.name} is invalid. ${why}`, {
        fix: t`Use ${search.waysToSet('endpoint')} to set an address such as https://intake.example.com.`,
      }),
    )
    return undefined
  }
}

/**
 * Reports an untrusted redirection. Other users may be able to write a config file above the project directory. Such a file must not
 * control where a key from the environment is sent, so it must not set the intake, the proxy or the certificate authority. `site` is
 * allowed, because all sites are official. If the key is set as an option, the developer who set it may know about the file, so the problem
 * is only a warning.
 */
export function refuseTrapFromAbove(search: Search, path: string, found: Partial<Settings>): void {
  if (found.apiKey === undefined || found.apiKey.from.kind === 'config-file') return
  for (const name of ['endpoint', 'proxy', 'ca'] as const) {
    const setting = found[name]
    if (setting?.from.kind !== 'config-file' || (name === 'endpoint' && isPlatform(setting.value))) continue
    search.problems.push(
      problem(
        'config-file-untrusted',
        t`For security reasons, the ${name} from a config file above the project directory cannot be used with the API key from ${found.apiKey.from.name}.`,
        {
          file: path,
          severity: found.apiKey.from.kind === 'environment' ? 'error' : 'warning',
          fix: t`Set the ${name} in symup.json in the project directory, or with ${search.waysToSet(name)}.`,
        },
      ),
    )
  }
}

function isPlatform(address: string): boolean {
  return Object.values(SITES).some((site) => uploadUrl(site) === address)
}
