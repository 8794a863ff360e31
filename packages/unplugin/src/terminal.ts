import { type Line, painted, useLocale } from '@symup/core/internal'
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
 * @param bundlers the bundler's own level, asked for at each line. One that is quieter than `info` hides details; problems are shown unless `logLevel` hides them.
 */
export function logTo(options: LogOptions, bundlers: () => unknown = () => undefined): (line: Line) => void {
  useLocale()
  return (line) => {
    if (isShown(LEVEL_OF[line.severity], options, bundlers)) print(line)
  }
}

/** Whether lines of a level are printed. */
export function isShown(level: LogLevel, { logLevel }: LogOptions, bundlers: () => unknown): boolean {
  const wanted = logLevel ?? (isQuiet(bundlers()) ? 'warn' : 'info')
  return LEVELS.indexOf(level) <= LEVELS.indexOf(wanted)
}

function isQuiet(level: unknown): boolean {
  return ['silent', 'none', 'error', 'warn', 'warning', false].includes(level as string)
}

/** Warnings and errors go to standard error. */
function print({ severity, text }: Line): void {
  const isTrouble = severity === 'error' || severity === 'warning'
  const message = `[symup] ${painted(text, severity, isTrouble ? process.stderr : process.stdout)}`
  if (severity === 'error') console.error(message)
  else if (severity === 'warning') console.warn(message)
  else console.info(message)
}
