import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Line, listFiles, mustFail, POLICIES, problemsOf, type Report, type Settings } from '@symup/core'
import type { MiniProgramOptions } from './options.ts'
import type { SourceNames } from './pack.ts'
import { failure, settingsFor, type UploadInput, uploadWith } from './upload.ts'

/** What a framework's plugin tells about its build. */
export interface BuildContext {
  /** `taro`, `uni-app`: part of the origin that the intake records. */
  framework: string
  /** Project directory. */
  root: string
  /** See `PackOptions.sourceNames`; filled while the build runs. */
  sourceNames?: SourceNames
}

/** A build with the plugin. */
export interface Build {
  /** Packs and uploads what was built below `directory`. @throws SymupError when the options say that the trouble fails the build. */
  finish(directory: string): Promise<void>
}

/**
 * Finds the settings before the build starts, so that an unusable configuration costs no build time.
 * @returns undefined when there is nothing to do after the build.
 * @throws SymupError with every configuration problem at once, unless `onError` is `'warn'`.
 */
export function openBuild(
  options: MiniProgramOptions,
  { framework, root, sourceNames }: BuildContext,
): Build | undefined {
  if (options.enabled === false) return undefined
  const input: UploadInput = { ...options, cwd: root, adapter: framework, log, ...(sourceNames && { sourceNames }) }
  let settings: Settings
  try {
    settings = settingsFor(input)
  } catch (error) {
    if (options.onError !== 'warn') throw error
    log({ severity: 'error', text: `${(error as Error).message}\nNothing will be uploaded.` })
    return undefined
  }
  return {
    async finish(directory) {
      const report = await uploadWith(settings, directory, input)
      // What did not arrive is in the archive, which stays.
      if (options.deleteMaps && !options.dryRun) await deleteMaps(directory)
      if (failsBuild(report, options)) throw failure('symup: the source maps were not uploaded.', problemsOf(report))
    },
  }
}

function failsBuild(report: Report, { onError, dryRun }: MiniProgramOptions): boolean {
  if (onError === 'warn' || dryRun) return false
  return mustFail(problemsOf(report), onError === 'fail' ? POLICIES.strict : POLICIES.local)
}

async function deleteMaps(directory: string): Promise<void> {
  const maps = (await listFiles(directory)).filter((file) => file.endsWith('.js.map'))
  await Promise.all(maps.map((file) => rm(join(directory, file))))
}

/** Straight to the terminal: uni-app's logger is silent below warnings, and the last line of an upload must be seen. */
function log({ severity, text }: Line): void {
  const stream = severity === 'error' || severity === 'warning' ? process.stderr : process.stdout
  stream.write(`[symup] ${text}\n`)
}
