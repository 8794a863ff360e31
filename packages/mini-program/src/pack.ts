import { statSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Problem, problem, shownPath, unreadable } from '@symup/core'
import { hasCode, readRegular } from '@symup/core/internal'
import {
  type ArchiveCheck,
  type ArchivedMap,
  archiveProblems,
  checkMiniProgramArchive,
  MINI_PROGRAM_LIMITS,
} from '@symup/core/mini-program'
import { t } from '@symup/core/text'
import { readArchive } from './archive-source.ts'
import { compose, uncomposed } from './compose.ts'
import { corrected } from './correct.ts'
import { type DirectoryInput, readDirectory } from './directory-source.ts'
import { type PackProof, provePacked } from './prove.ts'
import type { MapSource, MapSources } from './sources.ts'
import { writeArchive } from './write-archive.ts'

export type { PackProof } from './prove.ts'

export interface PackOptions {
  output: string
  /** For directories only: globs that match the scripts whose maps are packed, relative to the output directory. Default: all scripts. */
  include?: string | readonly string[] | undefined
  /** For directories only: globs that match the scripts whose maps are not packed. */
  exclude?: string | readonly string[] | undefined
  /**
   * For directories only: the files to examine, as absolute paths or relative to the directory. Default: every file below the directory.
   */
  files?: readonly string[]
  /** The absolute path of another directory that links may point to. */
  allowedRoot?: string | undefined
  /**
   * The build output that was passed to the host, for archives that the host exported. Its maps are composed with the maps in the archive,
   * so that stacks resolve to the sources and not to the built JavaScript.
   */
  over?: string
  /** Whether to check positions in the maps. Default: true. */
  proof?: boolean | undefined
  /**
   * The project directory. File names in problems and the paths of Taro's sources are relative to this directory. Default: the working
   * directory.
   */
  cwd?: string | undefined
}

export interface PackResult {
  /**
   * The path of the archive. Undefined if the archive could not be created or would be rejected. In both cases, the problems explain why.
   */
  archive: string | undefined
  /** Size in bytes. */
  bytes: number
  maps: ArchivedMap[]
  /** The total uncompressed size of all entries, in bytes. */
  totalBytes: number
  composed: number
  /** The version that was entered in WeChat's tools, if these tools exported the input. */
  userVersion?: string
  /** The result of the check that the maps resolve to the original code. Undefined if nothing was packed or if the check is disabled. */
  proof?: PackProof
  problems: Problem[]
}

/**
 * Packs the source maps of a mini program into an archive for the intake:
 * `const { archive, problems } = await pack('dist', { output: 'sourcemap.zip' })`.
 * @param from the output directory of the mini program (from Taro, uni-app or the host's own tools), its project directory, or a zip file
 * that was exported by WeChat's devtools or `miniprogram-ci`.
 * @throws a file system error if the archive cannot be written.
 */
