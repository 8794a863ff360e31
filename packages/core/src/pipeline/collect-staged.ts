import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { shownPath } from '../files/shown-path.ts'
import { collectJavaScript } from '../kinds/javascript/javascript.ts'
import { collectReactNative } from '../kinds/react-native/react-native.ts'
import type { Plan } from '../model/plan.ts'
import { problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { CollectContext, Collection } from './delivery.ts'
import { type BuildOutput, outputOf } from './outputs.ts'
import { projectCache, readStaged, type StagedRelease, stagedBelow } from './staging.ts'

/**
 * Finds the artifacts that builds of the project staged, for every service and version. They are deleted after the
 * upload.
 */
export async function collectStaged({ settings, cwd, toolVersion }: CollectContext): Promise<Collection> {
  const top = stagedBelow(projectCache(settings, cwd))
  const found: Plan = { uploads: [], problems: [] }
  const outputs: BuildOutput[] = []
  for (const release of await directoriesIn(top)) {
    for (const directory of await directoriesIn(release)) {
      const event = await readStaged(directory)
      if (!event) continue
      const { uploads, problems } = await collected(event, directory, toolVersion)
      found.uploads.push(...uploads)
      found.problems.push(...problems)
      outputs.push(outputOf(directory, uploads))
    }
  }
  if (outputs.length === 0) {
    const message = t`${shownPath(top, cwd)} contains no staged source maps.`
    const fix = t`Set upload: 'later' in the plugin's options and build first. For another directory, pass --cwd.`
    found.problems.push(problem('nothing-found', message, { fix }))
  }
  return { ...found, outputs, directories: outputs.map(({ directory }) => directory), keyOnly: true }
}

async function collected({ bundle, ...release }: StagedRelease, directory: string, toolVersion: string): Promise<Plan> {
  if (!bundle) return collectJavaScript({ ...release, directory, toolVersion })
  const { service, version } = release
  const { platform, build_version: buildVersion, bundle_name: name } = bundle
  const input = { bundle: name, platform, buildVersion, service, version, toolVersion }
  return collectReactNative({ ...input, cwd: directory })
}

async function directoriesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .sort()
}
