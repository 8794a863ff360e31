import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Collected, collectJvmMapping, type JvmMappingInput } from '@symup/core'
import { fileOutside, makeDirectory, Roots } from '@symup/core/internal'
import { reduceMapping, reducesAnything } from './mapping-reduction.ts'
import type { MappingRequest } from './request.ts'

export type BuildFacts = Omit<JvmMappingInput, 'file'>

export type MappingSource = Pick<
  MappingRequest,
  'mappingFile' | 'usualMappingFiles' | 'trimIndents' | 'packageAliases' | 'temporaryDirectory'
> & {
  /**
   * The project directory. After symbolic links are resolved, a file that a build wrote must be in this directory or in the build's
   * standard directory.
   */
  directory?: string
  /** Absolute path of another directory that may contain the file. */
  allowedRoot?: string | undefined
}

export async function planMapping(request: MappingSource, facts: BuildFacts): Promise<Collected> {
  const file = mappingFileOf(request)
  const { directory, allowedRoot } = request
  if (directory !== undefined && !new Roots([directory, dirname(file), allowedRoot]).hold(file))
    return { uploads: [], problems: [fileOutside(file)], directories: [file] }
  // Check the original file first, because it may not be a mapping file at all.
  const plan = await collectJvmMapping({ ...facts, file })
  const reduction = { trimIndents: request.trimIndents ?? false, packageAliases: request.packageAliases ?? {} }
  if (plan.uploads.length === 0 || !reducesAnything(reduction)) return { ...plan, directories: [file] }
  makeDirectory(request.temporaryDirectory)
  const copy = join(request.temporaryDirectory, 'mapping.txt')
  await reduceMapping(file, copy, reduction)
  const reduced = await collectJvmMapping({ ...facts, file: copy })
  const uploads = reduced.uploads.map((upload) => ({ ...upload, from: file }))
  return { uploads, problems: [...plan.problems, ...reduced.problems], directories: [file] }
}

function mappingFileOf({ mappingFile, usualMappingFiles }: MappingSource): string {
  const named = [mappingFile ?? []].flat()
  return named[0] ?? usualMappingFiles.find((file) => existsSync(file)) ?? (usualMappingFiles[0] as string)
}
