import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import type { CheckedFile } from '../../model/check.ts'
import type { SymbolUpload } from '../../model/plan.ts'
import type { Problem } from '../../problems/problems.ts'
import { proveAll } from '../../proof/prove.ts'
import { renderProof } from '../../proof/render-proof.ts'
import { comparedFiles, type Examined, type Findings, NO_RELEASE } from '../kind.ts'
import { mapApart } from './bundle-names.ts'
import { collectReactNative } from './react-native.ts'
import { TRAITS } from './traits.ts'

/** Checks whether each React Native bundle matches the map next to it, and whether positions in JavaScript bundles resolve. */
export async function examineBundles({ directory, files: present, own, cwd }: Examined): Promise<Findings> {
  const checked = new Map<CheckedFile, SymbolUpload | undefined>()
  const problems: Problem[] = []
  for (const bundle of own) {
    const path = join(directory, bundle)
    const sourceMap = mapApart(bundle, present)
    // The platform does not affect the check, because nothing is sent.
    const plan = await collectReactNative({ ...NO_RELEASE, bundle, sourceMap, cwd: directory, platform: 'android' })
    problems.push(
      ...plan.problems.map((item) => ({ ...item, file: shownPath(join(directory, item.file ?? bundle), cwd) })),
    )
    const [upload] = plan.uploads
    const map = upload?.parts.find(({ name }) => name === TRAITS.map)
    const { size: bytes } = await stat(path)
    const file = { path: shownPath(path, cwd), kind: 'react-native', bytes } as const
    checked.set({ ...file, ...(map && { map: shownPath(map.path, cwd), mapBytes: map.bytes }) }, upload)
  }
  const proof = await proveAll(
    [...checked.values()].filter((upload) => upload !== undefined),
    { cwd, filesOf: (_, parts) => comparedFiles(TRAITS, parts) },
  )
  const files = [...checked].map(([file, upload]) => ({ ...file, ...(upload && proof.byUpload.get(upload)) }))
  return { files, problems: [...problems, ...proof.problems], summary: renderProof(proof) }
}
