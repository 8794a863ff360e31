import type { RawFrame } from '../../frames.ts'
import { defineResolver } from '../resolver.ts'
import { isNativeScriptError } from './console-frames.ts'
import { explainHere } from './explain-here.ts'
import { explainJavaScriptStack, filesOf } from './explain-stack.ts'
import { findScripts } from './find-script.ts'
import { keepFrames } from './known-frames.ts'
import type { Script } from './load-script.ts'
import { FRAMES_READ, isReactNativeCrash, MAX_FRAMES, MAX_STACK, parseStack } from './parse-stack.ts'

/** The stack that was parsed last: it is looked into for its key, and then for its files. */
let last: { stack: string; frames: readonly RawFrame[] } | undefined

function parseOnce(stack: string): readonly RawFrame[] {
  if (last?.stack !== stack) last = { stack, frames: parseStack(stack, FRAMES_READ) }
  return last.frames
}

/** Stacks of browsers, Node and React Native, and of everything that no other resolver takes. */
export const javascript = defineResolver({
  platform: 'browser',
  limits: { frames: MAX_FRAMES, characters: MAX_STACK },
  claims: (stack) => (isReactNativeCrash(stack) || isNativeScriptError(stack) ? 'browser' : undefined),
  partOf: (stack) =>
    parseOnce(stack)
      .map(({ raw }) => raw)
      .join('\n'),
  async askFirst(question, source, { known, maps } = {}) {
    const parsed = parseOnce(question.stack)
    const find = await findScripts(filesOf(parsed), question, source)
    if (!known) return {}
    const look = await explainHere(parsed, question, find, { known, ...(maps && { maps }) })
    return { ...look, ...(!look.answer && { keep: (found) => keepFrames(found, question, find, known) }) }
  },
  create({ parsed, native, isForOneStack }) {
    const scripts = parsed.shelf<Script>('javascript')
    return (question, source) => explainJavaScriptStack(question, source, scripts, native, isForOneStack)
  },
})
