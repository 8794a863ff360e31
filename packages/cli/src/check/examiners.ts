import type { Examiner } from './examiner.ts'
import { examineJavaScript } from './javascript.ts'
import { examineLeaks } from './leaks.ts'
import { examineMappings } from './mapping.ts'
import { examineNative } from './native.ts'

/** Everything that `symup check` looks for, in the order in which it prints it. */
export const EXAMINERS: readonly Examiner[] = [examineJavaScript, examineMappings, examineNative, examineLeaks]
