import { type Line, type Presenter, painted } from '@symup/core'
import { progressOf } from '@symup/core/internal'
import { useLocale } from '@symup/core/text'
import type { SymupOptions } from './options.ts'

const LEVELS = ['silent', 'error', 'warn', 'info'] as const
type LogLevel = (typeof LEVELS)[number]
type LogOptions = Pick<SymupOptions, 'logLevel'>

const LEVEL_OF: Readonly<Record<Line['severity'], LogLevel>> = {
  error: 'error',
  warning: 'warn',
  info: 'info',
  good: 'info',
}

/**
 * Returns a function that prints directly to the process's streams, because bundlers' own loggers may hide or change the result. Rollup's
 * command-line interface discards lines that are logged after the build, Vite strips colors, and some frameworks print nothing.
 * @param bundlers returns the bundler's own log level. Levels quieter than `info` hide details. A successful result is hidden only at
 * `error` or quieter, because VitePress, uni-app and Strapi set `warn` for their bundler. Problems are shown unless `logLevel` hides them.
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

function print({ severity, text }: Line): void {
  const isTrouble = severity === 'error' || severity === 'warning'
  const message = `[symup] ${painted(text, severity, isTrouble ? process.stderr : process.stdout)}`
  if (severity === 'error') console.error(message)
  else if (severity === 'warning') console.warn(message)
  else console.info(message)
}

/** Shows an upload's progress on standard error or, if that is not a terminal, in the log. */
export function progressTo(
  options: LogOptions,
  bundlers: () => unknown = () => undefined,
): Pick<Presenter, 'progress' | 'progressEnd'> {
  if (!isShown('info', options, bundlers)) return {}
  let line: ReturnType<typeof progressOf> | undefined
  return {
    progress(progress) {
      // Created on first use, so that the elapsed time does not include the build.
      line ??= progressOf(process.stderr, '[symup] ', console.info)
      line.show(progress)
    },
    progressEnd: () => line?.clear(),
  }
}
