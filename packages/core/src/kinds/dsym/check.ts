import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { withTemporaryDirectory } from '../../files/temporary-directory.ts'
import type { CheckedFile } from '../../model/check.ts'
import { problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { archiveContent } from '../archive-content.ts'
import { type Examined, type Findings, NO_RELEASE } from '../kind.ts'
import { collectDsyms } from './dsym.ts'
import { type DsymImage, examineImage } from './images.ts'
import { dsymOfShell } from './names.ts'
import { isProduct, withoutDsym } from './products.ts'
import { SymbolMaps } from './symbol-maps.ts'

export async function examineImages({ directory, files, own, single, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  const symbolMaps = new SymbolMaps(files.map((file) => join(directory, file)))
  for (const image of own) {
    const path = join(directory, image)
    const file = shownPath(path, cwd)
    if (image.endsWith('.zip')) {
      if ((await archiveContent(path)) === 'dsym') await examineArchive(path, file, found)
      continue
    }
    const shell = dsymOfShell(image)
    if (shell !== undefined) {
      if (!own.some((it) => it.startsWith(`${shell}/`) && it !== image)) {
        const message = t`The directory Contents/Resources/DWARF contains no files.`
        found.problems.push(
          problem('dsym-without-debug-info', message, { file: shownPath(join(directory, shell), cwd) }),
        )
      }
      continue
    }
    const { images, problems } = await examineImage(path, file, symbolMaps)
    found.files.push({ path: file, kind: 'mach-o', bytes: (await stat(path)).size, ...factsOf(images) })
    found.problems.push(...problems)
  }
  const uuids = new Set(found.files.flatMap((file) => file.uuids ?? []))
  if (single || uuids.size === 0) return found
  const products = files.filter((file) => isProduct(file, directory)).map((file) => join(directory, file))
  const named = products.map((path) => ({ path, shown: shownPath(path, cwd) }))
  found.problems.push(...(await withoutDsym(named, uuids)))
  return found
}

async function examineArchive(path: string, file: string, found: Findings): Promise<void> {
  await withTemporaryDirectory(async (temporaryDirectory) => {
    const plan = await collectDsyms({
      ...{ ...NO_RELEASE, paths: [basename(path)], temporaryDirectory, pack: false, cwd: dirname(path) },
    })
    for (const { name, images, bytes } of plan.dsyms)
      found.files.push({ path: `${file}/${name}`, kind: 'mach-o', bytes, ...factsOf(images) })
    if (plan.dsyms.length === 0) found.files.push({ path: file, kind: 'mach-o', bytes: (await stat(path)).size })
    const shown = (within = '') => join(dirname(file), within)
    found.problems.push(...plan.problems.map((it) => ({ ...it, file: shown(it.file) })))
  })
}

function factsOf(images: readonly DsymImage[]): Partial<CheckedFile> {
  if (images.length === 0) return {}
  return {
    arch: images.map(({ arch }) => arch).join('+'),
    uuids: images.flatMap(({ uuid }) => uuid ?? []),
    debugInfo: images.every(({ hasDebugInfo }) => hasDebugInfo),
  }
}
