import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { withTemporaryDirectory } from '../../files/temporary-directory.ts'
import { readElf } from '../../formats/elf/elf.ts'
import { problem } from '../../problems/problems.ts'
import { archiveContent } from '../archive-content.ts'
import { type Examined, type Findings, NO_RELEASE } from '../kind.ts'
import { collectArkTs } from './arkts.ts'
import { readArkTsMap } from './arkts-map.ts'
import { nameCacheBeside, nameCachePart } from './name-cache.ts'

export async function examineArkTs({ directory, own, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  for (const file of own) {
    const path = join(directory, file)
    const shown = shownPath(path, cwd)
    if (file.endsWith('.zip')) {
      if ((await archiveContent(path)) === 'app-symbols') await examineArchive(path, shown, cwd, found)
      continue
    }
    const bytes = statSync(path).size
    const map = await readArkTsMap({ path, bytes })
    if ('flaw' in map) found.problems.push(problem('arkts-map-invalid', map.flaw, { file: shown }))
    const names = nameCacheBeside(path)
    if (names !== undefined) await nameCachePart(names, shownPath(names, cwd), found.problems)
    found.files.push({ path: shown, kind: 'arkts', bytes, ...('files' in map && { maps: map.files }) })
  }
  return found
}

async function examineArchive(path: string, shown: string, cwd: string, found: Findings): Promise<void> {
  await withTemporaryDirectory(async (temporaryDirectory) => {
    const { uploads, problems } = await collectArkTs({ paths: [path], ...NO_RELEASE, cwd, temporaryDirectory })
    found.problems.push(...problems)
    for (const { event, parts } of uploads) {
      const part = parts.at(-1)
      if (!part) continue
      const file = { path: join(shown, relative(join(temporaryDirectory, '0'), part.path)), bytes: part.bytes }
      if (event.type === 'harmony_symbol_file') {
        const { arch, build_id: buildId } = event
        const { hasDebugInfo: debugInfo } = await readElf(part.path)
        found.files.push({ ...file, kind: 'elf', arch, buildId, debugInfo, symbols: true })
      } else {
        const map = await readArkTsMap({ path: part.path, bytes: part.bytes })
        found.files.push({ ...file, kind: 'arkts', ...('files' in map && { maps: map.files }) })
      }
    }
  })
}
