import { placeOf } from '../kinds/index.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { Outcome } from '../model/report.ts'
import type { Secret } from '../model/secret.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { artifactId, contentHash, Ledger } from './ledger.ts'

/** What a run knows of earlier ones, and tells later ones. */
export interface History {
  /** Identifies an artifact; undefined when its files cannot be read, which sending will report. */
  identify(upload: SymbolUpload): Promise<ArtifactIdentity | undefined>
  /** Whether the intake is known to have it. */
  has(identity: ArtifactIdentity): boolean
  record(identity: ArtifactIdentity, outcome: Outcome): void
  /** Ends the run; what went wrong with the ledger on the way. */
  close(): Promise<Problem[]>
}

interface ArtifactIdentity {
  hash: string
  id: string
  member?: string
}

/**
 * Opens the ledger at `path`. An unusable ledger is a warning, because the upload does not need it.
 * @param reads whether `has` will be called.
 */
export async function openHistory(path: string, endpoint: string, apiKey: Secret, reads: boolean): Promise<History> {
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
    async identify(upload) {
      try {
        const hash = await contentHash(upload)
        const { member } = upload
        return { hash, id: artifactId(upload, hash, endpoint, apiKey), ...(member !== undefined && { member }) }
      } catch {
        return undefined
      }
    },
    has: ({ id }) => ledger?.has(id) ?? false,
    record(identity, { event, status }) {
      // A dSYM has neither.
      const { service = '', version = '' } = event
      const path = placeOf(event)
      ledger?.record({ at: new Date().toISOString(), endpoint, service, version, path, outcome: status, ...identity })
    },
    async close() {
      await ledger?.close().catch(note)
      return problems
    },
  }
}
