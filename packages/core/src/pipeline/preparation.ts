import { shownPath } from '../files/shown-path.ts'
import type { RepositoryFinding } from '../git/repository.ts'
import { TrackedFiles } from '../git/tracked-files.ts'
import { comparedOf, mapOf, scriptOf, traitsOf } from '../kinds/index.ts'
import type { FilePart, Plan, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import { type Proof, type ProofOptions, Prover, proveAll } from '../proof/prove.ts'
import { type GateOptions, gate } from './gate.ts'

interface PreparationOptions {
  cwd: string
  proves: boolean
  gate: Pick<GateOptions, 'allow' | 'strict'>
  /** The repository and the built commit. If undefined, uploads contain neither. */
  repository: RepositoryFinding | undefined
  faults: ProofOptions['faults']
}

/** Checks artifacts and attaches the built commit. The check uses exactly the bytes that will be sent. */
export class Preparation {
  readonly #plan: Plan
  readonly #options: PreparationOptions
  readonly #prover: Prover | undefined
  #proof: Proof | undefined
  readonly #attach: ReturnType<typeof attacher> | undefined
  readonly leftOut = new Set<SymbolUpload>()

  constructor(plan: Plan, options: PreparationOptions) {
    const { cwd, proves, repository, faults } = options
    this.#plan = plan
    this.#options = options
    this.#prover = proves ? new Prover({ cwd, faults, filesOf: comparedOf }) : undefined
    this.#attach = repository && attacher(repository, cwd)
  }

  /** @returns the artifact to send, or undefined if it is unusable. */
  prepare(upload: SymbolUpload, parts: readonly FilePart[]): SymbolUpload | undefined {
    const found = this.#prover?.prove(upload, parts)
    if (found && !found.isUsable) {
      this.leftOut.add(upload)
      return undefined
    }
    return this.#attach?.(upload, found?.sources) ?? upload
  }

  /** The result of the check, available after the last artifact. */
  get proof(): Proof | undefined {
    this.#proof ??= this.#prover?.proof(this.#plan.uploads)
    return this.#proof
  }

  problems(): Problem[] {
    const { cwd, gate: rules, repository } = this.#options
    const hasCommit = this.#plan.uploads.some((upload) => traitsOf(upload.event).ships && !this.leftOut.has(upload))
    const { problems = [], byUpload = [] } = this.proof ?? {}
    const files = [...byUpload].map(([upload, counts]) => ({
      path: shownPath(scriptOf(upload)?.path ?? '', cwd),
      ...counts,
    }))
    return [...gate(problems, { ...rules, files }), ...((hasCommit && repository?.problems) || [])]
  }
}

/**
 * Attaches repository data to uploads whose type supports it: the commit in the event, and the tracked source files in the `repository`
 * part. Unknown values are omitted.
 * @param directory the directory that source names from bundlers are relative to.
 */
export function attacher(
  { repository }: RepositoryFinding,
  directory: string,
): (upload: SymbolUpload, sources: readonly string[] | undefined) => SymbolUpload {
  const { url, commit } = repository
  const tracked = new TrackedFiles(repository, directory)
  return (upload, sources) => {
    if (!traitsOf(upload.event).ships) return upload
    const event = {
      ...upload.event,
      ...(url !== undefined && { git_repository_url: url }),
      ...(commit !== undefined && { git_commit_sha: commit }),
    }
    const map = mapOf(upload)
    if (url === undefined || commit === undefined || !map || !sources) return { ...upload, event }
    const files = tracked.among(sources, map.path)
    return { ...upload, event, ...(files.length > 0 && { repository: { url, commit, files } }) }
  }
}

/**
 * Resolves positions in the app's own sources and compares the results with the source texts in the maps. The check uses the bytes that
 * will be sent, and at most 80 positions per source, or 160 in a large source. A source text of up to 64 MiB is decoded as a whole.
 */
export function prove(uploads: readonly SymbolUpload[], options: ProofOptions = {}): Promise<Proof> {
  return proveAll(uploads, { ...options, filesOf: comparedOf })
}
