import type { ResolvedFrame } from '../../frames.ts'
import { textUpTo } from '../../read-limits.ts'
import { reason } from '../../reasons.ts'
import { defineResolver } from '../resolver.ts'

/**
 * Matches a frame such as `at Shop.Cart.Total () [0x0001a] in <4f3c…>:0`. Mono prints such frames. IL2CPP in Unity also prints them if
 * there are no symbols.
 */
const FRAME = /^at (\S.*?) ?\((.*)\) \[0x[0-9a-f]{1,8}\] in <([0-9a-f]{32}|[^<>]{1,200})>:0\s*$/i
/** A string that every frame contains. Searching for it first avoids running the pattern on hostile lines. */
const MARK = ') [0x'
const MAX_LINE = 1024
const LIMITS = { frames: 500, characters: 500 * MAX_LINE }

/** Recognizes stacks from Mono and IL2CPP but does not resolve them. Symbol files for Mono and IL2CPP are stored but not read. */
export const mono = defineResolver({
  platform: 'android',
  limits: LIMITS,
  claims: (stack) => (framesOf(stack).length > 0 ? 'android' : undefined),
  create: () => async (question) => {
    const message = 'Frames from Mono or IL2CPP cannot be resolved, even if symbol files were uploaded.'
    const frames: ResolvedFrame[] = framesOf(question.stack).map(({ raw, name }) => {
      return { raw, function: name, resolved: null, reason: reason('kind-not-resolved', message) }
    })
    return { frames }
  },
})

function framesOf(stack: string): { raw: string; name: string }[] {
  if (!stack.includes(MARK)) return []
  return textUpTo(stack, LIMITS.characters)
    .split(/\r?\n/)
    .flatMap((line) => {
      const raw = line.trim()
      const mayBe = raw.length <= MAX_LINE && raw.includes(MARK)
      // The frame may follow a logcat prefix.
      const [, name] = (mayBe && FRAME.exec(raw.slice(raw.startsWith('at ') ? 0 : raw.search(/\sat /) + 1))) || []
      return name === undefined ? [] : [{ raw, name }]
    })
}
