import { join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import type { CheckedFile } from '../../model/check.ts'
import type { Problem } from '../../problems/problems.ts'
import type { Examined, Findings } from '../kind.ts'
import { collectJvmMapping } from './jvm-mapping.ts'
import { readMappingFacts } from './jvm-mapping-sanity.ts'

/** ProGuard and R8 mapping files: whether they are any, and whether they rename something. */
export async function examineMappings({ directory, own, cwd }: Examined): Promise<Findings> {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  for (const file of own) {
    const path = shownPath(join(directory, file), cwd)
    // Service, version and variant do not matter here: nothing is sent.
    const plan = await collectJvmMapping({
      file: path,
      cwd,
      service: '',
      version: '',
      variant: '',
      toolVersion: '',
    })
    problems.push(...plan.problems)
    const facts = await readMappingFacts(join(directory, file)).catch(() => undefined)
    if (facts)
      checked.push({ path, kind: 'jvm-mapping', bytes: facts.bytes, ...(facts.pgMapId && { buildId: facts.pgMapId }) })
  }
  return { files: checked, problems }
}
