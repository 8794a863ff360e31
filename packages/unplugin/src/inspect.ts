import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import {
  attachRepository,
  findLeaks,
  isLeak,
  type Line,
  type Plan,
  type Problem,
  prove,
  type RepositoryFinding,
  renderLeaks,
  renderProblems,
  renderProof,
  type Settings,
} from '@symup/core'
import type { SymupOptions } from './options.ts'
import type { BuildContext, BuildOutput } from './session.ts'

/** A build waits for these; `symup check` takes longer. */
const PROOF_BUDGET_MS = 2_000
const LEAKS_BUDGET_MS = 3_000

/** Before anything is sent: whether the positions resolve, and which commit was built. */
export async function inspectPlan(
  plan: Plan,
  repository: Promise<RepositoryFinding> | undefined,
  context: BuildContext,
): Promise<{ plan: Plan; lines: Line[]; problems: Problem[] }> {
  const proof = await prove(plan.uploads, { cwd: context.root, timeBudget: PROOF_BUDGET_MS })
  const proven: Plan = { uploads: plan.uploads, problems: [...plan.problems, ...proof.problems] }
  return {
    plan: repository
      ? attachRepository(proven, await repository, { directory: context.root, sources: proof.sources })
      : proven,
    lines: renderProof(proof),
    problems: proof.problems.filter(({ severity }) => severity !== 'info'),
  }
}

/** When all is over: what is left in the output that must not ship. */
export async function inspectOutputs(
  outputs: readonly BuildOutput[],
  options: SymupOptions,
  context: BuildContext,
  { apiKey }: Settings,
): Promise<{ lines: Line[]; problems: Problem[] }> {
  // Whoever keeps the maps on purpose has them deployed or not, which cannot be seen here.
  const mapsShouldBeGone = options.strict === true || options.deleteAfterUpload === true
  const problems: Problem[] = []
  for (const { directory, files } of outermost(outputs)) {
    const found = await findLeaks({
      directory,
      cwd: context.root,
      timeBudget: LEAKS_BUDGET_MS,
      reachableMaps: mapsShouldBeGone ? 'warning' : 'info',
      // Written into the project itself: what else lies there is not what ships.
      ...(isInside(context.root, directory) && { files: stillThere(directory, files) }),
      ...(apiKey && { apiKey: apiKey.value }),
    })
    problems.push(...found)
  }
  const faults = problems.filter(({ severity }) => severity !== 'info')
  // Inline maps of scripts were said when they were collected.
  const unsaid = faults.filter(({ code, file }) => code !== 'map-inline' || file?.endsWith('.css'))
  if (unsaid.length > 0) {
    return {
      lines: [...renderProblems(unsaid.filter((item) => !isLeak(item))), ...renderLeaks(unsaid)],
      problems: faults,
    }
  }
  return { lines: mapsThatStay(problems), problems: faults }
}

/** Outputs that lie in another one are looked through with it. */
function outermost(outputs: readonly BuildOutput[]): BuildOutput[] {
  const byDirectory = new Map(outputs.map((output) => [output.directory, output]))
  const unique = [...byDirectory.values()]
  return unique.filter((own) => !unique.some((other) => other !== own && isInside(own.directory, other.directory)))
}

function isInside(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

function stillThere(directory: string, files: ReadonlySet<string>): string[] {
  return [...files].filter((file) => existsSync(join(directory, file)))
}

/** The user keeps them; one line is enough. */
function mapsThatStay(problems: readonly Problem[]): Line[] {
  const maps = problems.filter(({ code }) => code === 'leak-map').length
  if (maps === 0) return []
  const text = `${maps} source map${maps === 1 ? '' : 's'} stay${maps === 1 ? 's' : ''} in the output: do not deploy ${maps === 1 ? 'it' : 'them'}.`
  return [{ severity: 'info', text }]
}
