import type { Platform } from '@symup/core/resolving'
import type { ArtifactSource } from '../artifacts.ts'
import type { WeightedCache } from '../cache.ts'
import type { Explanation } from '../frames.ts'
import type { StackQuestion } from '../question.ts'
import type { ReadLimits } from '../read-limits.ts'
import type { OpenFiles } from './native/open-files.ts'
import type { NativeResolver } from './native/resolve-native.ts'

/**
 * Resolves the frames in a stack and explains why any frames remain unresolved.
 * @throws an error from the source, but no other errors.
 */
export type Resolve = (question: StackQuestion, source: ArtifactSource) => Promise<Explanation>

/** Resolves stacks that need a particular kind of symbol file. */
export interface Resolver {
  platform: Platform
  /**
   * Returns the platform if the stack clearly belongs to this resolver, even if another platform was requested. Returns undefined for all
   * other stacks. If a resolver has no `claims`, it is selected only by the requested platform.
   */
  claims?(stack: string): Platform | undefined
  /**
   * Returns whether a line looks like a frame that the resolver handles. The resolver that recognizes the most lines determines the
   * platform.
   */
  isLine?(line: string): boolean
  /** Returns whether the stack belongs to this resolver. Used if no line of the stack is recognized. */
  isStack?(stack: string): boolean
  /**
   * Limits for reading a stack. The resolver reads one extra frame to detect longer stacks.
   * @default no limits
   */
  limits?: ReadLimits
  /**
   * Returns whether the source implements the functions that the resolver needs.
   * @default always true
   */
  canUse?(source: ArtifactSource): boolean
  /** Creates the function that resolves stacks. The function's caches have the same lifetime as the symbolicator. */
  create(shared: ResolverContext): Resolve
}

interface ResolverContext {
  /** The cache for all parsed files. Weights are in bytes. */
  parsed: WeightedCache<object>
  openFiles: OpenFiles
  native: NativeResolver
}

/**
 * Ensures that a resolver has the right type. Each resolver is exported by the `index.ts` in its directory and listed in
 * `resolvers/index.ts`.
 */
export function defineResolver(resolver: Resolver): Resolver {
  return resolver
}
