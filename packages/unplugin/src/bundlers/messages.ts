import { isUsablePrefix, type Line, type Problem, renderProblems } from '@symup/core'

/** Said once a build that is not a release, whatever the bundler. */
export const WATCHING: Line = { severity: 'info', text: 'Watching: nothing is uploaded.' }

/** A bundler's public path says where the app is deployed, unless it is relative or only known at run time. */
export function prefixFrom(publicPath: unknown, from: string): { value: string; from: string } | undefined {
  return typeof publicPath === 'string' && isUsablePrefix(publicPath) ? { value: publicPath, from } : undefined
}

export function logProblems(log: (line: Line) => void, problems: readonly Problem[]): void {
  renderProblems(problems).forEach(log)
}

/** For bundlers that give their plugins no logger. */
export function logToConsole({ severity, text }: Line): void {
  const message = `[symup] ${text}`
  if (severity === 'error') console.error(message)
  else if (severity === 'warning') console.warn(message)
  else console.info(message)
}
