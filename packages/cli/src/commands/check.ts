import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type CheckDocument,
  type CheckTarget,
  EXIT,
  findLeaks,
  gate,
  isFailure,
  isLeak,
  KINDS,
  type Line,
  type Problem,
  problem,
  renderLeaks,
  renderProblems,
  resolveSettings,
  type Secret,
  type SettingOptions,
  type Settings,
  shownPath,
  unreadable,
} from '@symup/core'
import { allowedLeaks, listWithin, mapsBelow, missingMapsFix, notTaken, projectRules } from '@symup/core/internal'
import { isMiniProgram } from '@symup/core/mini-program'
import { t } from '@symup/core/text'
import { renderCheckedFiles } from '../check-table.ts'
import { printDocument } from '../failure.ts'
import { settingsIn, type UploadFlags } from '../flags.ts'
import { printLines } from '../terminal.ts'

type CheckFlags = Pick<UploadFlags, 'apiKey' | 'allow' | 'json' | 'quiet' | 'failOnWarnings' | 'cwd' | 'configFile'>

/**
 * Runs `symup check <dir|file>`, which does not use the network.
 * @returns 0 if the check passes, 1 if a finding fails the check, 2 if the path cannot be read, or 3 if the path contains neither scripts
 * nor symbol files.
 */
export async function check(path: string, flags: CheckFlags): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  const prose = flags.json ? process.stderr : process.stdout
  const settings = settingsOf(settingsIn(flags), flags, cwd)
  const target = await targetOf(resolve(cwd, path), cwd, settings.allowedRoot?.value)
  if ('code' in target) {
    printLines(renderProblems([target]), process.stderr)
    if (flags.json) printDocument({ files: [], problems: [target] })
    return EXIT.unusable
  }
  const document: CheckDocument = { files: [], problems: [...target.outside] }
  const summary: Line[] = []
  for (const { check } of KINDS) {
    const own = target.files.filter((file) => check?.isOne(file, target.single))
    if (!check || own.length === 0) continue
    const findings = await check.examine({ ...target, own })
    document.files.push(...findings.files)
    document.problems.push(...findings.problems)
    summary.push(...(findings.summary ?? []))
  }
  const leaks = (await leaksIn(target, settings.apiKey?.value)).filter(isAskedAbout(path, target, document))
  const found = distinct([...document.problems, ...leaks, ...(await nothingFound(path, target, document))])
  document.problems = await judged(found, document, target, settings)
  if (!flags.quiet) printLines(renderCheckedFiles(document.files), prose)
  printLines(renderProblems(document.problems.filter((item) => !isLeak(item))), prose)
  printLines(renderLeaks(document.problems), prose)
  printLines([...summary, verdict(document)], prose)
  if (flags.json) printDocument(document)
  return exitCode(document, flags.failOnWarnings ?? false)
}

async function judged(
  problems: readonly Problem[],
  { files }: CheckDocument,
  { directory, cwd }: Target,
  settings: Partial<Settings>,
): Promise<Problem[]> {
  const allow = [settings.allow?.value ?? []].flat().filter((entry) => typeof entry === 'string')
  const isAllowed = await allowedLeaks(allow, directory)
  return gate(problems, { files, isFinal: true, allow }).map((one) =>
    isLeak(one) && isAllowed(one, resolve(cwd, one.file ?? '')) ? { ...one, severity: 'info' } : one,
  )
}

/**
 * Reports that no files were found. If a `.gitignore` file excludes the directory that contains the maps, the message suggests checking
 * that directory.
 */
async function nothingFound(
  path: string,
  { directory, ignored, single, cwd, files: found }: Target,
  { files, problems }: CheckDocument,
): Promise<Problem[]> {
  if (files.some(({ kind, map }) => kind !== 'javascript' || map !== undefined)) return []
  if (single && files.length === 0 && path.endsWith('.map')) {
    const fix = t`Pass the script for this source map, or the directory that contains both files.`
    return [
      problem('nothing-found', t`${path} is a source map. symup checks source maps together with their scripts.`, {
        fix,
      }),
    ]
  }
  const [first] = [...(await mapsBelow(directory, ignored))].sort(([, a], [, b]) => b - a)
  const code = files.length === 0 ? 'nothing-found' : 'no-map'
  const message =
    files.length === 0
      ? t`${path} contains no symbol files.`
      : t`No script in ${path} has a source map, so no stack would resolve.`
  if (first) {
    const named = join(path, first[0])
    const fix = t`To check that directory instead, run: symup check ${named}`
    return [
      problem(code, t`${message} ${t`${named} contains source maps, but .gitignore excludes this directory.`}`, {
        fix,
      }),
    ]
  }
  if (files.length === 0) {
    const there = found.map((file) => join(directory, file))
    const fix = notTaken(there, cwd) ?? t`Pass the directory that the build writes to.`
    return [problem(code, message, { fix })]
  }
  const fix =
    missingMapsFix(problems) ??
    t`Turn on source maps in the build. If the build uploads and then deletes them, pass --allow no-map.`
  return [problem(code, message, { fix })]
}

/**
 * Selects the leaks to report. A script's map may have any name, so the check of a single script examines all maps in its directory. Only
 * leaks of the script's own map are reported.
 */
