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
  /** For directories: globs of the scripts whose maps are packed, relative to the output directory. Default: all scripts. */
  include?: string | readonly string[] | undefined
  /** For directories: globs of the scripts whose maps are not packed. */
  exclude?: string | readonly string[] | undefined
  /** For directories: files to examine, relative to the directory or absolute. Default: every file below the directory. */
  files?: readonly string[]
  /** Absolute path of another directory that links may point to. */
  allowedRoot?: string | undefined
  /**
   * Build output that the host received, for an archive that the host exported. The maps in the build output are composed with the
   * archive's maps, so that stacks resolve to the sources instead of built JavaScript.
   */
  over?: string
  /** Whether to check positions in the maps. Default: true. */
  proof?: boolean | undefined
  /** Project directory, which is the base for file names in problems and for Taro's sources. Default: the working directory. */
  cwd?: string | undefined
}

export interface PackResult {
  /** Path of the archive; undefined if it could not be created or would be refused. In that case, the problems explain why. */
  archive: string | undefined
  /** Size in bytes. */
  bytes: number
  maps: ArchivedMap[]
  /** Total size of all entries when decompressed, in bytes. */
  totalBytes: number
  composed: number
  /** Version that the developer entered for WeChat, if its tools exported the input. */
  userVersion?: string
  /** Whether the maps resolve to the original code; undefined if nothing was packed or the check is off. */
  proof?: PackProof
  problems: Problem[]
}

/**
 * Packs the source maps of a mini program into an archive for the intake:
 * `const { archive, problems } = await pack('dist', { output: 'sourcemap.zip' })`.
 * @param from output directory of the mini program (from Taro, uni-app or the host's own tools), its project directory, or a zip that
 * WeChat's devtools or `miniprogram-ci` exported.
 * @throws only if the archive cannot be written.
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
    if (sources.maps.length === 0)
      return failed([
        problem('archive-without-maps', t`No .js.map files were found.`, { file: shownPath(source, project) || '.' }),
      ])
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
    if (over !== undefined && sources.composed() === 0) {
      problems.push(
        problem(
          'map-not-composed',
          t`${shownPath(resolve(over), project) || '.'} contains no source maps for the sources of these maps.`,
          otherOutput(),
        ),
      )
    }
    const { maps, totalBytes } = check
    const changed = sources.changed()
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
      composed: sources.composed(),
      ...(userVersion !== undefined && { userVersion }),
      ...(proven && { proof: proven.proof }),
      problems,
    }
  } finally {
    await sources.close()
  }
}

/** Scripts that may contain only data are at most this large, in bytes. */
const MAX_DATA = 1024 * 1024

/** With Taro's Vite runner, `babelHelpers.js` contains only the bundler's helpers, so its map has no sources. */
const HELPERS = /(?:^|\/)babelHelpers\.js\.map$/

/** Some scripts contain no app code, for example only a page's images. The maps of such scripts are empty. */
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
  const others = more.length === 0 ? '' : t` and ${more.length} more`
  const message = t`The archive and ${over} are from different builds, because ${first}${others} ${more.length === 0 ? 'is' : 'are'} not in WeChat's input.`
  return problem('map-stale', message, otherOutput())
}

function otherOutput(): { fix: string } {
  return {
    fix: t`Pass the build output that was uploaded to the host, and make sure that it was built with source maps.`,
  }
}

/** A path that cannot be read becomes a problem. */
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
