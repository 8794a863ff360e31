import type { ResolvedFrame } from './frames.ts'
import { reason } from './reasons.ts'

/** Resolves a line with a frame of native code in a stack of other frames; undefined when it holds none. */
export type NativeLines = (line: string) => Promise<ResolvedFrame | undefined>

const NATIVE_FRAME = /^\s*#\d{1,4}\s+pc\s+(?:0x)?[0-9a-f]{1,16}\s/i
const LONGEST_LINE = 16 * 1024

/** Native frames where nobody can resolve them. */
export const unresolvedNativeLines: NativeLines = async (line) => {
  if (line.length > LONGEST_LINE || !NATIVE_FRAME.test(line)) return undefined
  return { raw: line.trim(), resolved: null, reason: reason('not-resolvable-here') }
}
