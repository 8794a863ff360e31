import { placeOf } from '../kinds/index.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { Outcome } from '../model/report.ts'
import type { Secret } from '../model/secret.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { artifactId, contentHash, Ledger } from './ledger.ts'

/** The record of earlier runs, extended by this run. */
export type History = Awaited<ReturnType<typeof openHistory>>

interface ArtifactIdentity {
  hash: string
  id: string
  member?: string
}

/**
 * Opens the ledger at `path`. An unusable ledger causes a warning, because the upload does not need it.
 * @param reads whether `has` will be called.
 */
export async function openHistory(path: string, endpoint: string, apiKey: Secret, reads: boolean) {
  let ledger: Ledger | undefined
  const problems: Problem[] = []
  const note = (error: unknown) => {
    ledger = undefined
    const { code, message } = error as NodeJS.ErrnoException
    problems.push(problem('ledger-unusable', t`It cannot be used (${code ?? message}).`, { file: path }))
  }
  try {
    ledger = await Ledger.open(path, { reads })
  } catch (error) {
    note(error)
  }
  return {
    /** @param hashes of the artifact's files. */
    identify(upload: SymbolUpload, hashes: readonly string[]): ArtifactIdentity {
      const hash = contentHash(upload, hashes)
      const { member } = upload
      return { hash, id: artifactId(upload, hash, endpoint, apiKey), ...(member !== undefined && { member }) }
    },
    /** Whether the intake is known to have the artifact. */
    has: ({ id }: ArtifactIdentity) => ledger?.has(id) ?? false,
    record(identity: ArtifactIdentity, { event, status }: Outcome): void {
      // A dSYM has neither service nor version.
      const { service = '', version = '' } = event
      const path = placeOf(event)
      ledger?.record({ at: new Date().toISOString(), endpoint, service, version, path, outcome: status, ...identity })
    },
    /** Ends the run and returns the problems of the ledger. */
    async close() {
      await ledger?.close().catch(note)
      return problems
    },
  }
}
