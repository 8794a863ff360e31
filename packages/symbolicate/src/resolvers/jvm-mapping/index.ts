import { isNativeLine } from '../native/native-line.ts'
import { defineResolver } from '../resolver.ts'
import { explainJvmStack, type Indexed, JVM_LIMITS } from './explain-stack.ts'
import { JVM_FILE, parseJvmLine } from './parse-line.ts'

/** Resolves Android stacks, which can contain Java, Kotlin and native frames. */
export const jvmMapping = defineResolver({
  platform: 'android',
  limits: JVM_LIMITS,
  isLine(line) {
    if (isNativeLine(line)) return isNativeLine(line, 'android')
    const parsed = parseJvmLine(line)
    if (parsed.kind !== 'frame') return false
    // JVM frames contain only a file name in parentheses. Browsers print URLs and paths in parentheses, and HarmonyOS prints keys and the
    // names of `.ets` files. Play Console puts a space before the file name.
    if (parsed.open !== '(') return JVM_FILE.test(parsed.file)
    return !/[/:\\|]|\.ets$|^<anonymous>$/.test(parsed.file)
  },
  create({ parsed, native }) {
    const mappings = parsed.shelf<Indexed>('jvm-mapping')
    return (question, source) => explainJvmStack(question, source, mappings, native.linesOf(question, source))
  },
})
