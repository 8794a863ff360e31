import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { arktsMapFlaw, type CheckedFile, type Problem, problem, shownPath } from '@symup/core'
import { bytesInFile, readMapBundle } from '@symup/symbolicate'
import type { Examiner } from './examiner.ts'

/** The maps of HarmonyOS modules (`sourceMaps.map`): whether they are any, and how many files they lead back. */
export const examineArkTs: Examiner = async ({ directory, files, cwd }) => {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  for (const file of files.filter((it) => basename(it) === 'sourceMaps.map')) {
    const path = join(directory, file)
    const shown = shownPath(path, cwd)
    const { size: bytes } = await stat(path)
    const flaw = arktsMapFlaw(path)
    if (flaw !== undefined) {
      problems.push(problem('arkts-map-invalid', `The file ${flaw}.`, { file: shown }))
      checked.push({ path: shown, kind: 'arkts', bytes })
      continue
    }
    const bundle = await readMapBundle(await bytesInFile(path))
    checked.push({ path: shown, kind: 'arkts', bytes, maps: bundle.files })
  }
  return { files: checked, problems, summary: [] }
}
