import type { KnownFiles } from '../leaks/known-files.ts'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import { isComplete, type OutcomeStatus, type Report } from '../model/report.ts'
import type { Problem } from '../problems/problems.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { type Cleared, clearOutputs } from './clear-outputs.ts'
import { deleteMaps } from './delete-maps.ts'
import type { Collection, DeliveryInput } from './delivery.ts'
import { findLeftovers } from './leftovers.ts'
import type { BuildOutput } from './outputs.ts'
import { type Policy, problemsOf, underPolicy } from './policy.ts'
import { renderProblems } from './render.ts'
import { unlinkMaps } from './unlink-maps.ts'

/** What a run leaves behind in the outputs of a build. */
export class CleanUp {
  readonly #input: DeliveryInput
  readonly #settings: Settings
  readonly #root: string
  readonly #policy: Policy
  readonly #known: KnownFiles | undefined

  /** @param context.root of the project. @param context.known files that were looked through while they were sent. */
  constructor(
    input: DeliveryInput,
    settings: Settings,
    { root, policy, known }: { root: string; policy: Policy; known?: KnownFiles | undefined },
  ) {
    this.#input = input
    this.#settings = settings
    this.#root = root
    this.#policy = policy
    this.#known = known
  }

  /**
   * Deletes the maps that may go, finds what must not ship, and says how to send the rest.
   * @param report is given the problems that this finds.
   */
  async afterSending(collection: Collection, plan: Plan, report: Report): Promise<Line[]> {
    const statuses = report.outcomes.map(({ status }) => status)
    const cleared = await this.clear(collection.outputs ?? [], plan, statuses)
    const leaks = await this.#leaks(collection, cleared)
    report.problems.push(...cleared.problems)
    const lines = problemLines(problemsOf(report), this.#policy)
    report.problems.push(...leaks.problems)
    // What is to be sent again is not a leak yet.
    const leaked = isComplete(report) || leaks.problems.length > 0 ? leaks.lines : []
    return [...lines, ...cleared.lines, ...cleared.details, ...leaked]
  }

  /** In place of sending: keeps what is to be sent later, clears the outputs as if it had been sent, and finds what must not ship. */
  async keep(collection: Collection, plan: Plan): Promise<{ lines: Line[]; problems: Problem[] }> {
    const cleared = await this.clear(collection.outputs ?? [], plan, [])
    const leaks = await this.#leaks(collection, cleared)
    const lines = problemLines([...plan.problems, ...cleared.problems], this.#policy)
    const problems = [...cleared.problems, ...leaks.problems]
    return { lines: [...lines, ...cleared.lines, ...cleared.details, ...leaks.lines], problems }
  }

  #leaks(
    { outputs = [], keyOnly = false }: Collection,
    { hashed, problems }: Cleared,
  ): ReturnType<typeof findLeftovers> {
    const { mapsMustGo = false, strictLeaks = false } = this.#input
    const { allowLeaks, apiKey } = this.#settings
    return findLeftovers(outputs, {
      root: this.#root,
      mapsMustGo: mapsMustGo || strictLeaks,
      strict: strictLeaks,
      allow: allowLeaks && listOf(allowLeaks.value),
      keyOnly,
      isCommand: this.#input.settings.adapter === 'cli',
      hashed,
      undeleted: problems.flatMap(({ code, file }) => (code === 'map-not-deleted' && file !== undefined ? [file] : [])),
      apiKey,
      known: this.#known,
    })
  }

  /** @param statuses what became of each upload of the plan; empty when nothing was sent. */
  clear(outputs: readonly BuildOutput[], plan: Plan, statuses: readonly OutcomeStatus[]): Promise<Cleared> {
    const { adapter, settings: given, git = false, later = false } = this.#input
    const isCommand = given.adapter === 'cli'
    const context = { settings: this.#settings, root: this.#root, toolVersion: adapter.version, git, isCommand, later }
    return clearOutputs(outputs, plan, statuses, context)
  }
}

/** For a build that goes on although nothing is uploaded: deletes the maps that were not to stay in an output. */
export async function clearUnsent(output: BuildOutput, root: string, policy: Policy): Promise<Line[]> {
  const { unsent, problems } = await deleteMaps(output, { uploads: [], problems: [] }, [], root)
  const unlinked = await unlinkMaps(output.directory, unsent, root)
  const count = t`${unsent.length} source map${unsent.length === 1 ? '' : 's'}`
  const line: Line = { severity: 'info', text: t`Deleted ${count}, as nothing is uploaded.` }
  return [...problemLines(problems, policy), ...(unsent.length > 0 ? [line] : []), ...unlinked.lines]
}

function problemLines(problems: readonly Problem[], policy: Policy): Line[] {
  return renderProblems(underPolicy(problems, policy))
}

/** A list setting as it was read. */
function listOf(value: string | boolean | readonly string[]): readonly string[] {
  return typeof value === 'boolean' ? [] : [value].flat()
}
