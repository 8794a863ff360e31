import type { ArtifactSource } from './artifacts.ts'
import { WeightedCache } from './cache.ts'
import type { Explanation } from './frames.ts'
import type { StackQuestion } from './question.ts'
import { upToLimits, withNamesUpToLimit } from './read-limits.ts'
import * as listed from './resolvers/index.ts'
import { OpenFiles } from './resolvers/native/open-files.ts'
import { createNativeResolver } from './resolvers/native/resolve-native.ts'
import type { Resolve, Resolver } from './resolvers/resolver.ts'

export interface Asker {
  /** Aborting this signal cancels the request. */
  signal?: AbortSignal
  /**
   * The owner of the request, such as an account. Threads in a pool are shared fairly between owners.
   * @default no owner and no limit
   */
  owner?: string | number
}

export interface Symbolicator {
  /**
   * Resolves the frames in a stack and explains why any frames remain unresolved.
   * @throws an error from the source, but no other errors.
   */
  symbolicate(question: StackQuestion, source: ArtifactSource, asker?: Asker): Promise<Explanation>
}

export const DEFAULT_CACHED_BYTES = 256 * 1024 * 1024
const RESOLVERS: readonly Resolver[] = Object.values(listed)

export function createSymbolicator({
  maxCachedBytes = DEFAULT_CACHED_BYTES,
}: {
  /**
   * The maximum memory for all parsed files, in bytes.
   * @default 268435456
   */
  maxCachedBytes?: number
} = {}): Symbolicator {
  return symbolicatorWith(new WeightedCache(maxCachedBytes))
}

export function symbolicatorWith(parsed: WeightedCache<object>): Symbolicator {
  const openFiles = new OpenFiles(parsed.shelf('native'))
  const shared = { parsed, openFiles, native: createNativeResolver(openFiles) }
  const made = new Map<Resolver, Resolve>(RESOLVERS.map((resolver) => [resolver, resolver.create(shared)]))
  return {
    async symbolicate(question, source) {
      const resolver = resolverFor(question, source)
      const resolve = made.get(resolver) as Resolve
      return toLimits(await resolve(question, source), question, resolver)
    },
  }
}

/** Resolves one stack without caching anything. */
export function symbolicate(question: StackQuestion, source: ArtifactSource): Promise<Explanation> {
  return createSymbolicator().symbolicate(question, source)
}

function toLimits(answer: Explanation, { stack }: StackQuestion, { limits }: Resolver): Explanation {
  return withNamesUpToLimit(limits ? upToLimits(answer, stack, limits) : answer)
}

/**
 * Returns the resolver that claims the stack. The fallbacks are the resolver for the requested platform and then the JavaScript resolver.
 */
function resolverFor({ stack, platform }: StackQuestion, source: ArtifactSource): Resolver {
  const usable = RESOLVERS.filter(({ canUse }) => canUse?.(source) ?? true)
  return (
    usable.find(({ claims }) => claims?.(stack) !== undefined) ??
    usable.find((resolver) => resolver.platform === platform && !resolver.claims) ??
    listed.javascript
  )
}
