import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { formatBytes } from '../../files/format-bytes.ts'
import { packFiles } from '../../formats/zip/pack.ts'
import type { Line } from '../../model/line.ts'
import type { Plan, SymbolUpload } from '../../model/plan.ts'
import { problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import type { PlaceInput, ReleaseInput } from '../kind.ts'
import { notTaken } from '../not-taken.ts'
import { type Bundle, findBundles } from './bundles.ts'
import type { IosSymbolsEvent } from './event.ts'
import { type DsymImage, type ExaminedImages, examineImage } from './images.ts'
import { symbolMapIn } from './names.ts'
import { withoutDsym } from './products.ts'
import type { SymbolMaps } from './symbol-maps.ts'

export interface DsymInput extends Pick<ReleaseInput, 'toolVersion'>, PlaceInput {
  /**
   * The paths of `.dSYM` bundles, `.xcarchive` directories, directories that contain them, or zip archives. The BCSymbolMaps in one path
   * are used for the dSYMs in all paths.
   */
  paths: readonly string[]
  /** The directory for unpacked files and for the archives to send. The caller deletes this directory after the upload. */
  temporaryDirectory: string
  /**
   * Whether to create archives. If `pack` is false, as in a dry run, the plan contains the bundles themselves.
   * @default true
   */
  pack?: boolean
}

export interface DsymFacts {
  /** The name of the bundle, such as `Shop.framework.dSYM`. */
  name: string
  images: DsymImage[]
  bytes: number
}

export interface DsymPlan extends Plan {
  /** Every `.dSYM` that was found, whether it is sent or not. */
  dsyms: DsymFacts[]
}

const DWARF_FILE = /^Contents\/Resources\/DWARF\/[^/]+$/

/** Finds every `.dSYM`, reads its Mach-O headers, and packs each usable `.dSYM` into its own archive. Each UUID is sent only once. */
export async function collectDsyms(input: DsymInput): Promise<DsymPlan> {
  const { bundles, symbolMaps, products, problems, unread } = await findBundles({
    ...input,
    cwd: input.cwd ?? process.cwd(),
  })
  const plan: DsymPlan = { uploads: [], problems, dsyms: [] }
  if (bundles.length === 0 && problems.every(({ severity }) => severity !== 'error')) {
    const file = input.paths.join(', ')
    const [archive] = unread
    const other = await notTaken(input.paths, input.cwd ?? process.cwd())
    const fix =
      other ??
      (archive === undefined
        ? undefined
        : t`If the archive ${archive} contains the dSYMs, unpack it. If the archive is a zip file, pass it directly.`)
    plan.problems.push(problem('dsym-not-found', t`The directory contains no .dSYM bundles.`, { file, fix }))
  }
  const sent = new Set<string>()
  for (const bundle of bundles) {
    const { images, bytes, problems } = await examine(bundle, symbolMaps)
    plan.problems.push(...problems)
    plan.dsyms.push({ name: basename(bundle.root), images, bytes })
    if (problems.some(({ severity }) => severity === 'error')) continue
    const uuids = images.flatMap(({ uuid }) => uuid ?? [])
    if (uuids.every((uuid) => sent.has(uuid))) {
      const message = t`More than one dSYM has the UUID ${uuids.join(', ')}.`
      plan.problems.push(problem('dsym-duplicate', message, { file: bundle.shown }))
      continue
    }
    for (const uuid of uuids) sent.add(uuid)
    plan.uploads.push({ ...(await packed(bundle, images, bytes, plan.uploads.length, input)), from: bundle.from })
  }
  if (bundles.length > 0) plan.problems.push(...(await withoutDsym(products, uuidsOf(plan.dsyms))))
  return plan
}

function uuidsOf(dsyms: readonly DsymFacts[]): Set<string> {
  return new Set(dsyms.flatMap(({ images }) => images.flatMap(({ uuid }) => uuid ?? [])))
}

async function examine(
  { root, files, shown }: Bundle,
  symbolMaps: SymbolMaps,
): Promise<ExaminedImages & { bytes: number }> {
  const images: DsymImage[] = []
  const problems: ExaminedImages['problems'] = []
  let bytes = 0
  for (const inside of files) {
    const path = join(root, inside)
    bytes += (await stat(path)).size
    if (!DWARF_FILE.test(inside)) continue
    const found = await examineImage(path, shown, symbolMaps)
    images.push(...found.images)
    problems.push(...found.problems)
  }
  if (images.length === 0 && problems.length === 0) {
    const message = t`The directory Contents/Resources/DWARF contains no files.`
    problems.push(problem('dsym-without-debug-info', message, { file: shown }))
  }
  return { images, bytes, problems }
}

async function packed(
  { root, files }: Bundle,
  images: readonly DsymImage[],
  bytes: number,
  index: number,
  { temporaryDirectory, toolVersion, pack = true }: DsymInput,
): Promise<SymbolUpload> {
  const uuids = images.flatMap(({ uuid }) => uuid ?? []).join(',')
  const event: IosSymbolsEvent = { type: 'ios_symbols', cli_version: toolVersion, uuids }
  const part = { name: 'symbols_archive', filename: 'ios_symbols_archive', contentType: 'application/zip' }
  if (!pack) return { event, parts: [{ ...part, path: root, bytes }], encoding: 'identity' }
  const name = basename(root)
  const target = join(temporaryDirectory, `${index}-${name}.zip`)
  const entries = new Map(files.map((file) => [file, join(root, file)]))
  for (const { uuid, symbolMap } of images) if (uuid && symbolMap) entries.set(symbolMapIn(uuid), symbolMap)
  const packing = [...entries].map(([file, path]) => ({ path, name: `${name}/${file}` }))
  return { event, parts: [{ ...part, path: target, bytes: await packFiles(packing, target) }], encoding: 'identity' }
}

/** Renders one row per architecture with its name, architecture, UUID, size and debug information. */
export function renderDsyms(dsyms: readonly DsymFacts[]): Line[] {
  const widest = Math.max(0, ...dsyms.map(({ name }) => name.length))
  return dsyms.flatMap(({ name, images, bytes }) =>
    images.map(({ arch, uuid, hasDebugInfo, symbolMap }, index) => {
      const [first, size] = index === 0 ? [name, formatBytes(bytes)] : ['', '']
      const id = (uuid ?? 'no UUID').padEnd(36)
      const known = `${hasDebugInfo ? t`debug info` : t`no debug info`}${symbolMap === undefined ? '' : ', BCSymbolMap'}`
      const text = `${first.padEnd(widest)}  ${arch.padEnd(8)}  ${id}  ${size.padStart(9)}  ${known}`
      return { severity: uuid !== undefined && hasDebugInfo ? 'info' : 'error', text }
    }),
  )
}
