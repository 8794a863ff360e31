import type { Platform } from '@symup/core/resolving'
import type { ArtifactSource } from '../artifacts.ts'
import type { WeightedCache } from '../cache.ts'
import type { Explanation } from '../frames.ts'
import type { StackQuestion } from '../question.ts'
import type { ReadLimits } from '../read-limits.ts'
import type { OpenFiles } from './native/open-files.ts'
import type { NativeResolver } from './native/resolve-native.ts'

/** Resolves every frame of a stack, or explains why it is unresolved. Throws only the source's errors. */
export type Resolve = (question: StackQuestion, source: ArtifactSource) => Promise<Explanation>

/** Resolves the stacks of one kind of symbol file. */
export interface Resolver {
  /** The platform of the resolver's stacks. */
  platform: Platform
  /**
   * The platform of a stack that clearly belongs to this resolver, even if another platform was given; otherwise undefined. Omit this
   * function if only the given platform counts.
   */
  claims?(stack: string): Platform | undefined
  /** Whether a line has the form of this resolver's frames. The platform with the most such lines wins. */
  isLine?(line: string): boolean
  /** Whether a stack without recognizable frame lines belongs to this resolver. */
  isStack?(stack: string): boolean
  /** Limits for reading a stack. If the stack has more frames than the limit, the resolver reads one more. Default: no limits. */
  limits?: ReadLimits
  /** Whether the source has the required functions. Default: yes. */
  canUse?(source: ArtifactSource): boolean
  /** Creates the function. It has its own caches, which live as long as the symbolicator. */
  create(shared: ResolverContext): Resolve
}

interface ResolverContext {
  /** Cache for parsed files of all kinds, weighed in bytes. */
  parsed: WeightedCache<object>
  /** Cache for open native files. */
  openFiles: OpenFiles
  /** Native frames may occur in the stacks of any platform. */
  native: NativeResolver
}

/** Defines a resolver. Its folder's `index.ts` exports it, and `resolvers/index.ts` lists it. */
export function defineResolver(resolver: Resolver): Resolver {
  return resolver
}
