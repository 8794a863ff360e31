import { type Line, painted } from '@symup/core'
import { useLocale } from '@symup/core/text'
import type { SymupOptions } from './options.ts'

const LEVELS = ['silent', 'error', 'warn', 'info'] as const
type LogLevel = (typeof LEVELS)[number]
export type LogOptions = Pick<SymupOptions, 'logLevel'>

const LEVEL_OF: Readonly<Record<Line['severity'], LogLevel>> = {
  error: 'error',
  warning: 'warn',
  info: 'info',
  good: 'info',
}

/**
 * Prints to the streams of the process. A bundler's own logger may drop lines after the build (Rollup's command), strip colours (Vite) or
 * print nothing (frameworks), but the result of an upload must stay visible.
 * @param bundlers returns the bundler's own level for each line. A level quieter than `info` hides details. `error` and quieter also hide
 * the result of a good upload, because some frameworks let their bundler print only warnings (VitePress, uni-app, Strapi). Problems are
 * shown unless `logLevel` hides them.
 */
export function logTo(options: LogOptions, bundlers: () => unknown = () => undefined): (line: Line) => void {
  useLocale()
  return (line) => {
    if (isShown(line.severity, options, bundlers)) print(line)
  }
}

export function isShown(severity: Line['severity'], { logLevel }: LogOptions, bundlers: () => unknown): boolean {
  if (logLevel !== undefined) return LEVELS.indexOf(LEVEL_OF[severity]) <= LEVELS.indexOf(logLevel)
  if (severity === 'info') return !['warn', 'warning', ...QUIET].includes(bundlers())
  return severity !== 'good' || !QUIET.includes(bundlers())
}

const QUIET: readonly unknown[] = ['silent', 'none', 'error', false]

/** Warnings and errors go to standard error. */
function print({ severity, text }: Line): void {
  const isTrouble = severity === 'error' || severity === 'warning'
  const message = `[symup] ${painted(text, severity, isTrouble ? process.stderr : process.stdout)}`
  if (severity === 'error') console.error(message)
  else if (severity === 'warning') console.warn(message)
  else console.info(message)
}
