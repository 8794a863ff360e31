import { examineArkTs } from './arkts.ts'
import { examineBundles } from './bundle.ts'
import type { Examiner } from './examiner.ts'
import { examineJavaScript } from './javascript.ts'
import { examineLeaks } from './leaks.ts'
import { examineMappings } from './mapping.ts'
import { examineMiniPrograms } from './mini-program.ts'
import { examineNative } from './native.ts'

/** Everything that `symup check` looks for, in the order in which it prints it. */
export const EXAMINERS: readonly Examiner[] = [
  examineJavaScript,
  examineMiniPrograms,
  examineArkTs,
  examineMappings,
  examineNative,
  examineBundles,
  examineLeaks,
]
