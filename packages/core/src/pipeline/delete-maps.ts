import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { shownPath } from '../files/shown-path.ts'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import type { Report } from '../model/report.ts'
import { type Problem, problem } from '../problems/problems.ts'
import type { BuildOutput } from './outputs.ts'

/**
 * Deletes the maps of this build that may go and that the intake has. A map of which any artifact was not accepted stays, and so does every
 * file that this build did not write or did not upload.
 */
export async function deleteMaps(
  outputs: readonly BuildOutput[],
  plan: Plan,
  report: Report,
  root: string,
): Promise<{ lines: Line[]; problems: Problem[] }> {
  const deletable = new Set(
    outputs.flatMap(({ directory, deletable }) => [...deletable].map((file) => join(directory, file))),
  )
  const arrived = new Set<string>()
  const missing = new Set<string>()
  for (const [index, { parts }] of plan.uploads.entries()) {
    const status = report.outcomes[index]?.status
    const map = parts.find(({ name, content }) => name === 'source_map' && content === undefined)
    if (map) (status === 'accepted' || status === 'already-there' ? arrived : missing).add(map.path)
  }
  const problems: Problem[] = []
  let deleted = 0
  for (const path of arrived) {
    if (!deletable.has(path) || missing.has(path)) continue
    try {
      await rm(path)
      deleted++
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.push(problem('map-not-deleted', `It could not be deleted (${code}).`, { file: shownPath(path, root) }))
    }
  }
  const text = `Deleted ${deleted} source map${deleted === 1 ? '' : 's'} that the intake has (deleteAfterUpload).`
  return { lines: deleted === 0 ? [] : [{ severity: 'info', text }], problems }
}
