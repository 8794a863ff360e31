import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import {
  connectionSettings,
  EXIT,
  type InferredRelease,
  isFailure,
  type Line,
  type Probe,
  type Problem,
  probeEndpoint,
  problem,
  renderProblems,
  resolveSettings,
  type Setting,
  type Settings,
  SymupError,
  shownPath,
  shownValue,
} from '@symup/core'
import { t, translated } from '@symup/core/text'
import { printDocument } from '../failure.ts'
import { settingsIn, type UploadFlags } from '../flags.ts'
import { nativeRelease } from '../native-release.ts'
import { printLines } from '../terminal.ts'

export interface DoctorFlags extends UploadFlags {
  minifiedPathPrefix?: string
}

/** The output of `symup doctor --json`, in which secrets are shown as `***`. */
interface DoctorDocument {
  versions: Record<string, string>
  configFile: string | null
  settings: Record<string, { value: string; from: string; overrode: string[] }>
  certificates: Record<string, string>
  probe: Probe | null
  problems: Problem[]
}

/** The clock difference in seconds above which certificates and release times may appear invalid. */
const CLOCK_SKEW_WORTH_A_WORD = 60
const SLOW_ANSWER_MS = 3000

/**
 * Runs `symup doctor`.
 * @returns 0 if an upload would succeed, 1 if it would fail because of the endpoint or the API key, or 2 if the configuration is unusable.
 */
export async function runDoctor(flags: DoctorFlags, toolVersion: string): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  const native = await nativeRelease(cwd)
  const resolution = resolveSettings({
    options: settingsIn(flags),
    cwd,
    ignoreConfigFile: !flags.configFile,
    adapter: 'cli',
    needsPrefix: 'where-set',
    inferredService: native.service,
    inferredVersion: native.version,
  })
  const settings: Partial<Settings> = resolution.ok ? resolution.settings : resolution.found
  const problems = [...resolution.problems]
  const packages = installedPackages(cwd)
  if (settings.minifiedPathPrefix === undefined) problems.push(...prefixMissing(native, packages))
  const probe = await probeIt(settings, problems)
  const document: DoctorDocument = {
    versions: { symup: toolVersion, node: process.versions.node, ...packages },
    configFile: resolution.configFile ?? null,
    settings: Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, shown(name, setting)])),
    certificates: certificates(settings),
    probe: probe ?? null,
    problems,
  }
  if (flags.json) printDocument(document)
  const failures = problems.filter((item) => isFailure(item, flags.failOnWarnings ?? false)).length
  const lines = render(document, failures, cwd)
  printLines(flags.quiet ? lines.slice(-1) : lines, flags.json ? process.stderr : process.stdout)
  if (!resolution.ok) return EXIT.unusable
  return failures > 0 ? EXIT.incomplete : EXIT.ok
}

/** If a bundler plugin is installed, the missing prefix is only a hint, because the plugin determines the prefix automatically. */
function prefixMissing(native: InferredRelease, packages: Readonly<Record<string, string>>): Problem[] {
  const has = (plugins: readonly string[]) => plugins.some((name) => packages[`@symup/${name}`] !== undefined)
  const isBundled = has(BUNDLER_PLUGINS)
  if (native.service || native.version || (!isBundled && has(OTHER_PLUGINS))) return []
  const message = t`No minified path prefix is set. Bundler plugins infer the prefix, but symup web upload requires the setting.`
  const fix = t`For symup web upload, set minifiedPathPrefix in symup.json, or pass --minified-path-prefix.`
  return [problem('prefix-missing', message, { severity: isBundled ? 'info' : 'warning', fix })]
}

async function probeIt(settings: Partial<Settings>, problems: Problem[]): Promise<Probe | undefined> {
  const { endpoint, apiKey, proxy } = settings
  if (endpoint === undefined || endpoint.value === '') return undefined
  let probe: Probe
  try {
    probe = await probeEndpoint({
      endpoint: new URL(endpoint.value),
      ...connectionSettings(settings),
      ...(proxy && { proxyFrom: proxy.from.name }),
      ...(apiKey && apiKey.value.reveal() !== '' && { apiKey: apiKey.value }),
    })
  } catch (error) {
    if (!(error instanceof SymupError)) throw error
    problems.push(...error.problems)
    return undefined
  }
  problems.push(...problemsOf(probe, endpoint.value))
  return probe
}

function problemsOf(probe: Probe, endpoint: string): Problem[] {
  const problems: Problem[] = []
  if (probe.failure !== undefined) return [problem('unreachable', t`Could not reach ${endpoint}. ${probe.failure}`)]
  const { status = 0, location } = probe
  if (probe.key === 'refused') {
    const code = status === 403 ? 'forbidden' : 'unauthorized'
    problems.push(problem(code, t`${endpoint} rejected the API key (HTTP ${status}).`))
  } else if (location !== undefined) {
    const message = t`${endpoint} redirects (HTTP ${status}) to ${location}. symup does not follow redirects.`
    problems.push(problem('endpoint-wrong', message))
  } else if (status === 429) {
    problems.push(problem('rate-limited', t`${endpoint} returned HTTP ${status}.`, { fix: t`Try again later.` }))
  } else if (status >= 500) {
    // If the intake is down, a proxy may respond without the intake's header, so the status is checked first.
    problems.push(problem('server-error', t`${endpoint} returned HTTP ${status}.`))
  } else if (!probe.isIntake) {
    problems.push(
      problem('endpoint-wrong', t`${endpoint} returned HTTP ${status}, but the response did not come from an intake.`),
    )
  }
  if (Math.abs(probe.clockSkew ?? 0) > CLOCK_SKEW_WORTH_A_WORD) {
    const seconds = Math.abs(probe.clockSkew ?? 0)
    const message =
      (probe.clockSkew ?? 0) > 0
        ? t`The clock on this machine is ${seconds} s ahead of the server clock.`
        : t`The clock on this machine is ${seconds} s behind the server clock.`
    problems.push(problem('clock-skew', message))
  }
  return problems
}