export async function pack(from: string, options: PackOptions): Promise<PackResult> {
  const { output, over, proof: proves = true, cwd = '.', ...which } = options
  const [source, archive] = [resolve(from), resolve(output)]
  const project = resolve(cwd)
  const found = await openSources(source, project, which)
  const sources =
    over === undefined
      ? uncomposed(found)
      : compose(found, await openSources(resolve(over), project, { allowedRoot: which.allowedRoot }))
  try {
    const failed = (problems: Problem[]): PackResult => ({
      archive: undefined,
      bytes: 0,
      maps: [],
      totalBytes: 0,
      composed: 0,
      problems: [...sources.problems, ...problems],
    })
    if (sources.problems.some(({ severity }) => severity === 'error')) return failed([])
    if (sources.maps.length === 0) {
      const file = shownPath(source, project) || '.'
      const hasMaps = sources.problems.some(({ code }) => code === 'map-orphan')
      const message = hasMaps ? t`The scripts for the .js.map files were not found.` : t`No .js.map files were found.`
      const fix = hasMaps ? t`Pass the directory that contains the scripts of the mini program.` : undefined
      return failed([problem('archive-without-maps', message, { file, fix })])
    }
    const { entries } = MINI_PROGRAM_LIMITS
    if (sources.maps.length > entries) {
      const message = t`The archive contains ${sources.maps.length} entries, but at most ${entries} are allowed.`
      return failed([problem('archive-too-large', message)])
    }
    const unreadable = await writeArchive(archive, sources.maps, sources.subPackages)
    if (unreadable) return failed([unreadable])
    const check: ArchiveCheck = await checkMiniProgramArchive(archive)
    if (!check.ok) {
      await rm(archive)
      return failed([check.problem])
    }
    const problems = [...sources.problems, ...archiveProblems(check).filter((it) => !isOfData(it, sources.maps))]
    if (over !== undefined && sources.found.composed === 0) {
      problems.push(
        problem(
          'map-not-composed',
          t`${shownPath(resolve(over), project) || '.'} contains no source maps for the scripts that were passed to WeChat.`,
          otherOutput(),
        ),
      )
    }
    const { maps, totalBytes } = check
    const changed = [...sources.found.changed].sort()
    if (changed.length > 0) problems.push(otherBuild(changed, shownPath(resolve(over ?? ''), project) || '.'))
    const usable = new Set(maps.flatMap(({ entry, verdict }) => (verdict === 'usable' ? [entry] : [])))
    const proven = proves ? await provePacked(archive, sources, usable, project) : undefined
    problems.push(...(proven?.problems ?? []))
    const userVersion = sources.userVersion?.()
    return {
      archive,
      bytes: (await stat(archive)).size,
      maps,
      totalBytes,
      composed: sources.found.composed,
      ...(userVersion !== undefined && { userVersion }),
      ...(proven && { proof: proven.proof }),
      problems,
    }
  } finally {
    await sources.close()
  }
}

/** The maximum size of a script that may contain only data, in bytes. */
const MAX_DATA = 1024 * 1024

/**
 * Matches the map of Taro's `babelHelpers.js`. In builds with the Vite runner, this script contains only the bundler's helpers, so its map
 * has no sources.
 */
const HELPERS = /(?:^|\/)babelHelpers\.js\.map$/

/** Returns whether a problem is expected because the script contains only data, such as a page's images. Maps of such scripts are empty. */
function isOfData({ code, file = '' }: Problem, maps: readonly MapSource[]): boolean {
  if (code !== 'map-one-segment' && code !== 'map-blank') return false
  if (HELPERS.test(file)) return true
  const script = maps.find(({ entry }) => entry === file)?.script
  if (script === undefined) return false
  try {
    return statSync(script).size <= MAX_DATA && !hasCode(readRegular(script).toString('latin1'))
  } catch {
    return false // The file was deleted or cannot be read.
  }
}

function otherBuild(scripts: readonly string[], over: string): Problem {
  const [first = '', ...more] = scripts
  const files = more.length === 0 ? first : t`${first} and ${more.length} more`
  const message = t`The archive and ${over} are from different builds, because the content of ${files} differs.`
  return problem('map-stale', message, otherOutput())
}

function otherOutput(): { fix: string } {
  return {
    fix: t`Pass the build output that was uploaded to the host, and make sure that it was built with source maps.`,
  }
}

async function openSources(
  path: string,
  project: string,
  which: Omit<DirectoryInput, 'directory' | 'cwd'>,
): Promise<MapSources> {
  try {
    if (!(await stat(path)).isDirectory()) return await readArchive(path, shownPath(path, project))
    return corrected(await readDirectory({ ...which, directory: path, cwd: project }), project)
  } catch (error) {
    return {
      maps: [],
      subPackages: [],
      problems: [unreadable('directory-unreadable', error, { file: shownPath(path, project) })],
      close: async () => undefined,
    }
  }
}
