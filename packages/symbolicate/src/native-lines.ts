import type { ResolvedFrame } from './frames.ts'

/** Resolves a native frame in a line of a mixed stack; undefined if the line is not one. */
export type NativeLines = (line: string) => Promise<ResolvedFrame | undefined>
