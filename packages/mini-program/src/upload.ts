import { resolve } from 'node:path'
import {
  type Collect,
  collectMiniProgram,
  type DeliveryInput,
  deliver,
  type Line,
  packageVersion,
  presentLines,
  type Verdict,
} from '@symup/core'
import { t } from '@symup/core/text'
import type { MiniProgramOptions } from './options.ts'
import { pack } from './pack.ts'
import { appidOf } from './project.ts'

/** The options for scripts that call `uploadMiniProgram`, including most options of the plugins. */
export interface UploadInput extends Omit<MiniProgramOptions, 'enabled' | 'onError' | 'deleteMaps'> {
  /** The build output that was passed to the host, for archives that the host exported. See `PackOptions.over`. */
  over?: string
  /** Whether to check positions in the maps before the upload. Default: true. */
  proof?: boolean
  /** Project directory. Default: the working directory. */
  cwd?: string
  /** Name of the uploader, which the intake records as part of the upload's origin. Default: `mini-program`. */
  adapter?: string
  /** Called with each line of output. By default, the lines are printed to the terminal. */
  log?(line: Line): void
}

const toolVersion = packageVersion(import.meta.url)

const DEFAULT_OUTPUT = 'node_modules/.cache/symup/sourcemap.zip'

/**
 * Packs, checks and uploads the source maps of a mini program, for scripts that use `miniprogram-ci`:
 * `const { exitCode } = await uploadMiniProgram('sourcemap.zip', { service: 'shop', version: '1.2.3', over: 'dist' })`.
 * @param from the output directory of the mini program, or a zip file that was exported by WeChat's tools.
 * @returns the result. Its `exitCode` is 0 if everything was accepted, and 2 if the configuration is unusable.
 */
export function uploadMiniProgram(from: string, input: UploadInput): Promise<Verdict> {
  return deliver(deliveryOf(input), collectFrom(from, input))
}

export function deliveryOf(input: UploadInput): DeliveryInput {
  const { over: _over, proof: _proof, cwd = '.', adapter = 'mini-program', log, ...options } = input
  return {
    adapter: { name: adapter, version: toolVersion },
    settings: {
      options,
      adapter: 'mini-program',
      cwd: resolve(cwd),
      ignoreConfigFile: input.ignoreConfigFile ?? false,
      dryRun: input.dryRun ?? false,
      needsPrefix: false,
    },
    present: presentLines(log ?? logToTerminal),
  }
}

export function collectFrom(from: string, input: UploadInput): Collect {
  return async ({ settings, cwd, allowedRoot }) => {
    const source = resolve(cwd, from)
    const packed = await pack(source, {
      output: resolve(cwd, input.output ?? DEFAULT_OUTPUT),
      include: settings.include?.value,
      exclude: settings.exclude?.value,
      allowedRoot,
      cwd,
      proof: input.proof,
      ...(input.over !== undefined && { over: resolve(cwd, input.over) }),
    })
    if (packed.archive === undefined) return { uploads: [], problems: packed.problems }
    const places = [source, ...(input.over === undefined ? [] : [resolve(cwd, input.over)]), cwd]
    const { appid, problems } = await appidOf(input.appid, places)
    const plan = await collectMiniProgram({
      archive: packed.archive,
      checked: packed,
      service: settings.service.value,
      version: settings.version.value,
      appid,
      toolVersion,
    })
    const details = packed.proof?.lines ?? []
    return { uploads: plan.uploads, problems: [...packed.problems, ...problems, ...plan.problems], details }
  }
}

/** Bypasses uni-app's logger, which shows only warnings and errors, because the last line of an upload must always be visible. */
export function logToTerminal({ severity, text }: Line): void {
  const stream = severity === 'error' || severity === 'warning' ? process.stderr : process.stdout
  stream.write(`[symup] ${text}\n`)
}

/** Prints why the plugin does nothing. Builds for H5 and other platforms may use the same config. */
export function tellNotMiniProgram(): void {
  const text = t`This build is not a mini program, so the plugin uploads nothing.`
  logToTerminal({ severity: 'info', text })
}
