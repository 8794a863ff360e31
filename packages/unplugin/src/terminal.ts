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
 * Where the plugins print: the streams of the process. A bundler's own logger may swallow what comes after the build (Rollup's command), strip colours
 * (Vite's) or print nothing at all (a framework's), and what became of an upload must not be missed.
 * @param bundlers the bundler's own level, asked for at each line. One that is quieter than `info` hides details, and `error` and less also what became of a good
 * upload: frameworks have their bundler print warnings only (VitePress, uni-app, Strapi). Problems are shown unless `logLevel` hides them.
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
