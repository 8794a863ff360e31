import { defineResolver } from '../resolver.ts'
import { explainJavaScriptStack } from './explain-stack.ts'
import type { Script } from './load-script.ts'

/** Stacks of browsers, Node and React Native, and of everything that no other resolver takes. */
export const javascript = defineResolver({
  platform: 'browser',
  create({ parsed, native, isForOneStack }) {
    const scripts = parsed.shelf<Script>('javascript')
    return (question, source) => explainJavaScriptStack(question, source, scripts, native, isForOneStack)
  },
})
