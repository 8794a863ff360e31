import { statSync } from 'node:fs'
import { join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { problem } from '../../problems/problems.ts'
import type { Examined, Findings } from '../kind.ts'
import { readArkTsMap } from './arkts-map.ts'

/** The maps of HarmonyOS modules (`sourceMaps.map`): whether they are any, and how many files they lead back. */
export async function examineArkTs({ directory, own, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  for (const file of own) {
    const path = join(directory, file)
    const shown = shownPath(path, cwd)
    const bytes = statSync(path).size
    const map = readArkTsMap(path)
    if ('flaw' in map) found.problems.push(problem('arkts-map-invalid', `The file ${map.flaw}.`, { file: shown }))
    found.files.push({ path: shown, kind: 'arkts', bytes, ...('files' in map && { maps: map.files }) })
  }
  return found
}
