import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isBelow } from '../files/remove-file.ts'
import { Roots } from '../files/roots.ts'
import { shownPath } from '../files/shown-path.ts'
import { kindOf } from '../kinds/index.ts'
import type { FilePart, Plan } from '../model/plan.ts'
import { problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { CollectContext, Collection } from './delivery.ts'
import { type BuildOutput, outputOf } from './outputs.ts'
import { projectCache, readStaged, type StagedRelease, stagedBelow } from './staging.ts'

/** Finds the artifacts that the project's builds have staged, for every service and version. The clean-up deletes them after the upload. */
export async function collectStaged({ settings, cwd, toolVersion }: CollectContext): Promise<Collection> {
  const top = stagedBelow(projectCache(settings, cwd))
  const found: Plan = { uploads: [], problems: [] }
  const outputs: BuildOutput[] = []
  for (const release of await directoriesIn(top)) {
    for (const directory of await directoriesIn(release)) {
      const staged = readStaged(directory)
      if (!staged) continue
      const { uploads, problems } = await collected(staged, directory, toolVersion)
      found.uploads.push(...uploads)
      found.problems.push(...problems)
      outputs.push(outputOf(directory, uploads))
    }
  }
  if (outputs.length === 0) {
    const message = t`${shownPath(top, cwd)} contains no staged source maps.`
    const fix = t`First, set upload: 'later' in the plugin options and run the build. To use another project directory, pass --cwd.`
    found.problems.push(problem('nothing-found', message, { fix }))
  }
  return { ...found, outputs, directories: outputs.map(({ directory }) => directory), keyOnly: true }
}

/**
 * Collects the artifacts with the command for their type. Files outside the directory are ignored, because only a forged mark or a symbolic
 * link can point to them.
 */
async function collected(staged: StagedRelease, directory: string, toolVersion: string): Promise<Plan> {
  const { path, ...release } = staged
  const kind = kindOf(staged)
  const context = { cwd: directory, toolVersion, dryRun: false, temporaryDirectory: directory }
  const input = kind?.command?.input?.({ ...release, ...context, paths: [path] })
  if (!kind || !input) return { uploads: [], problems: [] }
  const { uploads, problems } = await kind.collect(input)
  const own = new Roots([directory])
  const isOwn = ({ path }: FilePart) => isBelow(path, directory) && own.hold(path)
  return { uploads: uploads.filter(({ parts }) => parts.every(isOwn)), problems }
}

async function directoriesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .sort()
}
