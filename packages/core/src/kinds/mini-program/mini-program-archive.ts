import { SourceMapScan, type SourceMapVerdict } from '../../formats/source-map/source-map-scan.ts'
import { openZip, type Zip, type ZipEntry, ZipError } from '../../formats/zip/zip.ts'
import type { Line } from '../../model/line.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { phrase, t, translated } from '../../text.ts'
import { aboveMainPackage, MAIN_PACKAGES, subPackageFinder } from './sub-packages.ts'
import { UserVersionScan } from './user-version.ts'

const MIB = 1024 * 1024

/**
 * The inclusive limits for an archive, in decompressed bytes and in entries. All entries, including directories, count towards `entries`
 * and `totalBytes`. Source: section 4.7 of the service's specification.
 */
export const MINI_PROGRAM_LIMITS = { mapBytes: 50 * MIB, totalBytes: 500 * MIB, entries: 5000 }

/** The wording matches the service's own error message. */
export const NO_MAPS_MESSAGE = phrase`No .js.map entries found in the sourcemap archive`

export interface ArchivedMap {
  entry: string
  /**
   * The root directory of the sub-package, taken from the name of the entry. The value is an empty string for the main package (`__FULL__`
   * or `__APP__`).
   */
  subPackage: string
  bytes: number
  verdict: SourceMapVerdict
}

/** A problem with an archive, and the HTTP status of the intake's response. */
interface ArchiveFlaw {
  status: 400 | 413
  problem: Problem
}

export interface CheckedArchive {
  ok: true
  maps: ArchivedMap[]
  /** The names of the entries that the check ignored because they are not source maps. */
  ignored: string[]
  totalBytes: number
  /** The version that the developer entered for the upload to WeChat. The version is known only if WeChat's tools exported the archive. */
  userVersion?: string
}

export type ArchiveCheck = CheckedArchive | ({ ok: false } & ArchiveFlaw)

/**
 * Opens an archive. The names of its entries become relative to the directory that contains the main package. If Finder or Windows created
 * the archive, all names start with the name of the compressed directory: `sourcemap/__FULL__/app-service.js.map`.
 * @throws ZipError, or a file system error if the file cannot be read.
 */
export async function openArchive(path: string): Promise<Zip> {
  const zip = await openZip(path, MINI_PROGRAM_LIMITS.entries)
  const above = zip.entries.map(({ name }) => aboveMainPackage(name)).find((directory) => directory !== undefined)
  if (!above || !zip.entries.filter(isMap).every(({ name }) => name.startsWith(above))) return zip
  const entries = zip.entries.filter(({ name }) => name !== above)
  return {
    ...zip,
    entries: entries.map((it) => (it.name.startsWith(above) ? { ...it, name: it.name.slice(above.length) } : it)),
  }
}

/**
 * Inflates every entry of an archive and checks names, sizes and checksums. The sizes that an archive declares are not trusted. Memory use
 * stays within a few MB.
 * @throws a file system error if the file cannot be read.
 */
export async function checkMiniProgramArchive(path: string): Promise<ArchiveCheck> {
  let zip: Zip | undefined
  try {
    zip = await openArchive(path)
    return await inflateAll(zip)
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    return archiveFlaw(error)
  } finally {
    await zip?.close()
  }
}

