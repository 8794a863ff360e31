import type { ArtifactSource } from './artifacts.ts'
import { type Shelf, WeightedCache } from './cache.ts'
import type { Explanation } from './frames.ts'
import type { StackQuestion } from './question.ts'
import { upToLimits, withNamesUpToLimit } from './read-limits.ts'
import * as listed from './resolvers/index.ts'
import type { KnownFrame } from './resolvers/javascript/known-frames.ts'
import type { NearMaps } from './resolvers/javascript/near-maps.ts'
import { type OpenFile, OpenFiles } from './resolvers/native/open-files.ts'
import { createNativeResolver } from './resolvers/native/resolve-native.ts'
import type { FirstLook, Here, Resolve, Resolver } from './resolvers/resolver.ts'

/** Who waits for an answer. */
export interface Asker {
  /** Once it is aborted, the work stops. */
  signal?: AbortSignal
  /** Whom the threads of a pool are shared out among, such as an account. Default: nobody, who may have them all. */
  owner?: string | number
  /** Keeps what single frames led to, so that no thread is asked for stacks that are made of them. Default: each is looked up. */
  known?: Shelf<KnownFrame>
  /** Maps that this thread may look up in. Default: all look-ups are another thread's. */
  maps?: NearMaps
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

/** Characters; longer stacks are not looked into here, where nothing may take long. */
const MAX_LOOKED_INTO = 16 * 1024

/** Equal for stacks that have the same answer when all else that is asked is equal: of JavaScript those that differ in their message only. */
export function stackKey(question: StackQuestion, source: ArtifactSource): string {
  const { stack } = question
  if (stack.length > MAX_LOOKED_INTO) return `* ${stack}`
  const resolver = resolverFor(question, source)
  // Two resolvers may answer the same text.
  return `${RESOLVERS.indexOf(resolver)} ${resolver.partOf?.(stack) ?? stack}`
}

/** Asks the source what resolving the stack will ask it first. */
export async function askFirst(question: StackQuestion, source: ArtifactSource, here?: Here): Promise<FirstLook> {
  if (question.stack.length > MAX_LOOKED_INTO) return {}
  const resolver = resolverFor(question, source)
  const look = (await resolver.askFirst?.(question, source, here)) ?? {}
  return look.answer ? { ...look, answer: toLimits(look.answer, question, resolver) } : look
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
