import { defineResolver } from '../resolver.ts'
import { explainJavaScriptStack, filesOf } from './explain-stack.ts'
import { findScripts } from './find-script.ts'
import { explainKnown, keepFrames } from './known-frames.ts'
import type { Script } from './load-script.ts'
import { isReactNativeCrash, parseStack } from './parse-stack.ts'

/** Stacks of browsers, Node and React Native, and of everything that no other resolver takes. */
export const javascript = defineResolver({
  platform: 'browser',
  claims: (stack) => (isReactNativeCrash(stack) ? 'browser' : undefined),
  partOf: (stack) =>
    parseStack(stack)
      .map(({ raw }) => raw)
      .join('\n'),
  async askFirst(question, source, known) {
    const parsed = parseStack(question.stack)
    const find = await findScripts(filesOf(parsed), question, source)
    if (!known) return {}
    const answer = await explainKnown(parsed, question, find, known)
    return answer ? { answer } : { keep: (found) => keepFrames(found, question, find, known) }
  },
  create({ parsed, native, isForOneStack }) {
    const scripts = parsed.shelf<Script>('javascript')
    return (question, source) => explainJavaScriptStack(question, source, scripts, native, isForOneStack)
  },
})
