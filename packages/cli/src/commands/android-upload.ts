import { join, resolve } from 'node:path'
import { type BuildFacts, type ModuleFacts, type ModuleQuestion, planMapping, readModuleFacts } from '@symup/android'
import { type CollectContext, collectNdkLibraries, type Kind, type Plan, type Problem, problem } from '@symup/core'
import {
  asInBundle,
  type BuildFlags,
  isAppBundle,
  type MappingFlags,
  unpackBundle,
  withTemporaryDirectory,
} from '@symup/core/internal'
import { t } from '@symup/core/text'
import type { UploadFlags } from '../flags.ts'
import { missingPaths, type Paths, runUpload } from '../uploading.ts'

/** @returns the exit code. */
export function uploadMapping(
  _: Kind,
  [file]: Paths,
  flags: UploadFlags & MappingFlags,
  toolVersion: string,
): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  const path = resolve(cwd, file)
  const reduction = { trimIndents: flags.trimIndents ?? false, packageAliases: flags.packageAlias ?? {} }
  return withTemporaryDirectory((temporaryDirectory) =>
    uploadBuild(flags, toolVersion, { mappingFile: file }, async (facts) => {
      const fix = t`Pass the file that the build writes: app/build/outputs/mapping/<variant>/mapping.txt.`
      const absent = missingPaths([file], cwd, fix)
      if (absent) return absent
      const request = { usualMappingFiles: [], ...reduction, temporaryDirectory }
      if (!isAppBundle(file)) return planMapping({ ...request, mappingFile: path }, facts)
      const directory = join(temporaryDirectory, 'bundle')
      const flaw = await unpackBundle(path, directory, 'mapping', file)
      if (flaw) return { uploads: [], problems: [flaw], directories: [path] }
      const plan = await planMapping({ ...request, mappingFile: join(directory, 'mapping.txt') }, facts)
      const uploads = plan.uploads.map((upload) => ({ ...upload, from: path }))
      return asInBundle({ ...plan, uploads, directories: [path] }, directory, path, cwd)
    }),
  )
}

/** @returns the exit code. */
export function uploadNdk(
  _: Kind,
  paths: Paths,
  flags: UploadFlags & BuildFlags,
  toolVersion: string,
): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  return withTemporaryDirectory((temporaryDirectory) =>
    uploadBuild(flags, toolVersion, { libraries: paths }, async (facts) => {
      const absent = missingPaths(paths, cwd)
      if (absent) return absent
      const absolute = paths.map((path) => resolve(cwd, path))
      return collectNdkLibraries({ ...facts, paths: absolute, cwd, temporaryDirectory })
    }),
  )
}

async function uploadBuild(
  flags: UploadFlags & BuildFlags,
  toolVersion: string,
  files: Pick<ModuleQuestion, 'mappingFile' | 'libraries'>,
  collect: (facts: BuildFacts & Pick<CollectContext, 'allowedRoot'>) => Promise<Plan>,
): Promise<number> {
  const { gradle, variant, buildId } = flags
  const found = await readModuleFacts({ cwd: resolve(flags.cwd ?? '.'), gradle, variant, ...files })
  const versionCode = flags.versionCode ?? (found.versionCode && Number(found.versionCode.value))
  return runUpload({
    flags,
    toolVersion,
    needsPrefix: false,
    inferred: { inferredService: found.service, inferredVersion: found.version },
    furtherProblems: (problems) => [...found.problems, ...missing(problems, versionCode, found)],
    collect: ({ service, version, allowedRoot }) =>
      collect({
        ...{ service, version, allowedRoot, versionCode, buildId, toolVersion },
        // The command has already exited if the variant is missing.
        variant: found.variant as string,
      }),
  })
}

function missing(
  problems: readonly Problem[],
  versionCode: number | undefined,
  { expressions }: ModuleFacts,
): Problem[] {
  const lacks = (code: Problem['code']) => problems.some((item) => item.code === code)
  return [
    ...(lacks('service-missing') && expressions.service ? [expressions.service] : []),
    ...(lacks('version-missing') && expressions.version ? [expressions.version] : []),
    ...(versionCode === undefined && expressions.versionCode ? [expressions.versionCode] : []),
    ...(versionCode === undefined ? [problem('version-code-missing', t`The version code is unknown.`)] : []),
  ]
}
