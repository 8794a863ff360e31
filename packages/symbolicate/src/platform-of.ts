import { PLATFORMS, type Platform } from '@symup/core/resolving'
import * as listed from './resolvers/index.ts'
import type { Resolver } from './resolvers/resolver.ts'
import { stackLines } from './stack-lines.ts'

/** The maximum number of lines to examine. The first lines are enough to recognize the format. */
const LINES_READ = 500
const RESOLVERS: readonly Resolver[] = Object.values(listed)

/** Determines the platform of a stack from the format of its frames. If no frame is recognized, the platform is `browser`. */
export function platformOf(stack: string): Platform {
  for (const { claims } of RESOLVERS) {
    const platform = claims?.(stack)
    if (platform !== undefined) return platform
  }
  const counts = new Map<Platform, number>()
  const start = stack.slice(0, LINES_READ * 4096)
  let read = 0
  for (const line of stackLines(start, LINES_READ)) {
    if (read++ === LINES_READ) break
    for (const { platform, isLine } of RESOLVERS)
      if (isLine?.(line)) counts.set(platform, (counts.get(platform) ?? 0) + 1)
  }
  const [most] = PLATFORMS.filter((it) => counts.has(it)).sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  if (most !== undefined) return most
  return (
    PLATFORMS.find((it) => RESOLVERS.some(({ platform, isStack }) => platform === it && isStack?.(stack))) ?? 'browser'
  )
}
