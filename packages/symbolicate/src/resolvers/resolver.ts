import type { Platform } from '@symup/core/resolving'
import type { ArtifactSource } from '../artifacts.ts'
import type { WeightedCache } from '../cache.ts'
import type { Explanation } from '../frames.ts'
import type { StackQuestion } from '../question.ts'
import type { ReadLimits } from '../read-limits.ts'
import type { OpenFiles } from './native/open-files.ts'
import type { NativeResolver } from './native/resolve-native.ts'

/** Resolves every frame of a stack, or says why it stays as it is. Throws only what the source throws. */
export type Resolve = (question: StackQuestion, source: ArtifactSource) => Promise<Explanation>

/** How the stacks of one kind of symbol file resolve. */
export interface Resolver {
  /** Whose stacks it resolves. */
  platform: Platform
  /**
   * Where a stack is from that is plainly this resolver's own, whatever platform is named; undefined for every other stack. Left out where
   * the platform must tell.
   */
  claims?(stack: string): Platform | undefined
  /** Whether a line has the form of its frames; the platform with most such lines has the stack. */
  isLine?(line: string): boolean
  /** Whether a stack without any such line is its own. */
  isStack?(stack: string): boolean
  /** As much as is read of a stack; it answers one frame more where there is one. Default: it reads all. */
  limits?: ReadLimits
  /** Whether the source can answer it at all. Default: it can. */
  canUse?(source: ArtifactSource): boolean
  /** Makes it with caches of its own, which live as long as the symbolicator. */
  create(shared: ResolverContext): Resolve
}

interface ResolverContext {
  /** Keeps parsed files of all kinds, weighed by the bytes that they take. */
  parsed: WeightedCache<object>
  /** One stack is resolved and nothing after it: what it does not need may be left out. */
  isForOneStack: boolean
  /** Native files that are open. */
  openFiles: OpenFiles
  /** Frames of native code may stand in the stacks of any platform. */
  native: NativeResolver
}

/** Defines a resolver; its folder's `index.ts` exports it, and `resolvers/index.ts` lists it. */
export function defineResolver(resolver: Resolver): Resolver {
  return resolver
}
