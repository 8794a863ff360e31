import { MAX_NATIVE_FRAMES } from '../native/native-stack.ts'
import { defineResolver } from '../resolver.ts'
import { isMinidumpStack, MAX_STACK, parseMinidumpStack } from './minidump-stack.ts'

/**
 * Uses Breakpad symbols to resolve stacks from minidump readers, and stacks whose frames contain a module and an offset, as in Electron.
 */
export const breakpad = defineResolver({
  platform: 'browser',
  limits: { frames: MAX_NATIVE_FRAMES, characters: MAX_STACK },
  claims: (stack) => (isMinidumpStack(stack) ? 'browser' : undefined),
  canUse: ({ findNative }) => findNative !== undefined,
  create:
    ({ native }) =>
    (question, source) =>
      native.explainFrames(parseMinidumpStack(question.stack), question, source),
})
