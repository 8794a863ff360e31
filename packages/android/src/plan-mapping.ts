import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { collectJvmMapping, type JvmMappingInput, type Plan } from '@symup/core'
import { reduceMapping, reducesAnything } from './mapping-reduction.ts'
import type { MappingRequest } from './request.ts'

/** What every artifact of one build says of itself. */
export type BuildFacts = Omit<JvmMappingInput, 'file'>

export type MappingSource = Pick<
  MappingRequest,
  'mappingFile' | 'usualMappingFiles' | 'trimIndents' | 'packageAliases' | 'temporaryDirectory'
>

/** Plans the upload of a variant's mapping file, or of a smaller copy when that was asked for. */
export async function planMapping(request: MappingSource, facts: BuildFacts): Promise<Plan> {
  const file = mappingFileOf(request)
  // The file itself is judged first: a copy of an error page is no mapping either.
  const plan = await collectJvmMapping({ ...facts, file })
  const reduction = { trimIndents: request.trimIndents ?? false, packageAliases: request.packageAliases ?? {} }
  if (plan.uploads.length === 0 || !reducesAnything(reduction)) return plan
  await mkdir(request.temporaryDirectory, { recursive: true })
  const copy = join(request.temporaryDirectory, 'mapping.txt')
  await reduceMapping(file, copy, reduction)
  const reduced = await collectJvmMapping({ ...facts, file: copy })
  return { uploads: reduced.uploads, problems: [...plan.problems, ...reduced.problems] }
}

function mappingFileOf({ mappingFile, usualMappingFiles }: MappingSource): string {
  const named = [mappingFile ?? []].flat()
  return named[0] ?? usualMappingFiles.find((file) => existsSync(file)) ?? (usualMappingFiles[0] as string)
}
