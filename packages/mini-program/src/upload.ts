import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  collectMiniProgram,
  describeSettings,
  type Line,
  type Plan,
  type Problem,
  type Report,
  renderPlan,
  renderProblems,
  renderReport,
  resolveSettings,
  type Settings,
  SymupError,
  totalsOf,
  upload,
} from '@symup/core'
import type { MiniProgramOptions } from './options.ts'
import { pack, type SourceNames } from './pack.ts'
import { readProject } from './project.ts'

/** What a script gives beside the options that the plugins have too. */
export interface UploadInput extends Omit<MiniProgramOptions, 'enabled' | 'onError' | 'deleteMaps'> {
  /** With an archive that the host exported: the build output that was given to the host. See `PackOptions.over`. */
  over?: string
  /** See `PackOptions.sourceNames`. */
  sourceNames?: SourceNames
  /** Project directory. Default: the working directory. */
  cwd?: string
  /** Who uploads; part of the origin that the intake records. Default `mini-program`. */
  adapter?: string
  /** Takes the lines for people. Default: nobody. */
  log?(line: Line): void
}

const { version: packageVersion } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const DEFAULT_OUTPUT = 'node_modules/.cache/symup/sourcemap.zip'

/** Finds the settings. @throws SymupError with every problem of the configuration at once. */
export function settingsFor(input: UploadInput): Settings {
  const { apiKey, endpoint, site, service, version } = input
  const resolution = resolveSettings({
    options: { apiKey, endpoint, site, service, version },
    cwd: resolve(input.cwd ?? '.'),
    ignoreConfigFile: input.ignoreConfigFile ?? false,
    dryRun: input.dryRun ?? false,
    needsPrefix: false,
  })
  for (const line of renderProblems(resolution.ok ? resolution.problems : [])) input.log?.(line)
  if (resolution.ok) return resolution.settings
  throw failure('symup cannot upload source maps: its configuration is unusable.', resolution.problems)
}

/**
 * Packs, checks and uploads the source maps of a mini program, for scripts beside `miniprogram-ci`:
 * `await uploadMiniProgram('sourcemap.zip', { service: 'shop', version: '1.2.3', over: 'dist' })`.
 * @param from the directory that the mini program was built into, or the zip that WeChat's tools exported.
 * @throws SymupError when the configuration is unusable; what becomes of the upload is in the report.
 */
export async function uploadMiniProgram(from: string, input: UploadInput): Promise<Report> {
  return uploadWith(settingsFor(input), from, input)
}

/** The same with settings that were found before. */
export async function uploadWith(settings: Settings, from: string, input: UploadInput): Promise<Report> {
  const cwd = resolve(input.cwd ?? '.')
  const log = input.log ?? (() => undefined)
  const source = resolve(cwd, from)
  const packed = await pack(source, {
    output: resolve(cwd, input.output ?? DEFAULT_OUTPUT),
    ...(input.sourceNames && { sourceNames: input.sourceNames }),
    ...(input.over !== undefined && { over: resolve(cwd, input.over) }),
  })
  const plan: Plan = { uploads: [], problems: packed.problems }
  if (packed.archive !== undefined) {
    const appid = input.appid === 'auto' ? (await readProject(source)).appid : input.appid
    const { uploads } = await collectMiniProgram({
      archive: packed.archive,
      service: settings.service.value,
      version: settings.version.value,
      appid,
      toolVersion: packageVersion,
    })
    plan.uploads.push(...uploads)
  }
  for (const text of describeSettings(settings)) log({ severity: 'info', text })
  if (input.dryRun) {
    for (const line of renderPlan(plan)) log(line)
    return { outcomes: [], problems: plan.problems, totals: totalsOf([], 0, 0) }
  }
  const adapter = { name: input.adapter ?? 'mini-program', version: packageVersion }
  const report = await upload(plan, settings, { adapter, cwd })
  for (const line of renderReport(report)) log(line)
  return report
}

/** An error that a bundler prints well: all problems in the message, and no stack of ours below it. */
export function failure(message: string, problems: Problem[]): SymupError {
  const details = renderProblems(problems).map(({ text }) => `\n  ${text}`)
  const error = new SymupError(message + details.join(''), problems)
  error.stack = `${error.name}: ${error.message}`
  return error
}