function isAskedAbout(path: string, { single, cwd }: Target, { files }: CheckDocument): (leak: Problem) => boolean {
  const own = new Set([shownPath(resolve(cwd, path), cwd), ...files.flatMap(({ map }) => map ?? [])])
  return ({ code, file }) => !single || code !== 'leak-map' || file === undefined || own.has(file)
}

interface Target extends CheckTarget {
  /** Files that an upload would skip because they are outside the directory. */
  outside: Problem[]
  ignored: readonly string[]
}

export async function targetOf(path: string, cwd: string, allowedRoot: string | undefined): Promise<Target | Problem> {
  const details = { file: shownPath(path, cwd), fix: t`Pass an existing directory or file.` }
  try {
    const found = await stat(path)
    const single = found.isFile()
    if (!single && !found.isDirectory())
      return problem('directory-unreadable', t`The path is neither a file nor a directory.`, details)
    // A bundle such as `Shop.dSYM` is recognized by its name, so paths must be relative to its parent directory.
    const bundle = !single && /\.dSYM$/i.test(path) ? basename(path) : undefined
    const directory = single || bundle ? dirname(path) : path
    const { enters, ignored } = projectRules(directory)
    const { files: all, problems: outside } = await listWithin(directory, {
      allowedRoot,
      enters: bundle === undefined ? enters : async (below) => below.split('/')[0] === bundle && enters(below),
      wanted: (file) => KINDS.some(({ check }) => check?.isOne(file, false)),
      shown: (file) => shownPath(join(directory, file), cwd),
    })
    const name = basename(path)
    const isOwn = ({ file }: Problem) => file === shownPath(path, cwd)
    const belonging = KINDS.filter(({ check }) => check?.isOne(name, true)).flatMap(({ check }) => check?.belongs ?? [])
    const belongs = (file: string) => file === name || belonging.some((test) => test(file, name))
    const files = bundle === undefined ? all : all.filter((file) => file.startsWith(`${bundle}/`))
    return {
      directory,
      files: single ? all.filter(belongs) : files,
      single,
      cwd,
      ignored,
      allowedRoot,
      outside: single ? outside.filter(isOwn) : outside,
    }
  } catch (error) {
    return unreadable('directory-unreadable', error, details)
  }
}

const LEAKS_BUDGET_MS = 60_000

/** Finds files that must not be deployed. A map that no file refers to causes only a warning, because a later upload may delete the map. */
async function leaksIn({ directory, files, cwd }: CheckTarget, apiKey: Secret | undefined): Promise<Problem[]> {
  const timeBudget = LEAKS_BUDGET_MS
  const leaks = await findLeaks({ directory, files, cwd, timeBudget, ...(apiKey && { apiKey }) })
  // Maps of mini programs are not deployed, because the host compiles the output and consumes the maps.
  const found = new Map<string, Promise<boolean>>()
  const isWithin = async (place: string): Promise<boolean> => {
    const known = found.get(place) ?? isMiniProgram(place)
    found.set(place, known)
    return (await known) || (place.length > directory.length && isWithin(dirname(place)))
  }
  const isForBrowsers = async ({ code, file = '' }: Problem) =>
    (code !== 'leak-map' && code !== 'leak-reference') || !(await isWithin(dirname(resolve(cwd, file))))
  const shown = await Promise.all(leaks.map(isForBrowsers))
  return leaks.filter((_, nth) => shown[nth])
}

/** Resolves the few settings that a check needs. All other settings may be missing or invalid. */
export function settingsOf(
  options: SettingOptions,
  { configFile }: { configFile?: boolean },
  cwd: string,
): Partial<Settings> {
  const resolution = resolveSettings({
    options,
    cwd,
    ignoreConfigFile: !configFile,
    adapter: 'cli',
    dryRun: true,
    needsPrefix: false,
  })
  return resolution.ok ? resolution.settings : resolution.found
}

/** Removes duplicates, because two kinds of symbol files may report the same problem for the same file. */
function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ code, file, message }) => {
    const key = JSON.stringify([code, file ?? message])
    return !seen.has(key) && seen.add(key)
  })
}

function verdict({ files, problems }: CheckDocument): Line {
  const count = (wanted: Problem['severity']) => problems.filter(({ severity }) => severity === wanted).length
  const [errors, warnings] = [count('error'), count('warning')]
  const codes = new Map<string, number>()
  for (const { severity, code } of problems) if (severity !== 'info') codes.set(code, (codes.get(code) ?? 0) + 1)
  const causes = [...codes].map(([code, count]) => (count === 1 ? code : `${code} ×${count}`)).join(', ')
  const severity = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'good'
  const found = t`${errors} error${errors === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}`
  return {
    severity,
    text: t`Checked ${files.length} file${files.length === 1 ? '' : 's'}: ${causes === '' ? found : t`${found} (${causes})`}.`,
  }
}

function exitCode({ problems }: CheckDocument, failOnWarnings: boolean): number {
  if (problems.some(({ code }) => code === 'nothing-found')) return EXIT.nothingFound
  return problems.some((item) => isFailure(item, failOnWarnings)) ? EXIT.incomplete : EXIT.ok
}
