import { statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { type ListWithin, listWithin, unlistedIn } from '../list-within.ts'
import { notTaken } from '../not-taken.ts'
import {
  archOfAbi,
  checkNativeLibrary,
  isNativeLibrary,
  libraryName,
  type NativeLibraryCheck,
} from './native-library.ts'
import { type Origin, originsOf } from './own-libraries.ts'

export interface UnstrippedLibrary {
  path: string
  bytes: number
  /** The architecture: `arm`, `arm64`, `x86` or `x64`. */
  arch: string
  /** The build id from the ELF note, in lower-case hexadecimal. */
  buildId: string
}

export interface CheckedLibrary extends Pick<NativeLibraryCheck, 'elf' | 'bytes'> {
  path: string
}

/** Matches runtimes from the Android or OpenHarmony NDK, which may be stripped because users cannot rebuild them. */
export const VENDOR_RUNTIME = /^(?:libc\+\+_shared|libclang_rt\..*)\.so$/

const NAMES_SHOWN = 5

/**
 * Finds the libraries to upload. Each library is counted only once, and libraries that cannot resolve any frame are omitted. A stripped
 * library is an error if the project builds it. Otherwise, it is usually omitted. Only a few KB of each library are read.
 * @param paths directories to search at any depth, or single libraries.
 * @param cwd the base for paths in problem messages.
 * @param allowedRoot absolute paths of other directories that links may point to.
 */
export async function findUnstrippedLibraries(
  paths: readonly string[],
  cwd: string,
  allowedRoot?: ListWithin['allowedRoot'],
): Promise<{ libraries: UnstrippedLibrary[]; problems: Problem[] }> {
  const shown = (path: string) => shownPath(path, cwd)
  const problems: Problem[] = []
  const files = await findLibraries(paths, { shown, allowedRoot: [...paths, ...[allowedRoot ?? []].flat()] }, problems)
  const judged = await judgeLibraries(files, paths, shown)
  const fix = await notTaken(paths, cwd)
  problems.push(...judged.problems.map((it) => (fix && it.code === 'native-not-elf' ? { ...it, fix } : it)))
  if (files.length === 0 && problems.length === 0) {
    const message = t`No .so files were found in ${paths.map(shown).join(', ')}.`
    problems.push(problem('no-native-libraries', message, { fix }))
  }
  return { libraries: judged.libraries, problems }
}

/**
 * Decides which libraries to upload, and reports why the other libraries are omitted. The severity is `info` if nothing is lost by omitting
 * a library.
 * @param files absolute paths, or paths relative to the working directory.
 * @param named files that the user passed explicitly. Such files are never omitted as third-party libraries.
 */
export async function judgeLibraries(
  files: readonly string[],
  named: readonly string[],
  shown: (path: string) => string,
): Promise<{ libraries: UnstrippedLibrary[]; checked: CheckedLibrary[]; problems: Problem[] }> {
  const problems: Problem[] = []
  const checked: CheckedLibrary[] = []
  const usable = new Map<string, { library: UnstrippedLibrary; flaws: Problem[]; hasDebugInfo: boolean }>()
  const rejected: { library: string; buildId: string | undefined; flaws: Problem[] }[] = []
  for (const path of files) {
    const { elf, bytes, problems: flaws } = await checkNativeLibrary(path, shown(path))
    checked.push({ path, bytes, ...(elf && { elf }) })
    if (elf?.buildId === undefined || flaws.some(({ severity }) => severity === 'error')) {
      rejected.push({ library: path, buildId: elf?.buildId, flaws })
      continue
    }
    const key = `${elf.buildId} ${libraryName(path)}`
    const { buildId, hasDebugInfo } = elf
    const known = usable.get(key)
    // If several files have symbols, such as libshop.dbg.so and libshop.sym.so, prefer the one with line information.
    if (known && (known.hasDebugInfo || !hasDebugInfo)) continue
    const library = { path, bytes, arch: archOfAbi(basename(dirname(path))) ?? elf.arch, buildId }
    usable.set(key, { library, flaws, hasDebugInfo })
  }
  problems.push(...[...usable.values()].flatMap(({ flaws }) => flaws))
  const originOf = originsOf()
  const others: { library: string; certain: boolean }[] = []
  for (const { library, buildId, flaws } of rejected) {
    const twin = usable.get(`${buildId} ${libraryName(library)}`)?.library
    if (twin)
      problems.push(...asInfo(flaws, t`symup uploads the copy that contains symbols instead: ${shown(twin.path)}.`))
    else if (VENDOR_RUNTIME.test(libraryName(library)))
      problems.push(...asInfo(flaws, t`The file is a runtime library from the NDK.`))
    else if (usable.size > 0 && !named.includes(library) && isThirdParty(flaws, originOf(library)))
      others.push({ library, certain: originOf(library) === 'packaged' })
    else problems.push(...flaws)
  }
  if (others.length > 0) problems.push(leftOut(others, shown))
  return { libraries: [...usable.values()].map(({ library }) => library), checked, problems }
}

/**
 * Tests whether an unusable library comes from a third party and therefore cannot be fixed by the user. A stripped library of unknown
 * origin is assumed to come from a third party.
 */
function isThirdParty(flaws: readonly Problem[], origin: Origin): boolean {
  const excused = flaws.filter(({ severity }) => severity === 'error').map(({ code }) => code)
  const stripped = excused.includes('native-stripped')
  const harmless = excused.every((code) => code === 'native-stripped' || code === 'build-id-missing')
  return harmless && (origin === 'packaged' || (origin === 'unknown' && stripped))
}

function leftOut(others: readonly { library: string; certain: boolean }[], shown: (path: string) => string): Problem {
  const names = [...new Set(others.map(({ library }) => libraryName(library)))]
  const more = names.length - NAMES_SHOWN
  const listed = names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? t` and ${more} more` : '')
  const certain = others.every((it) => it.certain)
  const message =
    names.length === 1 ? t`Skipped 1 library: ${listed}.` : t`Skipped ${names.length} libraries: ${listed}.`
  return problem('native-others-skipped', message, {
    file: shown(directoryOf(others.map(({ library }) => library))) || '.',
    severity: certain ? 'info' : 'warning',
  })
}

/** Returns the deepest directory that contains all files. */
function directoryOf(files: readonly string[]): string {
  return files
    .map((file) => dirname(file))
    .reduce((common, directory) => {
      let above = common
      while (above !== dirname(above) && directory !== above && !directory.startsWith(above + sep))
        above = dirname(above)
      return above
    })
}

async function findLibraries(
  paths: readonly string[],
  { shown, allowedRoot }: Pick<ListWithin, 'shown' | 'allowedRoot'>,
  problems: Problem[],
): Promise<string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    try {
      if (statSync(path).isDirectory()) {
        const listed = await listWithin(path, {
          allowedRoot,
          wanted: isNativeLibrary,
          shown: (file) => shown(join(path, file)),
        })
        problems.push(...listed.problems)
        for (const file of listed.files) if (isNativeLibrary(file)) found.add(join(path, file))
      } else found.add(path)
    } catch (error) {
      problems.push(unreadable('directory-unreadable', error, { file: unlistedIn(path, path, error) }))
    }
  }
  return [...found].sort()
}

function asInfo(flaws: Problem[], because: string): Problem[] {
  return flaws.map((flaw) => ({
    ...flaw,
    severity: 'info',
    message: t`${flaw.message} ${because}`,
    fix: '',
  }))
}
