import { type Line, type Presenter, type Progress, painted } from '@symup/core'
import { t, useLocale } from '@symup/core/text'
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
 * Returns a function that prints to the process's streams. The result of an upload must stay visible, but a bundler's own logger may hide
 * it: Rollup's command drops lines after the build, Vite strips colours, and some frameworks print nothing.
 * @param bundlers returns the bundler's own level for each line. A level quieter than `info` hides details. `error` and quieter levels also
 * hide a successful result, because some frameworks let their bundler print only warnings (VitePress, uni-app, Strapi). Problems are shown
 * unless `logLevel` hides them.
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

/** A log line every five seconds shows that the build is still alive. */
const LOG_LINE_EVERY_MS = 5000

/**
 * Shows an upload's progress on standard error. On a terminal, one line is rewritten in place. A log gets a line at the first retry, and
 * then every five seconds.
 */
export function progressTo(
  options: LogOptions,
  bundlers: () => unknown = () => undefined,
  now: () => number = () => performance.now(),
): Pick<Presenter, 'progress' | 'progressEnd'> {
  if (!isShown('info', options, bundlers)) return {}
  const output = process.stderr
  const isInPlace = output.isTTY === true && process.env.TERM !== 'dumb'
  let shownAt: number | undefined
  let hasRetried = false
  return {
    progress(progress) {
      shownAt ??= now()
      const isFirstRetry = progress.retrying !== undefined && !hasRetried
      if (!isInPlace && !isFirstRetry && now() - shownAt < LOG_LINE_EVERY_MS) return
      hasRetried ||= isFirstRetry
      shownAt = now()
      const text = `[symup] ${describe(progress)}`
      if (isInPlace) output.write(`\r\u001b[K${text.slice(0, Math.max(0, (output.columns || 80) - 1))}`)
      else console.info(text)
    },
    progressEnd() {
      if (isInPlace) output.write('\r\u001b[K')
    },
  }
}

/** Returns a text such as `12/61 uploaded, 2 refused or failed, retrying (attempt 2 of 5)`. */
function describe({ done, lost, total, retrying }: Progress): string {
  return [
    t`${done - lost}/${total} uploaded`,
    ...(lost === 0 ? [] : [t`${lost} refused or failed`]),
    ...(retrying === undefined ? [] : [t`retrying (attempt ${retrying.attempt} of ${retrying.attempts})`]),
  ].join(', ')
}
