import { isNativeLine } from '../native/native-line.ts'
import { defineResolver } from '../resolver.ts'
import { ARKTS_LIMITS, type ArktsModule, explainArktsStack } from './explain-stack.ts'
import { parseArktsLine } from './parse-line.ts'

/**
 * The directory that contains ArkTS sources. In API versions before 12, runtimes report positions in the TypeScript code that was generated
 * from ArkTS.
 */
const SOURCES = /(?:^|\/)src\/main\/ets\//

/** Resolves HarmonyOS stacks, which contain ArkTS frames and native frames. */
export const arkts = defineResolver({
  platform: 'harmony',
  limits: ARKTS_LIMITS,
  isLine(line) {
    if (isNativeLine(line)) return !isNativeLine(line, 'android')
    const source = parseArktsLine(line)?.source ?? ''
    return source.split('|').length === 4 || source.endsWith('.ets') || SOURCES.test(source)
  },
  create({ parsed, native }) {
    const modules = parsed.shelf<ArktsModule>('arkts')
    return (question, source) => explainArktsStack(question, source, modules, native.linesOf(question, source))
  },
})
