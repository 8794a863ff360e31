import { SharedCache } from '../../cache.ts'
import { isNativeLine } from '../native/native-line.ts'
import { defineResolver } from '../resolver.ts'
import { explainJvmStack, type Indexed } from './explain-stack.ts'
import { parseJvmLine } from './parse-line.ts'

/** Stacks of Android: Java and Kotlin, and native code among it. */
export const jvmMapping = defineResolver({
  platform: 'android',
  isLine(line) {
    if (isNativeLine(line)) return isNativeLine(line, 'android')
    const parsed = parseJvmLine(line)
    // A JVM has no space before the parenthesis and only a file's name in it; browsers have URLs and paths, HarmonyOS keys and .ets.
    return parsed.kind === 'frame' && parsed.open === '(' && !/[/:\\|]|\.ets$|^<anonymous>$/.test(parsed.file)
  },
  create({ parsed, native }) {
    const mappings = new SharedCache(parsed.shelf<Indexed>('jvm-mapping'))
    return (question, source) => explainJvmStack(question, source, mappings, native.linesOf(question, source))
  },
})
