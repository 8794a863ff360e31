import type { ArtifactSource } from './artifacts.ts'
import { WeightedCache } from './cache.ts'
import type { Explanation } from './frames.ts'
import type { StackQuestion } from './question.ts'
import { upToLimits, withNamesUpToLimit } from './read-limits.ts'
import * as listed from './resolvers/index.ts'
import { type OpenFile, OpenFiles } from './resolvers/native/open-files.ts'
import { createNativeResolver } from './resolvers/native/resolve-native.ts'
import type { Resolve, Resolver } from './resolvers/resolver.ts'

/** Who waits for an answer. */
export interface Asker {
  /** Once it is aborted, the work stops. */
  signal?: AbortSignal
  /** Whom the threads of a pool are shared out among, such as an account. Default: nobody, who may have them all. */
  owner?: string | number
}

export interface Symbolicator {
  /** Resolves every frame, or says why it stays as it is. Throws only what the source throws. */
  symbolicate(question: StackQuestion, source: ArtifactSource, asker?: Asker): Promise<Explanation>
}

export const DEFAULT_CACHED_BYTES = 256 * 1024 * 1024
const RESOLVERS: readonly Resolver[] = Object.values(listed)

export function createSymbolicator({
  maxCachedBytes = DEFAULT_CACHED_BYTES,
}: {
  /**
   * Bytes that parsed files of all kinds may take between calls.
   * @default 268435456
   */
  maxCachedBytes?: number
} = {}): Symbolicator {
  return symbolicatorWith(new WeightedCache<object>(maxCachedBytes), false)
}

/**
 * @param parsed keeps parsed files.
 * @param isForOneStack it is asked once.
 */
export function symbolicatorWith(parsed: WeightedCache<object>, isForOneStack: boolean): Symbolicator {
  const openFiles = new OpenFiles(parsed.shelf<OpenFile>('native'))
  const shared = { parsed, isForOneStack, openFiles, native: createNativeResolver(openFiles) }
  const made = new Map<Resolver, Resolve>(RESOLVERS.map((resolver) => [resolver, resolver.create(shared)]))
  return {
    async symbolicate(question, source) {
      const resolver = resolverFor(question, source)
      const resolve = made.get(resolver) as Resolve
      return toLimits(await resolve(question, source), question, resolver)
    },
  }
}

/** Resolves one stack, keeping nothing. */
export function symbolicate(question: StackQuestion, source: ArtifactSource): Promise<Explanation> {
  return symbolicatorWith(new WeightedCache(DEFAULT_CACHED_BYTES), true).symbolicate(question, source)
}

function toLimits(answer: Explanation, { stack }: StackQuestion, { limits }: Resolver): Explanation {
  return withNamesUpToLimit(limits ? upToLimits(answer, stack, limits) : answer)
}

/** The one that claims the stack, else that of its platform, else JavaScript's. */
function resolverFor({ stack, platform }: StackQuestion, source: ArtifactSource): Resolver {
  const usable = RESOLVERS.filter(({ canUse }) => canUse?.(source) ?? true)
  return (
    usable.find(({ claims }) => claims?.(stack) !== undefined) ??
    usable.find((resolver) => resolver.platform === platform && !resolver.claims) ??
    listed.javascript
  )
}
