import { defineResolver } from '../resolver.ts'
import { isNativeScriptError } from './console-frames.ts'
import { explainJavaScriptStack } from './explain-stack.ts'
import type { Script } from './load-script.ts'
import { isReactNativeCrash, MAX_FRAMES, MAX_STACK } from './parse-stack.ts'

/** Resolves stacks from browsers, Node.js and React Native, and all stacks that no other resolver claims. */
export const javascript = defineResolver({
  platform: 'browser',
  limits: { frames: MAX_FRAMES, characters: MAX_STACK },
  claims: (stack) => (isReactNativeCrash(stack) || isNativeScriptError(stack) ? 'browser' : undefined),
  create({ parsed, native }) {
    const scripts = parsed.shelf<Script>('javascript')
    return (question, source) => explainJavaScriptStack(question, source, scripts, native)
  },
})