function shown(name: string, setting: Setting<unknown>): DoctorDocument['settings'][string] {
  const { from, overrode } = setting
  return { value: shownValue(name, setting), from: from.name, overrode: overrode.map(({ name }) => name) }
}

function certificates({ ca }: Partial<Settings>): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS: extra, SSL_CERT_FILE: file, NODE_TLS_REJECT_UNAUTHORIZED: reject } = process.env
  return {
    authorities: t`built into Node.js`,
    ...(extra && { NODE_EXTRA_CA_CERTS: extra }),
    ...(file && { SSL_CERT_FILE: file }),
    ...(ca && { [ca.from.name]: ca.value }),
    ...(reject === '0' && { NODE_TLS_REJECT_UNAUTHORIZED: t`0 (certificates are not verified)` }),
  }
}

const BUNDLER_PLUGINS = ['unplugin', 'angular', 'parcel-reporter']
/** Packages of plugins that upload files without a prefix. */
const OTHER_PLUGINS = ['react-native', 'mini-program', 'android', 'hvigor']
const PACKAGES = ['core', 'symbolicate', ...BUNDLER_PLUGINS, ...OTHER_PLUGINS, 'intake']

/** Returns the versions of the symup packages in the project, which may differ from the command's version. */
function installedPackages(cwd: string): Record<string, string> {
  const require = createRequire(join(cwd, 'package.json'))
  const found: Record<string, string> = {}
  for (const name of PACKAGES.map((short) => `@symup/${short}`)) {
    try {
      found[name] = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')).version
    } catch {
      // The package is not installed.
    }
  }
  return found
}

function render(
  { versions, configFile, settings, certificates, probe, problems }: DoctorDocument,
  failures: number,
  cwd: string,
): Line[] {
  const lines: Line[] = []
  const add = (text: string, severity: Line['severity'] = 'info') => lines.push({ severity, text })
  add(
    t`versions     ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
  )
  add(
    t`config file  ${configFile === null ? t`none (looked for symup.json and flashcat-ci.json here and in 3 parent directories)` : shownPath(configFile, cwd)}`,
  )
  add(t`settings`)
  for (const [name, { value, from, overrode }] of Object.entries(settings)) {
    add(
      `  ${name} = ${value} ← ${translated(from)}${overrode.length === 0 ? '' : t`  (overrides ${overrode.join(', ')})`}`,
    )
  }
  add(
    t`certificates ${Object.entries(certificates)
      .map(([name, value]) => `${name === 'authorities' ? t`authorities` : name} ${value}`)
      .join(', ')}`,
  )
  if (probe) {
    add(t`proxy        ${probe.proxy ? `${probe.proxy.url} ← ${probe.proxy.from}` : t`none`}`)
    for (const text of renderProbe(probe)) add(t`probe        ${text}`)
  }
  lines.push(...renderProblems(problems))
  if (failures > 0) add(t`An upload would fail because of ${failures} problem${failures === 1 ? '' : 's'}.`, 'error')
  else if (probe?.key === 'accepted' && problems.some(({ code }) => code === 'prefix-missing'))
    add(
      t`Ready to upload with a bundler plugin. The symup web upload command also requires a minified path prefix.`,
      'warning',
    )
  else if (probe?.key === 'accepted') add(t`Ready to upload.`, 'good')
  else add(t`The endpoint responded, but symup could not check the API key.`, 'warning')
  return lines
}

function keyWords(key: Probe['key']): string {
  return { accepted: t`accepted`, refused: t`refused`, unknown: t`unknown` }[key]
}

function renderProbe(probe: Probe): string[] {
  const { lookUp, connected, secured, answered, tls, clockSkew } = probe
  const steps = [
    lookUp === undefined ? '' : `DNS ${lookUp} ms`,
    connected === undefined ? '' : `TCP ${connected - (lookUp ?? 0)} ms`,
    secured === undefined ? '' : `TLS ${secured - (connected ?? 0)} ms`,
    answered === undefined
      ? ''
      : t`response in ${answered - (secured ?? connected ?? 0)} ms${answered > SLOW_ANSWER_MS ? t` (slow)` : ''}`,
  ].filter((text) => text !== '')
  const lines = steps.length === 0 ? [] : [steps.join(', ')]
  if (tls) lines.push(t`${tls.protocol}, certificate valid until ${tls.validTo}`)
  if (probe.status !== undefined) lines.push(t`HTTP ${probe.status}; key ${keyWords(probe.key)}`)
  if (clockSkew !== undefined)
    lines.push(clockSkew < 0 ? t`clock ${-clockSkew} s behind the server` : t`clock ${clockSkew} s ahead of the server`)
  return lines
}
