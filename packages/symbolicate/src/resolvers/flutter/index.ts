import { defineResolver } from '../resolver.ts'
import { DART_LIMITS, isDartStack, parseDartStack } from './dart-stack.ts'
import { explainDartStack } from './explain-stack.ts'

/** Resolves stacks from Dart code in Flutter apps on any operating system. */
export const flutter = defineResolver({
  platform: 'android',
  limits: DART_LIMITS,
  claims(stack) {
    if (!isDartStack(stack)) return undefined
    return parseDartStack(stack).os === 'ios' ? 'ios' : 'android'
  },
  create:
    ({ openFiles }) =>
    (question, source) =>
      explainDartStack(question, source, openFiles),
})
