import { join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { withTemporaryDirectory } from '../../files/temporary-directory.ts'
import type { CheckedFile } from '../../model/check.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { isAppBundle, unpackBundle } from '../android-bundle.ts'
import { type Examined, type Findings, NO_RELEASE } from '../kind.ts'
import { collectJvmMapping } from './jvm-mapping.ts'
import { readMappingFacts } from './jvm-mapping-sanity.ts'

export async function examineMappings({ directory, own, cwd }: Examined): Promise<Findings> {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  for (const file of own) {
    const path = shownPath(join(directory, file), cwd)
    if (isAppBundle(file)) {
      await examineBundle(join(directory, file), path, checked, problems)
      continue
    }
    problems.push(...(await collectJvmMapping({ ...NO_RELEASE, file: path, cwd })).problems)
    const facts = await readMappingFacts(join(directory, file)).catch(() => undefined)
    if (facts)
      checked.push({ path, kind: 'jvm-mapping', bytes: facts.bytes, ...(facts.pgMapId && { buildId: facts.pgMapId }) })
  }
  return { files: checked, problems }
}

/** Examines the mapping in an app bundle. The code in a bundle without a mapping is not obfuscated. */
async function examineBundle(path: string, shown: string, checked: CheckedFile[], problems: Problem[]): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const flaw = await unpackBundle(path, directory, 'mapping', shown)
    if (flaw) {
      if (flaw.code !== 'mapping-invalid') problems.push(flaw)
      return
    }
    const { bytes, pgMapId, flaw: why } = await readMappingFacts(join(directory, 'mapping.txt'))
    const file = `${shown}/proguard.map`
    if (why !== undefined) problems.push(problem('mapping-invalid', why, { file }))
    checked.push({ path: file, kind: 'jvm-mapping', bytes, ...(pgMapId && { buildId: pgMapId }) })
  })
}
