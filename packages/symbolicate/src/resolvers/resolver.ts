import type { Platform } from '@symup/core/resolving'
import type { ArtifactSource } from '../artifacts.ts'
import type { Shelf, WeightedCache } from '../cache.ts'
import type { Explanation } from '../frames.ts'
import type { StackQuestion } from '../question.ts'
import type { ReadLimits } from '../read-limits.ts'
import type { KnownFrame } from './javascript/known-frames.ts'
import type { NearMaps } from './javascript/near-maps.ts'
import type { OpenFiles } from './native/open-files.ts'
import type { NativeResolver } from './native/resolve-native.ts'

/** Resolves every frame of a stack, or says why it stays as it is. Throws only what the source throws. */
export type Resolve = (question: StackQuestion, source: ArtifactSource) => Promise<Explanation>

/** With what a stack may be resolved without another thread. */
export interface Here {
  /** Keeps what single frames led to. Default: none is known. */
  known?: Shelf<KnownFrame>
  /** Maps that frames are looked up in which are not known. Default: another thread looks them up. */
  maps?: NearMaps
}

/** What is known of a stack before it is resolved. */
export interface FirstLook {
  /** Its answer, where all of its frames were in others, or could be looked up here. */
  answer?: Explanation
  /** Content of scripts whose indexes, where they are made in memory, `maps` would take. */
  lacking?: string[]
  /** Else what its answer is given to, so that the next stack finds its frames. Throws what the source throws. */
  keep?(answer: Explanation): Promise<void>
}

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
  /** All that its answer depends on of a stack's text, for stacks that differ in their message only. Default: the whole text. */
  partOf?(stack: string): string
  /**
   * Asks the source what resolving will ask it first, where that can be told from the question: who is in another thread has the answers at once.
   */
  askFirst?(question: StackQuestion, source: ArtifactSource, here?: Here): Promise<FirstLook>
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
