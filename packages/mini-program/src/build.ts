import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Collect, endOfBuild, listFiles, openDelivery, type Problem, policyOf } from '@symup/core'
import { t } from '@symup/core/text'
import type { MiniProgramOptions } from './options.ts'
import { collectFrom, deliveryOf, logToTerminal, type UploadInput } from './upload.ts'

export interface BuildContext {
  /** `taro` or `uni-app`. The intake records the name as part of the upload's origin. */
  framework: string
  root: string
}

export interface Build {
  /** @throws SymupError if the problems cause the build to fail. */
  finish(directory: string): Promise<void>
}

/**
 * Resolves the settings before the build starts, so that no time is spent on a build with an unusable configuration.
 * @returns undefined if the plugin has nothing to do after the build.
 * @throws SymupError if the configuration is unusable, unless `onError` is `'warn'`.
 */
export function openBuild(options: MiniProgramOptions, { framework, root }: BuildContext): Build | undefined {
  if (options.enabled === false) return undefined
  const input: UploadInput = { ...options, cwd: root, adapter: framework }
  const { present, conclude } = endOfBuild(logToTerminal)
  const delivery = openDelivery({
    ...deliveryOf(input),
    present,
    policy: policyOf(options.onError),
    ...(options.onError === 'fail' && { keyRequired: true }),
  })
  if (delivery.usable) {
    return {
      async finish(directory) {
        conclude(await delivery.finish(collectAndDelete(directory, input, options.deleteMaps === true)))
      },
    }
  }
  if (delivery.verdict) conclude(delivery.verdict)
  return undefined
}

/** Deletes the maps after successful packing. The archive is kept, so nothing is lost if the upload fails. */
function collectAndDelete(directory: string, input: UploadInput, deletes: boolean): Collect {
  const collect = collectFrom(directory, input)
  return async (context) => {
    const collection = await collect(context)
    if (deletes && !context.dryRun && collection.uploads.length > 0) await deleteMaps(directory)
    return { ...collection, problems: collection.problems.map(ofFreshBuild) }
  }
}

/** Adjusts the fix for stale maps. The scripts were just built, so only an old output file or a plugin can be the cause. */
function ofFreshBuild(found: Problem): Problem {
  if (found.code !== 'map-stale') return found
  const fix = t`Delete the output directory and build again. If the problem persists, find the plugin that changes this script after its map is generated.`
  return { ...found, fix }
}

async function deleteMaps(directory: string): Promise<void> {
  const maps = (await listFiles(directory)).filter((file) => file.endsWith('.js.map'))
  await Promise.all(maps.map((file) => rm(join(directory, file))))
}
