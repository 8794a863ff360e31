import { join, relative } from 'node:path'
import { type CheckedFile, collectJvmMapping, type Problem, readMappingFacts } from '@symup/core'
import type { Examiner } from './examiner.ts'

const MAPPING = /(?:^|\/)mapping[^/]*\.txt$/i

/** ProGuard and R8 mapping files: whether they are any, and whether they rename something. A single text file is taken for one. */
export const examineMappings: Examiner = async ({ directory, files, single, cwd }) => {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  for (const file of files.filter((it) => MAPPING.test(it) || (single && it.endsWith('.txt')))) {
    const path = relative(cwd, join(directory, file))
    // Service, version and variant do not matter here: nothing is sent.
    const plan = await collectJvmMapping({
      file: path,
      cwd,
      service: '',
      version: '',
      versionCode: 0,
      variant: '',
      toolVersion: '',
    })
    problems.push(...plan.problems)
    const facts = await readMappingFacts(join(directory, file)).catch(() => undefined)
    if (facts)
      checked.push({ path, kind: 'jvm-mapping', bytes: facts.bytes, ...(facts.pgMapId && { buildId: facts.pgMapId }) })
  }
  return { files: checked, problems, summary: [] }
}
