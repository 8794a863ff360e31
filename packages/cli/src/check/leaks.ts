import { findLeaks } from '@symup/core'
import type { Examiner } from './examiner.ts'

const BUDGET_MS = 60_000

/** What must not ship. Maps in the directory are no fault yet: they are there to be uploaded. */
export const examineLeaks: Examiner = async ({ directory, files, cwd, apiKey }) => {
  const problems = await findLeaks({
    directory,
    files,
    cwd,
    reachableMaps: 'info',
    timeBudget: BUDGET_MS,
    ...(apiKey && { apiKey }),
  })
  return { files: [], problems, summary: [] }
}