async function inflateAll(zip: Zip): Promise<ArchiveCheck> {
  const maps: ArchivedMap[] = []
  const ignored: string[] = []
  let totalBytes = 0
  let userVersion: string | undefined
  const subPackageOf = subPackageFinder(
    zip.entries.filter(isMap).map(({ name }) => name),
    zip.comment,
  )
  for (const entry of zip.entries) {
    const left = MINI_PROGRAM_LIMITS.totalBytes - totalBytes
    const scan = isMap(entry) ? new SourceMapScan() : undefined
    const wx = scan && userVersion === undefined ? new UserVersionScan() : undefined
    const limit = scan ? Math.min(left, MINI_PROGRAM_LIMITS.mapBytes) : left
    let bytes: number
    try {
      bytes = await zip.inflate(entry, limit, (chunk) => {
        wx?.push(chunk)
        return scan?.push(chunk)
      })
    } catch (error) {
      if (!(error instanceof ZipError) || error.flaw !== 'entry-too-large' || limit < left) throw error
      return totalTooLarge(entry.name)
    }
    totalBytes += bytes
    userVersion ??= wx?.version()
    if (scan) maps.push({ entry: entry.name, subPackage: subPackageOf(entry.name), bytes, verdict: scan.verdict() })
    else if (!entry.isDirectory) ignored.push(entry.name)
  }
  if (maps.length === 0) {
    return { ok: false, status: 400, problem: problem('archive-without-maps', translated(NO_MAPS_MESSAGE)) }
  }
  const [first] = maps
  if (first && !maps.some(isJson)) {
    const message = t`No .js.map entry contains a complete JSON document. The first entry is ${first.entry}.`
    return { ok: false, status: 400, problem: problem('archive-without-maps', message) }
  }
  return { ok: true, maps, ignored, totalBytes, ...(userVersion !== undefined && { userVersion }) }
}

function isJson({ verdict }: ArchivedMap): boolean {
  return verdict !== 'not-json' && verdict !== 'cut-short'
}

function isMap(entry: ZipEntry): boolean {
  return !entry.isDirectory && entry.name.endsWith('.js.map')
}

/** Returns the problem with an archive that cannot be read, in the service's wording. */
export function archiveFlaw(error: ZipError): { ok: false } & ArchiveFlaw {
  if (error.flaw === 'too-many-entries') return tooLarge(error.message)
  if (error.flaw === 'entry-too-large') {
    return tooLarge(
      t`The archive entry ${error.entry} is larger than ${inMb(MINI_PROGRAM_LIMITS.mapBytes)} when decompressed.`,
    )
  }
  return { ok: false, status: 400, problem: problem('archive-invalid', error.message) }
}

export function totalTooLarge(name: string): { ok: false } & ArchiveFlaw {
  return tooLarge(
    t`The entry ${name} makes the decompressed archive larger than ${inMb(MINI_PROGRAM_LIMITS.totalBytes)}.`,
  )
}

function tooLarge(message: string): { ok: false } & ArchiveFlaw {
  return { ok: false, status: 413, problem: problem('archive-too-large', message) }
}

function inMb(bytes: number): string {
  return `${bytes / MIB} MB`
}

export function archiveProblems({ maps, ignored }: CheckedArchive): Problem[] {
  const problems = maps.flatMap(({ entry, verdict }) => mapProblem(entry, verdict) ?? [])
  for (const file of ignored.filter((name) => name.endsWith('.map.map'))) problems.push(oldName(file))
  const [preferred, other] = MAIN_PACKAGES.map(
    (name) => maps.filter(({ entry }) => entry.startsWith(`${name}/`)).length,
  )
  if (preferred && other) {
    const message = t`The archive contains the main package twice: as __APP__ (${preferred} maps) and as __FULL__ (${other} maps).`
    problems.push(problem('main-package-twice', message))
  }
  return problems
}

function mapProblem(file: string, verdict: SourceMapVerdict): Problem | undefined {
  switch (verdict) {
    case 'usable':
      return undefined
    case 'not-json':
      return problem('map-invalid', t`The source map is not valid JSON.`, { file, severity: 'warning' })
    case 'cut-short':
      return problem('map-invalid', t`The source map is truncated, so its JSON is incomplete.`, {
        file,
        severity: 'warning',
      })
    case 'no-mappings':
      return problem('map-blank', t`The source map contains no mappings.`, { file })
    case 'one-segment':
      return problem('map-one-segment', t`The whole script maps to a single position.`, { file })
  }
}

export function withoutScripts(): Line {
  return { severity: 'info', text: t`No positions were checked because the scripts for these source maps are missing.` }
}

export function oldName(file: string): Problem {
  return problem('map-old-name', t`The file name ends in .map.map instead of .js.map, so symup ignores the file.`, {
    file,
  })
}
