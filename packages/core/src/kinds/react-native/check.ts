import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import type { CheckedFile } from '../../model/check.ts'
import type { Problem } from '../../problems/problems.ts'
import type { Examined, Findings } from '../kind.ts'
import { collectReactNative } from './react-native.ts'

/** Bundles of React Native: whether the map beside each is the one that its stacks need. */
export async function examineBundles({ directory, own, cwd }: Examined): Promise<Findings> {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  for (const bundle of own) {
    const path = join(directory, bundle)
    // Release and platform do not matter here: nothing is sent.
    const plan = await collectReactNative({
      ...{ bundle, cwd: directory, platform: 'android', buildVersion: '', service: '', version: '', toolVersion: '' },
    })
    problems.push(
      ...plan.problems.map((item) => ({ ...item, file: shownPath(join(directory, item.file ?? bundle), cwd) })),
    )
    const map = plan.uploads[0]?.parts.find(({ name }) => name === 'source_map')
    checked.push({
      path: shownPath(path, cwd),
      kind: 'react-native',
      bytes: (await stat(path)).size,
      ...(map && { map: shownPath(map.path, cwd), mapBytes: map.bytes }),
    })
  }
  return { files: checked, problems }
}
