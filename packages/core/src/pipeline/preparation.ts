import { eventLoopYielder } from '../event-loop.ts'
import type { RepositoryFinding } from '../git/repository.ts'
import { traitsOf } from '../kinds/index.ts'
import type { KnownFiles } from '../leaks/known-files.ts'
import type { FilePart, Plan, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import { type Proof, type ProofOptions, Prover } from '../proof/prove.ts'
import { attacher } from './attach.ts'
import type { Preparation } from './upload.ts'

/** Checks each artifact with the bytes to be sent, and adds the built commit. Unusable artifacts are omitted. */
export class ProofAndCommit implements Preparation {
  readonly #plan: Plan
  readonly #prover: Prover | undefined
  readonly #repository: RepositoryFinding | undefined
  readonly #attach: ReturnType<typeof attacher> | undefined
  readonly #known: KnownFiles | undefined
  /** Unusable artifacts, which are not sent. */
  readonly leftOut = new Set<SymbolUpload>()

  /**
   * @param options.proves false, and nothing is proven. @param options.repository undefined, and no commit is named. @param options.known is given the files that are
   * sent; undefined, and nobody looks through them again.
   */
  constructor(
    plan: Plan,
    options: {
      cwd: string
      proves: boolean
      repository?: RepositoryFinding | undefined
      faults?: ProofOptions['faults']
      known?: KnownFiles | undefined
    },
  ) {
    const { cwd, proves, repository, faults, known } = options
    this.#plan = plan
    this.#prover = proves ? new Prover({ cwd, faults }) : undefined
    this.#repository = repository
    this.#known = known
    this.#attach = repository && attacher(repository, cwd)
  }

  ready(upload: SymbolUpload, parts: readonly FilePart[]): SymbolUpload | undefined {
    const found = this.#prover?.prove(upload, parts)
    this.#known?.look(parts, traitsOf(upload.event).script)
    if (found && !found.isUsable) {
      this.leftOut.add(upload)
      return undefined
    }
    return this.#attach?.(upload, found?.sources) ?? upload
  }

  /** Prepares every artifact. @returns the plan to send. */
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

  proof(): Proof | undefined {
    return this.#prover?.proof(this.#plan.uploads)
  }

  problems(): Problem[] {
    const hasCommit = this.#plan.uploads.some((upload) => traitsOf(upload.event).ships && !this.leftOut.has(upload))
    return [...(this.proof()?.problems ?? []), ...((hasCommit && this.#repository?.problems) || [])]
  }
}
