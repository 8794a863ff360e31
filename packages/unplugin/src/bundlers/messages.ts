import { isUsablePrefix, type Line, type Problem, printableLine, renderProblems } from '@symup/core/internal'
import type { BuildPrefix } from '../session.ts'

/** Printed once in a build that is not a release, whatever the bundler. */
export const WATCHING: Line = { severity: 'info', text: 'Watching: nothing is uploaded.' }

/** Printed once in a build that writes nothing else. */
export const ONLY_DECLARATIONS = 'This build writes type declarations only: nothing is uploaded.'

/**
 * A bundler's public path says where the app is deployed, unless it is relative or only known later: a function, or with a placeholder
 * such as `[fullhash]`: then the reason is answered. What browsers encode in addresses is encoded.
 */
export function prefixFrom(publicPath: unknown, from: string): BuildPrefix | undefined {
  if (typeof publicPath === 'function') return { because: `${from} is a function` }
  if (typeof publicPath !== 'string') return undefined
  if (/\[\w+(?::\w+)*\]/.test(publicPath)) return { because: `${from} has a placeholder (${quoted(publicPath)})` }
  const value = publicPath.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
  if (isUsablePrefix(value)) return { value, from }
  const isRelative = publicPath !== 'auto' && !/^(?:\/|[a-z][a-z\d+.-]*:)/i.test(publicPath)
  return { because: `${from} is ${isRelative ? 'relative, ' : ''}${quoted(publicPath)}` }
}

function quoted(text: string): string {
  return `'${text}'`
}

export function logProblems(log: (line: Line) => void, problems: readonly Problem[]): void {
  for (const line of renderProblems(problems)) log(printableLine(line))
}

const told = new Set<string>()

/** Tells something about builds that are left alone once, however many of them a framework starts. */
export function tellOnce(log: (line: Line) => void, text: string): void {
  if (!told.has(text)) log({ severity: 'info', text })
  told.add(text)
}
