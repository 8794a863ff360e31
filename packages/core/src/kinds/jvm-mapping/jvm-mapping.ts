import { resolve } from 'node:path'
import type { Plan } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { type PlaceInput, type ReleaseInput, releaseFields } from '../kind.ts'
import { notTaken, unpackFirst } from '../not-taken.ts'
import type { JvmMappingEvent } from './event.ts'
import { MAX_MAPPING_BYTES, type MappingFacts, readMappingFacts } from './jvm-mapping-sanity.ts'

export interface JvmMappingInput extends ReleaseInput, Pick<PlaceInput, 'cwd'> {
  file: string
  versionCode?: number
  /** The build variant, such as `paidRelease`. */
  variant: string
  buildId?: string
}

/** Plans the upload of one mapping file. A mapping can be up to 500 MB in size, so only samples are read. */
export async function collectJvmMapping(input: JvmMappingInput): Promise<Plan> {
  const { file } = input
  const path = resolve(input.cwd ?? '.', file)
  let facts: MappingFacts
  try {
    facts = await readMappingFacts(path)
  } catch (error) {
    return refused(unreadable('file-unreadable', error, { file }))
  }
  if (facts.bytes === 0) return refused(problem('file-empty', t`The mapping file is empty.`, { file }))
  if (facts.flaw !== undefined) {
    const fix = notTaken([path], input.cwd ?? process.cwd()) ?? unpackFirst(path)
    return refused(problem('mapping-invalid', facts.flaw, { file, fix }))
  }
  if (facts.bytes > MAX_MAPPING_BYTES) {
    return refused(problem('mapping-too-large', t`The mapping file is too large (${facts.bytes} bytes).`, { file }))
  }
  const part = {
    name: 'jvm_mapping_file',
    filename: 'jvm_mapping',
    contentType: 'text/plain',
    path,
    bytes: facts.bytes,
  }
  const problems: Problem[] = []
  if (facts.renamed === 0) {
    problems.push(problem('mapping-not-obfuscated', t`The mapping file does not rename any class or method.`, { file }))
  }
  return { uploads: [{ event: eventFor(input), parts: [part] }], problems }
}

function eventFor(input: JvmMappingInput): JvmMappingEvent {
  return {
    type: 'jvm_mapping_file',
    ...releaseFields(input),
    ...(input.versionCode !== undefined && { version_code: input.versionCode }),
    variant: input.variant,
    ...(input.buildId !== undefined && { build_id: input.buildId }),
  }
}

function refused(found: Problem): Plan {
  return { uploads: [], problems: [found] }
}
