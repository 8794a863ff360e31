import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { formatBytes } from '../../files/format-bytes.ts'
import { shownPath } from '../../files/shown-path.ts'
import { BinaryError } from '../../formats/binary.ts'
import { type MachOSlice, readMachO } from '../../formats/mach-o/mach-o.ts'
import { packFiles } from '../../formats/zip/pack.ts'
import { openZip, type Zip, ZipError } from '../../formats/zip/zip.ts'
import type { Line } from '../../model/line.ts'
import type { Plan, SymbolUpload } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { listWithin } from '../list-within.ts'
import type { IosSymbolsEvent } from './event.ts'

export interface DsymInput {
  /** A `.dSYM`, a directory or `.xcarchive` that holds some, or a zip of such. */
  path: string
  /** Files in problems are named relative to it. Default: the working directory. */
  cwd?: string
  /** Where links may lead besides the directory. Absolute. */
  allowedRoot?: string
  /** Takes the archives to send, and what is unzipped; the caller removes it after the upload. */
  temporaryDirectory: string
  /** False to leave the zips unmade, for a dry run: the plan then has the bundles themselves as parts. Default true. */
  pack?: boolean
  /** Version of the sending tool, sent as `cli_version`. */
  toolVersion: string
}

/** What was found in one `.dSYM`. */
export interface DsymFacts {
  /** Such as `Shop.framework.dSYM`. */
  name: string
  images: { arch: string; uuid?: string; hasDebugInfo: boolean }[]
  /** Of all its files. */
  bytes: number
}

export interface DsymPlan extends Plan {
  /** Every `.dSYM` that was found, whether or not it is sent. */
  dsyms: DsymFacts[]
}

const BUNDLE = /^(.*?\.dSYM)(?:\/|$)/i
const DWARF_FILE = /^Contents\/Resources\/DWARF\/[^/]+$/
/** What Finder adds to archives and foreign disks: resource forks, and how a folder looks. */
const FINDER = /(?:^|\/)(?:__MACOSX(?:\/|$)|\._|\.DS_Store$)/
const MAX_ENTRIES = 200_000
const MAX_ENTRY_BYTES = 64 * 1024 * 1024 * 1024

/** Finds every `.dSYM`, looks at its Mach-O headers, and packs those that will resolve: one archive each, each UUID once. */
export async function collectDsyms(input: DsymInput): Promise<DsymPlan> {
  const plan: DsymPlan = { uploads: [], problems: [], dsyms: [] }
  const cwd = input.cwd ?? process.cwd()
  const path = resolve(cwd, input.path)
  const shown = (file: string) => shownPath(file, cwd) || file
  let directory = path
  try {
    if ((await stat(path)).isFile()) {
      directory = join(input.temporaryDirectory, 'unzipped')
      await unpackDsyms(path, directory)
    }
  } catch (error) {
    return { ...plan, problems: [unusable(error, input.path)] }
  }
  const { bundles, problems } = await findBundles(directory, input.allowedRoot, (file) => shown(join(directory, file)))
  plan.problems.push(...problems)
  if (bundles.size === 0) {
    plan.problems.push(problem('dsym-not-found', `${input.path} holds no .dSYM.`, { file: input.path }))
    return plan
  }
  const sent = new Set<string>()
  for (const [root, files] of bundles) {
    const name = basename(root)
    const file = directory === path ? shown(root) : `${input.path}/${relative(directory, root)}`
    const bundle = await examine(root, files, file)
    plan.problems.push(...bundle.problems)
    plan.dsyms.push({ name, images: bundle.images, bytes: bundle.bytes })
    const uuids = bundle.images.flatMap(({ uuid }) => uuid ?? [])
    if (bundle.problems.some(({ severity }) => severity === 'error')) continue
    if (uuids.every((uuid) => sent.has(uuid))) {
      plan.problems.push(problem('dsym-duplicate', `${uuids.join(', ')} is there more than once.`, { file }))
      continue
    }
    for (const uuid of uuids) sent.add(uuid)
    const upload = await packed({ root, files, uuids, bytes: bundle.bytes }, plan.uploads.length, input)
    const from = directory === path ? root : join(dirname(path), relative(directory, root))
    plan.uploads.push({ ...upload, from })
  }
  return plan
}

/** Files below each `.dSYM`, relative to it. */
async function findBundles(
  directory: string,
  allowedRoot: string | undefined,
  shown: (file: string) => string,
): Promise<{ bundles: Map<string, string[]>; problems: Problem[] }> {
  const bundles = new Map<string, string[]>()
  const isBundle = BUNDLE.test(basename(directory))
  const wanted = (file: string) => isBundle || BUNDLE.test(file)
  const { files, problems } = await listWithin(directory, { allowedRoot, wanted, shown })
  for (const file of files) {
    const name = isBundle ? '' : BUNDLE.exec(file)?.[1]
    if (name === undefined || FINDER.test(file)) continue
    const root = join(directory, name)
    const inside = isBundle ? file : file.slice(name.length + 1)
    bundles.set(root, [...(bundles.get(root) ?? []), inside])
  }
  return { bundles, problems }
}

