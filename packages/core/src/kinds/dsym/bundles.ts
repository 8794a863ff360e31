import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { makeDirectory } from '../../files/make-directory.ts'
import { shownPath } from '../../files/shown-path.ts'
import { openZip, type Zip } from '../../formats/zip/zip.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { readHead } from '../file-content.ts'
import { listWithin, unlistedIn } from '../list-within.ts'
import { notTaken } from '../not-taken.ts'
import { unpackingRefusal } from '../system-refusal.ts'
import { MAX_ENTRIES, UnpackBudget } from '../unpack.ts'
import { isAnyArchive, isDsymArchive, symbolMapUuid } from './names.ts'
import { isProduct } from './products.ts'
import { SymbolMaps } from './symbol-maps.ts'

const BUNDLE = /^(.*?\.dSYM)(?:\/|$)/i
const MAX_BYTES = 64 * 1024 * 1024 * 1024

export interface Bundle {
  /** The absolute path of the bundle, or of the directory into which it was unpacked. */
  root: string
  files: string[]
  /** The display name of the bundle in problem messages. */
  shown: string
  from: string
}

export interface FoundBundles {
  bundles: Bundle[]
  symbolMaps: SymbolMaps
  /** The binaries in `.xcarchive` directories. */
  products: { path: string; shown: string }[]
  problems: Problem[]
  /** Archives that were not unpacked because of an unknown name or format. */
  unread: string[]
}

export interface BundleInput {
  paths: readonly string[]
  cwd: string
  allowedRoot?: string | undefined
  temporaryDirectory: string
}

/** Finds every `.dSYM` and BCSymbolMap in directories and archives. An archive in a directory is unpacked only if it has a known name. */
export async function findBundles(input: BundleInput): Promise<FoundBundles> {
  const bundles: Bundle[] = []
  const maps: string[] = []
  const products: FoundBundles['products'] = []
  const problems: Problem[] = []
  const unread: string[] = []
  const budget = new UnpackBudget(MAX_BYTES)
  let archives = 0
  const shown = (path: string) => shownPath(path, input.cwd) || path
  /** @param outer the archive that the user passed, if `path` is an archive inside that archive. */
  const takeArchive = async (path: string, named: string, outer?: string) => {
    // The zip archive may contain the content of an `.xcarchive` without the top-level directory, so the new directory gets this extension.
    const directory = join(input.temporaryDirectory, `unzipped-${++archives}.xcarchive`)
    try {
      await unpack(path, directory, budget)
    } catch (error) {
      problems.push(unusable(error, named))
      return
    }
    await takeDirectory(directory, (file) => join(named, file), outer ?? path, outer !== undefined)
  }
  const takeDirectory = async (
    directory: string,
    name: (file: string) => string,
    archive?: string,
    isInner = false,
  ) => {
    const found = await listBundles(directory, input.allowedRoot, name)
    problems.push(...found.problems)
    for (const [within, files] of found.bundles) {
      const root = join(directory, within)
      bundles.push({ root, files, shown: name(within), from: archive === undefined ? root : join(archive, within) })
    }
    maps.push(...found.maps.map((file) => join(directory, file)))
    products.push(...found.products.map((file) => ({ path: join(directory, file), shown: name(file) })))
    // Some build services zip each dSYM separately and then put the archives into another zip archive.
    for (const file of isInner ? [] : found.archives) {
      const outer = archive && join(archive, file)
      await takeArchive(join(directory, file), name(file), outer)
    }
    unread.push(...[...found.unread, ...(isInner ? found.archives : [])].map(name))
  }
  for (const given of input.paths) {
    const named = resolve(input.cwd, given)
    try {
      const { isDirectory, path } = await aroundFile(named)
      if (isDirectory) await takeDirectory(path, (file) => shown(join(path, file)))
      else if (symbolMapUuid(path) !== undefined) maps.push(path)
      else if (isAnyArchive(path) || (await isZip(path))) await takeArchive(path, given)
      else problems.push(noArchive(path, given, input.cwd))
    } catch (error) {
      problems.push(unusable(error, unlistedIn(named, given, error)))
    }
  }
  return { bundles, symbolMaps: new SymbolMaps(maps), products, problems, unread }
}

/** Checks the content of the file, because its name may be misleading. */
async function isZip(path: string): Promise<boolean> {
  return (await readHead(path, 2)).toString('latin1') === 'PK'
}

function noArchive(path: string, file: string, cwd: string): Problem {
  const fix = notTaken([path], cwd)
  return problem('dsym-not-found', t`The file is neither a .dSYM nor a zip archive.`, {
    file,
    ...(fix !== undefined && { fix }),
  })
}

/**
 * Returns the path unchanged or, if it is inside a `.dSYM`, the path of the `.dSYM`. Users may pass the file inside a `.dSYM`, as they do
 * for `atos` and `dwarfdump`.
 */
async function aroundFile(path: string): Promise<{ path: string; isDirectory: boolean }> {
  if ((await stat(path)).isDirectory()) return { path, isDirectory: true }
  const [, around] = /^(.*\.dSYM)[\\/]Contents[\\/]/i.exec(path) ?? []
  return around === undefined ? { path, isDirectory: false } : { path: around, isDirectory: true }
}

async function listBundles(directory: string, allowedRoot: string | undefined, shown: (file: string) => string) {
  const bundles = new Map<string, string[]>()
  const isBundle = BUNDLE.test(basename(directory))
  const isWanted = (file: string) => isBundle || BUNDLE.test(file) || isAnyArchive(file)
  const { files, problems } = await listWithin(directory, { allowedRoot, wanted: isWanted, shown })
  const others: string[] = []
  for (const file of files) {
    const name = isBundle ? '' : BUNDLE.exec(file)?.[1]
    if (name === undefined) {
      others.push(file)
      continue
    }
    const inside = isBundle ? file : file.slice(name.length + 1)
    const known = bundles.get(name)
    if (known) known.push(inside)
    else bundles.set(name, [inside])
  }
  const maps = files.filter((file) => symbolMapUuid(file) !== undefined)
  const archives = others.filter(isDsymArchive)
  const unread = others.filter((file) => isAnyArchive(file) && !isDsymArchive(file))
  const products = others.filter((file) => isProduct(file, directory))
  return { bundles, maps, products, archives, unread, problems }
}

/**
 * Unpacks the files in `.dSYM` bundles, BCSymbolMaps, the binaries in `.xcarchive` directories, and archives of dSYMs. All entry names have
 * already been validated.
 */
async function unpack(path: string, directory: string, budget: UnpackBudget): Promise<void> {
  makeDirectory(directory)
  let zip: Zip | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    const isUsed = (name: string) =>
      BUNDLE.test(name) || symbolMapUuid(name) !== undefined || isDsymArchive(name) || isProduct(name, directory)
    const used = zip.entries.filter((it) => !it.isDirectory && isUsed(it.name))
    await budget.unpack(zip, path, new Map(used.map((entry) => [entry.name, entry])), directory)
  } finally {
    await zip?.close()
  }
}

function unusable(error: unknown, file: string): Problem {
  return unpackingRefusal(error, file) ?? unreadable('directory-unreadable', error, { file })
}
