import { defineResolver } from '../resolver.ts'
import { DART_LIMITS, isDartStack, parseDartStack } from './dart-stack.ts'
import { createFlutterResolver } from './explain-stack.ts'

/** Stacks of a Flutter app's Dart code on any system. */
export const flutter = defineResolver({
  platform: 'android',
  limits: DART_LIMITS,
  claims(stack) {
    if (!isDartStack(stack)) return undefined
    return parseDartStack(stack).os === 'ios' ? 'ios' : 'android'
  },
  create({ openFiles }) {
    const { explainDartStack } = createFlutterResolver(openFiles)
    return explainDartStack
  },
})
