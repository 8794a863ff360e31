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
import { pack, type SourceNames } from './pack.ts'
import { appidOf } from './project.ts'

/** What a script gives beside the options that the plugins have too. */
export interface UploadInput extends Omit<MiniProgramOptions, 'enabled' | 'onError' | 'deleteMaps'> {
  /** With an archive that the host exported: the build output that was given to the host. See `PackOptions.over`. */
  over?: string
  /** See `PackOptions.sourceNames`. */
  sourceNames?: SourceNames
  /** Try places through the maps before they are sent. Default true. */
  proof?: boolean
  /** Project directory. Default: the working directory. */
  cwd?: string
  /** Who uploads; part of the origin that the intake records. Default `mini-program`. */
  adapter?: string
  /** Takes the lines for people. Default: the terminal. */
  log?(line: Line): void
}

const toolVersion = packageVersion(import.meta.url)

const DEFAULT_OUTPUT = 'node_modules/.cache/symup/sourcemap.zip'

/**
 * Packs, checks and uploads the source maps of a mini program, for scripts beside `miniprogram-ci`:
 * `const { exitCode } = await uploadMiniProgram('sourcemap.zip', { service: 'shop', version: '1.2.3', over: 'dist' })`.
 * @param from the directory that the mini program was built into, or the zip that WeChat's tools exported.
 * @returns what became of it; `exitCode` is 0 when everything was accepted, 2 when the configuration is unusable.
 */
export function uploadMiniProgram(from: string, input: UploadInput): Promise<Verdict> {
  return deliver(deliveryOf(input), collectFrom(from, input))
}

export function deliveryOf(input: UploadInput): DeliveryInput {
  const {
    over: _over,
    sourceNames: _names,
    proof: _proof,
    cwd = '.',
    adapter = 'mini-program',
    log,
    ...options
  } = input
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

/** Packs what is there, and plans the upload of the archive. */
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
      ...(input.sourceNames && { sourceNames: input.sourceNames }),
      ...(input.over !== undefined && { over: resolve(cwd, input.over) }),
    })
    if (packed.archive === undefined) return { uploads: [], problems: packed.problems }
    const places = [source, ...(input.over === undefined ? [] : [resolve(cwd, input.over)])]
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

/** Not through a framework's logger: uni-app's is silent below warnings, and the last line of an upload must be seen. */
export function logToTerminal({ severity, text }: Line): void {
  const stream = severity === 'error' || severity === 'warning' ? process.stderr : process.stdout
  stream.write(`[symup] ${text}\n`)
}

/** What a plugin says of a build for H5 or another platform that the same config makes. */
export function tellNotMiniProgram(): void {
  const text = t`This build is not a mini program: the plugin leaves it alone, and uploads nothing of it.`
  logToTerminal({ severity: 'info', text })
}
