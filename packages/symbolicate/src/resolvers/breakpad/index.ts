import { MAX_NATIVE_FRAMES } from '../native/native-stack.ts'
import { defineResolver } from '../resolver.ts'
import { isMinidumpStack, MAX_STACK, parseMinidumpStack } from './minidump-stack.ts'

/** What readers of minidumps print, and other stacks whose frames name a module and an offset: Electron's, with Breakpad's symbols. */
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
