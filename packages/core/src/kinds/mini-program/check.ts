import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '../../files/format-bytes.ts'
import { shownPath } from '../../files/shown-path.ts'
import type { CheckedFile } from '../../model/check.ts'
import type { Line } from '../../model/line.ts'
import type { Problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { archiveContent } from '../archive-content.ts'
import type { Examined, Findings } from '../kind.ts'
import { archiveProblems, checkMiniProgramArchive, MINI_PROGRAM_LIMITS } from './mini-program-archive.ts'

export async function examineMiniPrograms({ directory, own, cwd }: Examined): Promise<Findings> {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  const summary: Line[] = []
  for (const file of own) {
    const path = join(directory, file)
    if ((await archiveContent(path)) !== 'other') continue
    const shown = shownPath(path, cwd)
    const entry: CheckedFile = { path: shown, kind: 'mini-program', bytes: (await stat(path)).size }
    const check = await checkMiniProgramArchive(path)
    if (!check.ok) {
      problems.push({ ...check.problem, file: shown })
      checked.push(entry)
      continue
    }
    const { maps, totalBytes } = check
    const isUseless = maps.every(({ verdict }) => verdict !== 'usable')
    for (const it of archiveProblems(check)) {
      const severity = isUseless && it.category === 'would-not-resolve' ? 'error' : it.severity
      problems.push({ ...it, severity, file: [shown, it.file].filter(Boolean).join(': ') })
    }
    checked.push({ ...entry, maps: maps.length, inflatedBytes: totalBytes })
    const largest = maps.reduce((a, b) => (b.bytes > a.bytes ? b : a))
    const { mapBytes, totalBytes: most } = MINI_PROGRAM_LIMITS
    summary.push({
      severity: 'info',
      text: t`The decompressed size of ${shown} is ${formatBytes(totalBytes)} (limit: ${formatBytes(most)}). The largest source map, ${largest.entry}, is ${formatBytes(largest.bytes)} in size (limit: ${formatBytes(mapBytes)}).`,
    })
  }
  return { files: checked, problems, summary }
}
