import { type Problem, problem } from '../problems/problems.ts'
import { t, translated } from '../text.ts'
import type { Adapter } from './definition.ts'
import { uploadUrl } from './endpoint.ts'
import type { Inferred } from './infer.ts'
import { isUsablePrefix, minifiedUrl } from './prefix.ts'
import type { Provenance, Setting, Settings } from './settings.ts'
import { DEFAULT_SITE, SITES, type Site } from './sites.ts'
import { waysToSet } from './table.ts'

const AUTO = 'auto'

/** @returns what else to do about a missing key in a task of Turborepo; '' elsewhere. */
export function turboHint(env: NodeJS.ProcessEnv): string {
  if (!env.TURBO_HASH) return ''
  return t` Turborepo hides variables that turbo.json does not name: add SYMUP_API_KEY to the task's passThroughEnv, or set upload: 'later'.`
}

/**
 * The value that was given; what was inferred where nobody gave one or `'auto'` was asked for.
 * @param remedy a command without which nothing can be inferred. Default: none is known.
 * @param absent what stands for a value that nothing needs.
 */
export function orInferred(
  name: 'service' | 'version',
  setting: Setting<string> | undefined,
  known: Inferred | undefined,
  { infer, remedy }: { infer: () => Inferred | undefined; remedy?: () => string | undefined },
  adapter: Adapter,
  problems: Problem[],
  absent: Setting<string> | undefined,
): Setting<string> | undefined {
  if (setting === undefined && known !== undefined) return inferredSetting(known)
  if (setting?.value !== AUTO) return setting ?? absent
  const inferred = known ?? infer()
  if (inferred !== undefined) return { ...inferredSetting(inferred), overrode: setting.overrode }
  if (absent !== undefined) return absent
  const needed = remedy?.()
  const give = t`Give the ${name} itself: ${waysToSet(name, adapter)}.`
  const asked = t`${name} is '${AUTO}' (${setting.from.name})`
  problems.push(
    needed === undefined
      ? problem('inference-failed', t`${asked}, but there is nothing to infer it from.`, { fix: give })
      : problem('inference-failed', t`${asked}, but git does not trust the directory: its owner is another user.`, {
          fix: t`Run \`${needed}\` before. Or: ${give}`,
        }),
  )
  return setting
}

function inferredSetting({ value, from }: Inferred): Setting<string> {
  return { value, from: { kind: 'inferred', name: from }, overrode: [] }
}

export function checkedPrefix(
  setting: Setting<string> | undefined,
  inferred: Inferred | undefined,
  problems: Problem[],
): Setting<string> | undefined {
  const prefix = setting ? overInferred(setting, inferred) : inferred && inferredSetting(inferred)
  // An empty value has been reported as such.
  if (prefix !== undefined && prefix.value !== '' && !isUsablePrefix(prefix.value)) {
    problems.push(
      problem('prefix-invalid', t`The minified path prefix "${prefix.value}" (${prefix.from.name}) cannot be used.`, {
        fix: fixForTheirs(prefix.value),
      }),
    )
  }
  return prefix
}

/** The host may be another one, such as a CDN's; with another path, what the bundler's config says is said too. One that cannot be used is reported as such. */
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
export function resolveEndpoint(
  endpoint: Setting<string> | undefined,
  findSite: () => Setting<string> | undefined,
  adapter: Adapter,
  problems: Problem[],
): Setting<string> | undefined {
  if (endpoint === undefined) {
    const site = findSite()
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
    problems.push(
      problem('endpoint-invalid', t`The endpoint from ${endpoint.from.name} cannot be used: ${why}.`, {
        fix: t`Use an address such as https://intake.example.com: ${waysToSet('endpoint', adapter)}.`,
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
export function refuseTrapFromAbove(
  path: string,
  found: Partial<Settings>,
  adapter: Adapter,
  problems: Problem[],
): void {
  if (found.apiKey === undefined || found.apiKey.from.kind === 'config-file') return
  for (const name of ['endpoint', 'proxy', 'ca'] as const) {
    const setting = found[name]
    if (setting?.from.kind !== 'config-file' || (name === 'endpoint' && isPlatform(setting.value))) continue
    problems.push(
      problem(
        'config-file-untrusted',
        t`It is above the project, and its ${name} would decide where the key from ${found.apiKey.from.name} goes.`,
        {
          file: path,
          severity: found.apiKey.from.kind === 'environment' ? 'error' : 'warning',
          fix: t`Set the ${name} in the project directory's own symup.json or beside the key: ${waysToSet(name, adapter)}.`,
        },
      ),
    )
  }
}

function isPlatform(address: string): boolean {
  return Object.values(SITES).some((site) => uploadUrl(site) === address)
}
