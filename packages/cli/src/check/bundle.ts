import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CheckedFile, collectReactNative, type Problem, shownPath } from '@symup/core'
import type { Examiner } from './examiner.ts'

const BUNDLE = /\.(?:js)?bundle$/

/** Bundles of React Native: whether the map beside each is the one that its stacks need. */
export const examineBundles: Examiner = async ({ directory, files, cwd }) => {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  for (const bundle of files.filter((it) => BUNDLE.test(it))) {
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
  return { files: checked, problems, summary: [] }
}
