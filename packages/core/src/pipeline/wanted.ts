import { existsSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileFilter, type Globs } from '../files/file-filter.ts'
import { isBelow } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import { scriptOf } from '../kinds/index.ts'
import type { Collected } from '../kinds/kind.ts'
import type { Plan, SymbolUpload } from '../model/plan.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { BuildOutput } from './outputs.ts'

/**
 * Applies `include` and `exclude` to collected artifacts and their problems. File names in problem messages become relative to the project.
 */
export async function wantedOf(
  {
    uploads,
    problems,
    outputs = [],
    directories = outputs.map(({ directory }) => directory),
  }: Collected & { outputs?: readonly BuildOutput[] },
  globs: Globs,
  cwd: string,
): Promise<Plan> {
  const isUnwanted = await unwantedBelow(
    directories.map((path) => resolve(cwd, path)),
    globs,
  )
  const places = problems.map((it) => placeOf(it, cwd, directories))
  const named = problems.map((it, index) => inProject(it, places[index], cwd))
  if (isUnwanted === undefined) return { uploads, problems: named }
  const misplaced = misplacedGlobs(globs, directories, cwd)
  const leftOut = new Set<string>()
  const isLeftOut = (path: string | undefined): boolean => {
    if (path === undefined || !isUnwanted(path)) return false
    leftOut.add(path)
    return true
  }
  const wanted = uploads.filter((upload) => !isLeftOut(sourceOf(upload)))
  const others = [...misplaced, ...named.filter((_, index) => !isLeftOut(scriptBeside(places[index])))]
  if (leftOut.size > 0) others.push(filesExcluded(leftOut.size, wanted.length > 0 || uploads.length === 0))
  return { uploads: wanted, problems: others }
}

/**
 * Reports globs that match nothing. In other uploaders, globs are relative to the project, so a glob that was copied from their
 * configuration would match nothing.
 */
function misplacedGlobs(globs: Globs, directories: readonly string[], cwd: string): Problem[] {
  const starts = directories
    .map((path) => relative(cwd, resolve(cwd, path)).replaceAll('\\', '/'))
    .filter((start) => start !== '' && !directories.some((path) => existsSync(resolve(cwd, path, start))))
  return (['include', 'exclude'] as const).flatMap((option) =>
    [globs[option] ?? []].flat().flatMap((glob) => {
      const plain = glob.replaceAll('\\', '/').replace(/^\.\//, '')
      const own = globOfDirectory(plain, directories, cwd)
      if (own !== undefined) {
        const message = t`${option} "${glob}" is a directory, but globs must match files in the output directory.`
        return [problem('glob-misplaced', message, { fix: t`Write the glob as "${own}".` })]
      }
      const start = starts.find((it) => plain.startsWith(`${it}/`))
      if (start === undefined) return []
      const message = t`${option} "${glob}" starts with the output directory, but globs are relative to it.`
      return [problem('glob-misplaced', message, { fix: t`Write the glob as "${plain.slice(start.length + 1)}".` })]
    }),
  )
}

/** Returns the correct glob if the given glob is the path of the output directory, the project, or a directory in the output. */
function globOfDirectory(glob: string, directories: readonly string[], cwd: string): string | undefined {
  if (/[*?{}[\]()!]/.test(glob)) return undefined
  for (const path of directories) {
    const directory = resolve(cwd, path)
    const named = resolve(directory, glob)
    const within = relative(directory, named).replaceAll('\\', '/')
    const there = existsSync(named) ? statSync(named) : undefined
    if (there?.isFile()) return undefined
    if (there && !within.startsWith('..')) return within === '' ? '**' : `${within}/**`
    if (resolve(cwd, glob) === directory) return '**'
  }
  return undefined
}

export function filesExcluded(count: number, hasRest: boolean): Problem {
  const message = hasRest
    ? t`The include and exclude patterns excluded ${count} file${count === 1 ? '' : 's'}.`
    : t`Nothing remains to upload because the include and exclude patterns excluded ${count} file${count === 1 ? '' : 's'}.`
  return problem('files-excluded', message, hasRest ? {} : { severity: 'error' })
}

/** If directories are nested, the globs are relative to the innermost one. Paths outside all directories are never excluded. */
async function unwantedBelow(paths: readonly string[], globs: Globs): Promise<((path: string) => boolean) | undefined> {
  const directories = paths.map((path) => (statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path))
  const filters: { directory: string; isWanted: (path: string) => boolean }[] = []
  for (const directory of directories.sort((a, b) => b.length - a.length)) {
    const isWanted = await fileFilter(globs, directory)
    if (isWanted) filters.push({ directory, isWanted })
  }
  if (filters.length === 0) return undefined
  return (path) => filters.find(({ directory }) => isBelow(path, directory))?.isWanted(path) === false
}

/** Returns the file to which globs apply: the script for JavaScript artifacts, the symbol file for others. */
function sourceOf(upload: SymbolUpload): string | undefined {
  return upload.from ?? (scriptOf(upload) ?? upload.parts[0])?.path
}

/**
 * Returns the absolute path of the file that a problem is about. Depending on the kind of artifact, the reported path is relative to the
 * project or to the output directory.
 */
function placeOf({ file }: Problem, cwd: string, directories: readonly string[]): string | undefined {
  if (file === undefined) return undefined
  const below = directories.map((path) => resolve(cwd, path))
  return [cwd, ...below]
    .map((base) => resolve(base, file))
    .find((candidate) => below.some((directory) => isBelow(candidate, directory)) && existsSync(candidate))
}

export function problemsInProject(problems: readonly Problem[], directory: string, cwd: string): Problem[] {
  return problems.map((it) => inProject(it, placeOf(it, cwd, [directory]), cwd))
}

function inProject(it: Problem, place: string | undefined, cwd: string): Problem {
  return place === undefined ? it : { ...it, file: shownPath(place, cwd) }
}

function scriptBeside(path: string | undefined): string | undefined {
  const script = path?.replace(/\.map$/, '')
  return script !== undefined && existsSync(script) ? script : path
}
