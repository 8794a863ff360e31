import { defineResolver } from '../resolver.ts'
import { explainMiniProgramStack, type ParsedMap } from './explain-stack.ts'
import type { MiniProgramSource } from './source.ts'

/** The addresses that WeChat and its devtools give an app's scripts. */
const MINI_PROGRAM = /\bhttps:\/\/usr\/|\bweapp:\/\/\/|\.cachedata:\d/

/** Stacks of mini programs. */
export const miniProgram = defineResolver({
  platform: 'miniprogram',
  isStack: (stack) => MINI_PROGRAM.test(stack),
  canUse: ({ miniPrograms }) => miniPrograms !== undefined,
  create({ parsed }) {
    const maps = parsed.shelf<ParsedMap>('mini-program')
    return (question, { miniPrograms }) => explainMiniProgramStack(question, miniPrograms as MiniProgramSource, maps)
  },
})
