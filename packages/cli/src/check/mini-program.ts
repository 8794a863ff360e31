import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  archiveProblems,
  type CheckedFile,
  checkMiniProgramArchive,
  formatBytes,
  type Line,
  MINI_PROGRAM_LIMITS,
  type Problem,
  shownPath,
} from '@symup/core'
import type { Examiner } from './examiner.ts'

const ARCHIVE = /(?:^|\/)[^/]*source-?maps?[^/]*\.zip$/i

/** Archives of mini programs: whether every map in them resolves, and how near they are to the limits. A single zip is taken for one. */
export const examineMiniPrograms: Examiner = async ({ directory, files, single, cwd }) => {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  const summary: Line[] = []
  for (const file of files.filter((it) => ARCHIVE.test(it) || (single && it.endsWith('.zip')))) {
    const path = join(directory, file)
    const shown = shownPath(path, cwd)
    const entry: CheckedFile = { path: shown, kind: 'mini-program', bytes: (await stat(path)).size }
    const check = await checkMiniProgramArchive(path)
    if (!check.ok) {
      problems.push({ ...check.problem, file: shown })
      checked.push(entry)
      continue
    }
    problems.push(...archiveProblems(check).map((it) => ({ ...it, file: [shown, it.file].filter(Boolean).join(': ') })))
    const { maps, totalBytes } = check
    checked.push({ ...entry, maps: maps.length, inflatedBytes: totalBytes })
    const largest = maps.reduce((a, b) => (b.bytes > a.bytes ? b : a))
    const { mapBytes, totalBytes: most } = MINI_PROGRAM_LIMITS
    summary.push({
      severity: 'info',
      text: `${shown}: ${formatBytes(totalBytes)} of ${formatBytes(most)} decompressed; largest map ${largest.entry}, ${formatBytes(largest.bytes)} of ${formatBytes(mapBytes)}.`,
    })
  }
  return { files: checked, problems, summary }
}
