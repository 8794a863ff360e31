import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isInside } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import { allowedLeaks } from '../leaks/allowed.ts'
import { findLeaks } from '../leaks/find-leaks.ts'
import { isLeak, renderLeaks } from '../leaks/render-leaks.ts'
import type { Line } from '../model/line.ts'
import type { Problem } from '../problems/problems.ts'
import { allowedFindings } from '../settings/settings.ts'
import { t } from '../text.ts'
import type { BuildOutput, RunState } from './outputs.ts'
import { renderProblems } from './render.ts'

/** The build waits for the search, so the budget is smaller than that of `symup check`. */
const LEAKS_BUDGET_MS = 3_000

interface Reported {
  /** The absolute paths of files that must keep a reference to a deleted map. Default: none. */
  hashed?: readonly string[]
  /** The displayed paths of maps that could not be deleted. Default: none. */
  undeleted?: readonly string[]
}

export async function findLeftovers(
  run: RunState,
  { hashed = [], undeleted = [] }: Reported = {},
): Promise<{ lines: Line[]; problems: Problem[] }> {
  const { outputs, root, settings, keyOnly = false, isCommand = false, strictFindings: strict = false } = run
  const problems: Problem[] = []
  const built = filesOf(outputs, root)
  let allowed = 0
  if (keyOnly && !settings.apiKey) return { lines: [], problems }
  for (const output of outermost(outputs)) {
    const isAllowed = await allowedLeaks(allowedFindings(settings), output.directory)
    for (const leak of await leaksIn(output, run)) {
      const path = resolve(root, leak.file ?? '')
      if (keyOnly && leak.code !== 'leak-api-key') continue
      if (leak.code === 'leak-reference' && hashed.includes(path)) continue
      if (isLeak(leak) && isAllowed(leak, path)) allowed++
      else problems.push(judged(leak, built, strict))
    }
  }
  const passed: Line[] = allowed === 0 ? [] : [{ severity: 'info', text: t`Allowed: ${allowed}.` }]
  const faults = problems.filter(({ severity }) => severity !== 'info')
  // Inline maps in scripts were already reported when the artifacts were collected.
  const unreported = faults.filter(({ code, file }) => code !== 'map-inline' || file?.endsWith('.css'))
  const staying = problems.filter(({ severity, file = '' }) => severity === 'info' && !undeleted.includes(file))
  const lines = [
    ...passed,
    ...renderProblems(unreported.filter((item) => !isLeak(item))),
    ...renderLeaks(unreported),
    ...mapsThatStay(staying, built, isCommand),
  ]
  return { lines, problems: unreported }
}

/** Finds the leaks in the whole directory of an output or, if other builds share the directory, only in this build's files. */
function leaksIn(
  { directory, files, contents, deletable, shared }: BuildOutput,
  { root, mapsMustGo, strictFindings, settings: { apiKey } }: RunState,
): Promise<Problem[]> {
  return findLeaks({
    directory,
    cwd: root,
    timeBudget: LEAKS_BUDGET_MS,
    reachableMaps: mapsMustGo || strictFindings ? 'error' : 'info',
    ...(contents
      ? { contents: new Map([...contents].filter(([file]) => !deletable.has(file))) }
      : (isShared(shared) || isInside(root, directory)) && { files: existingFiles(directory, files) }),
    ...(apiKey && { apiKey: apiKey.value }),
  })
}

function judged(leak: Problem, built: ReadonlySet<string>, strict: boolean): Problem {
  return {
    ...leak,
    ...(leak.code === 'leak-map' && !built.has(leak.file ?? '') && { fix: otherBuildFix() }),
    ...(strict && isLeak(leak) && leak.severity === 'warning' && { severity: 'error' }),
  }
}

function filesOf(outputs: readonly BuildOutput[], root: string): ReadonlySet<string> {
  return new Set(
    outputs.flatMap(({ directory, files }) => [...files].map((file) => shownPath(join(directory, file), root))),
  )
}

/** Returns the fix for a map that symup never deletes, such as a map in a public directory. */
function otherBuildFix(): string {
  return t`This build did not create the source map, so symup does not delete it. Exclude the map from the deployment, or set allow: 'leak-map'.`
}

/** Removes outputs that are inside other outputs, because the search of the outer output includes them. Outputs in memory are kept. */
function outermost(outputs: readonly BuildOutput[]): BuildOutput[] {
  const onDisk = outputs.filter(({ contents }) => !contents)
  const unique = [...new Map(onDisk.map((output) => [output.directory, output])).values()]
  const outer = unique.filter((own) => !unique.some((it) => it !== own && isInside(own.directory, it.directory)))
  return [...outer, ...outputs.filter(({ contents }) => contents)]
}

function isShared(shared: BuildOutput['shared'] = false): boolean {
  return typeof shared === 'function' ? shared() : shared
}

function existingFiles(directory: string, files: ReadonlySet<string>): string[] {
  return [...files].filter((file) => existsSync(join(directory, file)))
}

const NAMED = 3

/** Returns a line that lists some of the maps that are kept intentionally and explains why they are kept. */
function mapsThatStay(problems: readonly Problem[], built: ReadonlySet<string>, isCommand: boolean): Line[] {
  const maps = problems.flatMap(({ code, file }) => (code === 'leak-map' && file !== undefined ? [file] : []))
  return [
    ...lineOf(
      maps.filter((map) => built.has(map)),
      (count, names) =>
        t`The output still contains ${count} source map${count === 1 ? '' : 's'} from this build (${names}). Exclude source maps from the deployment, or set deleteAfterUpload: true.`,
    ),
    ...lineOf(
      maps.filter((map) => !built.has(map)),
      (count, names) =>
        isCommand
          ? t`The output still contains ${count} source map${count === 1 ? '' : 's'} that symup did not upload (${names}). Exclude source maps from the deployment.`
          : t`The output still contains ${count} source map${count === 1 ? '' : 's'} that this build did not create (${names}). Exclude source maps from the deployment.`,
    ),
  ]
}

function lineOf(maps: readonly string[], textOf: (count: number, names: string) => string): Line[] {
  if (maps.length === 0) return []
  const names = `${maps.slice(0, NAMED).join(', ')}${maps.length > NAMED ? t` and ${maps.length - NAMED} more` : ''}`
  return [{ severity: 'info', text: textOf(maps.length, names) }]
}
