import { eventLoopYielder } from '../event-loop.ts'
import { shownPath } from '../files/shown-path.ts'
import type { RepositoryFinding } from '../git/repository.ts'
import { comparedOf, scriptOf, traitsOf } from '../kinds/index.ts'
import type { KnownFiles } from '../leaks/known-files.ts'
import type { FilePart, Plan, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import { type Proof, type ProofOptions, Prover } from '../proof/prove.ts'
import { attacher } from './attach.ts'
import { type GateOptions, gate } from './gate.ts'
import type { Preparation } from './upload.ts'

interface PreparationOptions {
  cwd: string
  /** False to check nothing. */
  proves: boolean
  gate: Pick<GateOptions, 'allow' | 'strict'>
  /** If undefined, uploads have no commit. */
  repository: RepositoryFinding | undefined
  faults: ProofOptions['faults']
  /** Collects the sent files for the leak search. */
  known: KnownFiles | undefined
}

/** Checks each artifact with the exact bytes to be sent, and adds the built commit. Unusable artifacts are omitted. */
export class ProofAndCommit implements Preparation {
  readonly #plan: Plan
  readonly #options: PreparationOptions
  readonly #prover: Prover | undefined
  #proof: Proof | undefined
  readonly #attach: ReturnType<typeof attacher> | undefined
  /** Unusable artifacts, which are not sent. */
  readonly leftOut = new Set<SymbolUpload>()

  constructor(plan: Plan, options: PreparationOptions) {
    const { cwd, proves, repository, faults } = options
    this.#plan = plan
    this.#options = options
    this.#prover = proves ? new Prover({ cwd, faults, filesOf: comparedOf }) : undefined
    this.#attach = repository && attacher(repository, cwd)
  }

  ready(upload: SymbolUpload, parts: readonly FilePart[]): SymbolUpload | undefined {
    const found = this.#prover?.prove(upload, parts)
    this.#options.known?.look(parts, traitsOf(upload.event).script)
    if (found && !found.isUsable) {
      this.leftOut.add(upload)
      return undefined
    }
    return this.#attach?.(upload, found?.sources) ?? upload
  }

  /** Prepares every artifact before anything is sent. @returns the plan to send. */
  async all(): Promise<Plan> {
    const uploads: SymbolUpload[] = []
    const yieldToEventLoop = eventLoopYielder()
    for (const upload of this.#plan.uploads) {
      await yieldToEventLoop()
      const ready = this.ready(upload, upload.parts)
      if (ready) uploads.push(ready)
    }
    return { uploads, problems: [...this.#plan.problems, ...this.problems()] }
  }

  /** The result of the check, after the last artifact. */
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
