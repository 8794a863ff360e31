import { rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type ArchiveCheck,
  type ArchivedMap,
  archiveProblems,
  checkMiniProgramArchive,
  MINI_PROGRAM_LIMITS,
  NO_MAPS_MESSAGE,
  type Problem,
  problem,
  t,
  translated,
} from '@symup/core/internal'
import { readArchive } from './archive-source.ts'
import { compose } from './compose.ts'
import { type DirectoryInput, readDirectory } from './directory-source.ts'
import { rename } from './rename.ts'
import type { MapSources, SourceNames } from './sources.ts'
import { writeArchive } from './write-archive.ts'

export type { SourceNames } from './sources.ts'

export interface PackOptions {
  /** Where to write the archive. */
  output: string
  /** With a directory: globs of the scripts whose maps are wanted, relative to the output directory. Default: all. */
  include?: string | readonly string[] | undefined
  /** With a directory: globs of the scripts whose maps are not wanted. */
  exclude?: string | readonly string[] | undefined
  /** With a directory: the files to look at, relative to it or absolute. Default: every file below it. */
  files?: readonly string[]
  /** Where links may lead besides the directory. Absolute. */
  allowedRoot?: string | undefined
  /**
   * With an archive that the host exported: the build output that was given to the host. Its maps are composed with the archive's, so
   * that stacks resolve to the sources and not to built JavaScript.
   */
  over?: string
  /** Names of sources as the maps have them → as the project has them. Default: they stay. */
  sourceNames?: SourceNames
}

export interface PackResult {
  /** The archive; undefined when it could not be made or would be refused, which the problems explain. */
  archive: string | undefined
  /** Size of the archive. */
  bytes: number
  /** Every source map in it. */
  maps: ArchivedMap[]
  /** Decompressed bytes of all entries. */
  totalBytes: number
  /** How many maps were composed with the framework's. */
  composed: number
  /** The version that the developer gave to WeChat, where its tools exported what was packed. */
  userVersion?: string
  problems: Problem[]
}

/**
 * Packs the source maps of a mini program into the archive that the intake takes: `const { archive, problems } = await pack('dist',
 * { output: 'sourcemap.zip' })`.
 * @param from the directory that the mini program was built into (Taro, uni-app, the host's own tools; or its project directory), or a zip
 * that WeChat's devtools or `miniprogram-ci` exported.
 * @throws only when the archive cannot be written.
 */
export async function pack(from: string, { output, over, sourceNames, ...which }: PackOptions): Promise<PackResult> {
  const [source, archive] = [resolve(from), resolve(output)]
  const opened = await openSources(source, which)
  const found = sourceNames?.size ? rename(opened, sourceNames) : opened
  const sources =
    over === undefined
      ? { ...found, composed: () => 0 }
      : compose(found, await openSources(resolve(over), { allowedRoot: which.allowedRoot }))
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
      return failed([problem('archive-without-maps', translated(NO_MAPS_MESSAGE), { file: from })])
    const { entries } = MINI_PROGRAM_LIMITS
    if (sources.maps.length > entries) {
      const message = t`The archive has ${sources.maps.length} entries; at most ${entries} are allowed.`
      return failed([problem('archive-too-large', message)])
    }
    const unreadable = await writeArchive(archive, sources.maps, sources.subPackages)
    if (unreadable) return failed([unreadable])
    const check: ArchiveCheck = await checkMiniProgramArchive(archive)
    if (!check.ok) {
      await rm(archive)
      return failed([check.problem])
    }
    const problems = [...sources.problems, ...archiveProblems(check)]
    if (over !== undefined && sources.composed() === 0) {
      const fix = t`Give the build output that was uploaded to the host, built with source maps.`
      problems.push(problem('map-not-composed', t`No source of these maps has a map in ${over}.`, { fix }))
    }
    const { maps, totalBytes } = check
    const userVersion = sources.userVersion?.()
    return {
      archive,
      bytes: (await stat(archive)).size,
      maps,
      totalBytes,
      composed: sources.composed(),
      ...(userVersion !== undefined && { userVersion }),
      problems,
    }
  } finally {
    await sources.close()
  }
}

/** A directory or an archive; one that cannot be read is a problem. */
async function openSources(path: string, which: Omit<DirectoryInput, 'directory'> = {}): Promise<MapSources> {
  try {
    const isDirectory = (await stat(path)).isDirectory()
    return isDirectory ? await readDirectory({ ...which, directory: path }) : await readArchive(path)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    const message = t`${path} cannot be read (${why}).`
    return {
      maps: [],
      subPackages: [],
      problems: [problem('directory-unreadable', message)],
      close: async () => undefined,
    }
  }
}