interface Bundle {
  images: DsymFacts['images']
  bytes: number
  problems: Problem[]
}

async function examine(root: string, files: readonly string[], file: string): Promise<Bundle> {
  const images: Bundle['images'] = []
  const problems: Problem[] = []
  let bytes = 0
  for (const inside of files) {
    const path = join(root, inside)
    bytes += (await stat(path)).size
    if (!DWARF_FILE.test(inside)) continue
    const slices = await slicesOf(path)
    if (slices instanceof BinaryError) {
      const message = `${basename(inside)} cannot be used: ${slices.message}.`
      problems.push(problem('native-damaged', message, { file }))
      continue
    }
    for (const { arch, uuid, hasDwarf } of slices) {
      images.push({ arch, ...(uuid !== undefined && { uuid }), hasDebugInfo: hasDwarf })
      const which = `${basename(inside)} (${arch})`
      if (uuid === undefined) problems.push(problem('uuid-missing', `${which} has no UUID.`, { file }))
      if (!hasDwarf) problems.push(problem('dsym-without-debug-info', `${which} has no debug information.`, { file }))
    }
  }
  if (images.length === 0 && problems.length === 0) {
    problems.push(problem('dsym-without-debug-info', 'It has no file in Contents/Resources/DWARF.', { file }))
  }
  return { images, bytes, problems }
}

async function slicesOf(path: string): Promise<MachOSlice[] | BinaryError> {
  try {
    return await readMachO(path)
  } catch (error) {
    if (error instanceof BinaryError) return error
    throw error
  }
}

async function packed(
  { root, files, uuids, bytes }: { root: string; files: readonly string[]; uuids: readonly string[]; bytes: number },
  index: number,
  { temporaryDirectory, toolVersion, pack = true }: DsymInput,
): Promise<SymbolUpload> {
  const event: IosSymbolsEvent = { type: 'ios_symbols', cli_version: toolVersion, uuids: uuids.join(',') }
  const part = { name: 'symbols_archive', filename: 'ios_symbols_archive', contentType: 'application/zip' }
  if (!pack) return { event, parts: [{ ...part, path: root, bytes }], encoding: 'identity' }
  const name = basename(root)
  const target = join(temporaryDirectory, `${index}-${name}.zip`)
  const entries = files.map((file) => ({ path: join(root, file), name: `${name}/${file}` }))
  return { event, parts: [{ ...part, path: target, bytes: await packFiles(entries, target) }], encoding: 'identity' }
}

/** Only what belongs to a `.dSYM`; the archive's names have been checked to stay below the directory. */
async function unpackDsyms(path: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  let zip: Zip | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    for (const entry of zip.entries) {
      if (entry.isDirectory || !BUNDLE.test(entry.name) || FINDER.test(entry.name)) continue
      const target = join(directory, entry.name)
      await mkdir(dirname(target), { recursive: true })
      const file = createWriteStream(target)
      await zip.inflate(
        entry,
        MAX_ENTRY_BYTES,
        (chunk) => new Promise((done, fail) => file.write(chunk, (error) => (error ? fail(error) : done()))),
      )
      file.end()
      await finished(file)
    }
  } finally {
    await zip?.close()
  }
}

function unusable(error: unknown, file: string): Problem {
  if (error instanceof ZipError) return problem('archive-invalid', error.message, { file })
  const { code } = error as NodeJS.ErrnoException
  const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  return problem('directory-unreadable', `${file} ${why}.`, { file })
}

/** Name, architecture, UUID, size, debug information; one row for each architecture. */
export function renderDsyms(dsyms: readonly DsymFacts[]): Line[] {
  const widest = Math.max(0, ...dsyms.map(({ name }) => name.length))
  return dsyms.flatMap(({ name, images, bytes }) =>
    images.map(({ arch, uuid, hasDebugInfo }, index) => {
      const [first, size] = index === 0 ? [name, formatBytes(bytes)] : ['', '']
      const id = (uuid ?? 'no UUID').padEnd(36)
      const text = `${first.padEnd(widest)}  ${arch.padEnd(8)}  ${id}  ${size.padStart(9)}  ${hasDebugInfo ? 'debug info' : 'no debug info'}`
      return { severity: uuid !== undefined && hasDebugInfo ? 'info' : 'error', text }
    }),
  )
}
