import type { ResolvedFrame } from './frames.ts'

/** Resolves a line with a frame of native code in a stack of other frames; undefined when it holds none. */
export type NativeLines = (line: string) => Promise<ResolvedFrame | undefined>
