import { isNativeLine } from '../native/native-line.ts'
import { defineResolver } from '../resolver.ts'
import { explainJvmStack, type Indexed, JVM_LIMITS } from './explain-stack.ts'
import { JVM_FILE, parseJvmLine } from './parse-line.ts'

/** Stacks from Android: Java and Kotlin, including native frames. */
export const jvmMapping = defineResolver({
  platform: 'android',
  limits: JVM_LIMITS,
  isLine(line) {
    if (isNativeLine(line)) return isNativeLine(line, 'android')
    const parsed = parseJvmLine(line)
    if (parsed.kind !== 'frame') return false
    // A JVM frame has only a file name in parentheses. Browsers print URLs and paths, HarmonyOS prints keys and .ets
    // files. Play Console puts a space before the name.
    if (parsed.open !== '(') return JVM_FILE.test(parsed.file)
    return !/[/:\\|]|\.ets$|^<anonymous>$/.test(parsed.file)
  },
  create({ parsed, native }) {
    const mappings = parsed.shelf<Indexed>('jvm-mapping')
    return (question, source) => explainJvmStack(question, source, mappings, native.linesOf(question, source))
  },
})
