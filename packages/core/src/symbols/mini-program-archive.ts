import { openZip, type Zip, type ZipEntry, ZipError } from '../archive/zip.ts'
import { type Problem, type ProblemCode, problem } from '../problems.ts'

const MIB = 1024 * 1024

/**
 * Limits of a mini-program archive, in decompressed bytes and entries; the limit itself passes. Every entry of the archive counts toward
 * `entries` and `totalBytes`, whatever its name, directories included. Source: the service's specification, §4.7.
 */
export interface MiniProgramLimits {
  mapBytes: number
  totalBytes: number
  entries: number
}

export const MINI_PROGRAM_LIMITS: MiniProgramLimits = { mapBytes: 50 * MIB, totalBytes: 500 * MIB, entries: 5000 }

/** The service's own words, and so the intake's and the command's. */
export const NO_MAPS_MESSAGE = 'No .js.map entries found in the sourcemap archive'

const MAIN_PACKAGES = ['__FULL__', '__APP__']

/** One source map in the archive. */
export interface ArchivedMap {
  entry: string
  /** Directory of the entry, which is the sub-package's root; '' for the main package (`__FULL__`, `__APP__`). */
  subPackage: string
  /** Inflated size. */
  bytes: number
}

/** Trouble with an archive, with the HTTP status that an intake answers. */
export interface ArchiveFlaw {
  status: 400 | 413
  problem: Problem
}

export type ArchiveCheck = { ok: true; maps: ArchivedMap[]; totalBytes: number } | ({ ok: false } & ArchiveFlaw)

/**
 * Inflates every entry of an archive and checks names, sizes and checksums; the sizes it declares are not believed. Memory stays within
 * a few MB.
 * @param onMap given each `.js.map` entry's bytes as they come, `done` with the last call.
 * @throws the file system's error when the file cannot be read.
 */
export async function checkMiniProgramArchive(
  path: string,
  limits: MiniProgramLimits = MINI_PROGRAM_LIMITS,
  sinkFor?: (map: Omit<ArchivedMap, 'bytes'>) => (chunk: Buffer) => void | Promise<void>,
): Promise<ArchiveCheck> {
  let zip: Zip | undefined
  try {
    zip = await openZip(path, limits.entries)
    return await inflateAll(zip, limits, sinkFor)
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    return flawed(error, limits)
  } finally {
    await zip?.close()
  }
}

async function inflateAll(
  zip: Zip,
  limits: MiniProgramLimits,
  sinkFor: Parameters<typeof checkMiniProgramArchive>[2],
): Promise<ArchiveCheck> {
  const maps: ArchivedMap[] = []
  let totalBytes = 0
  for (const entry of zip.entries) {
    const left = limits.totalBytes - totalBytes
    const map = isMap(entry) ? { entry: entry.name, subPackage: subPackageOf(entry.name) } : undefined
    const limit = map ? Math.min(left, limits.mapBytes) : left
    let bytes: number
    try {
      bytes = await zip.inflate(entry, limit, map && sinkFor?.(map))
    } catch (error) {
      if (!(error instanceof ZipError) || error.flaw !== 'entry-too-large' || limit < left) throw error
      return totalTooLarge(entry, limits)
    }
    totalBytes += bytes
    if (map) maps.push({ ...map, bytes })
  }
  if (maps.length === 0) {
    return { ok: false, status: 400, problem: problem('archive-without-maps', NO_MAPS_MESSAGE) }
  }
  return { ok: true, maps, totalBytes }
}

function isMap(entry: ZipEntry): boolean {
  return !entry.isDirectory && entry.name.endsWith('.js.map')
}

/** The directory of an entry names its sub-package. */
export function subPackageOf(entry: string): string {
  const directory = entry.split('/').slice(0, -1).join('/')
  return MAIN_PACKAGES.includes(directory) ? '' : directory
}

function flawed(error: ZipError, limits: MiniProgramLimits): ArchiveCheck {
  if (error.flaw === 'too-many-entries') return tooLarge(error.message)
  if (error.flaw === 'entry-too-large') {
    return tooLarge(`The entry ${error.entry} is larger than ${inMb(limits.mapBytes)} decompressed.`)
  }
  const code: ProblemCode = 'archive-invalid'
  return { ok: false, status: 400, problem: problem(code, error.message) }
}

function totalTooLarge({ name }: ZipEntry, limits: MiniProgramLimits): ArchiveCheck {
  return tooLarge(`With the entry ${name} the archive is larger than ${inMb(limits.totalBytes)} decompressed.`)
}

function tooLarge(message: string): ArchiveCheck {
  return { ok: false, status: 413, problem: problem('archive-too-large', message) }
}

function inMb(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MB` : `${bytes} bytes`
}
