import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { sourceSizes } from '../../formats/source-map/source-sizes.ts'
import type { CheckedFile } from '../../model/check.ts'
import type { SymbolUpload } from '../../model/plan.ts'
import { proveAll } from '../../proof/prove.ts'
import { renderProof } from '../../proof/render-proof.ts'
import { comparedFiles, type Examined, type Findings, NO_RELEASE, partsOf } from '../kind.ts'
import { collectJavaScript } from './javascript.ts'
import { isScript, TRAITS } from './traits.ts'

export async function examineJavaScript(target: Examined): Promise<Findings> {
  const { directory, files, own, single, cwd, allowedRoot } = target
  const plan = await collectJavaScript({ directory, files, allowedRoot, ...NO_RELEASE })
  const proof = await proveAll(plan.uploads, { cwd, filesOf: (_, parts) => comparedFiles(TRAITS, parts) })
  const checked = new Map<string, CheckedFile>()
  for (const upload of plan.uploads) {
    const file = checkedFile(upload, cwd)
    const positions = proof.byUpload.get(upload)
    checked.set(file.path, { ...file, ...positions })
  }
  for (const script of own.filter(isScript)) {
    const path = join(directory, script)
    const shown = shownPath(path, cwd)
    if (checked.has(shown)) continue
    const bytes = await stat(path).then(
      ({ size }) => size,
      () => 0,
    )
    checked.set(shown, { path: shown, kind: 'javascript', bytes })
  }
  const problems = plan.problems
    .filter(({ code }) => code !== 'nothing-found' && !(single && code === 'map-orphan'))
    .map((item) => (item.file === undefined ? item : { ...item, file: shownPath(join(directory, item.file), cwd) }))
  return {
    files: [...checked.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    problems: [...problems, ...proof.problems],
    summary: renderProof(proof),
  }
}

function checkedFile({ event, parts }: SymbolUpload, cwd: string): CheckedFile {
  const { map, script } = partsOf(TRAITS, parts)
  return {
    path: shownPath(script?.path ?? '', cwd),
    kind: 'javascript',
    bytes: script?.bytes ?? 0,
    ...(map && {
      map: shownPath(map.path, cwd),
      mapBytes: map.bytes,
      biggestSources: map.content ? [] : biggestSources(map.path),
    }),
    ...('debug_id' in event && event.debug_id !== undefined && { debugId: event.debug_id }),
  }
}

const SHOWN_SOURCES = 5

function biggestSources(map: string): NonNullable<CheckedFile['biggestSources']> {
  try {
    return sourceSizes(map)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, SHOWN_SOURCES)
  } catch {
    return [] // The problem was reported when the files were collected.
  }
}
