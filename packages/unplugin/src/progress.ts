import type { Presenter, Progress } from '@symup/core'
import { t } from '@symup/core/text'
import { isShown, type LogOptions } from './terminal.ts'

/** How often a log shows that the build is still alive. */
const LOG_LINE_EVERY_MS = 5000

/**
 * Shows an upload's progress on standard error. On a terminal, one line is rewritten in place. In a log, a line appears at the first retry
 * and then every five seconds.
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

/** `12/61 uploaded, 2 refused or failed, retrying (attempt 2 of 5)` */
function describe({ done, lost, total, retrying }: Progress): string {
  return [
    t`${done - lost}/${total} uploaded`,
    ...(lost === 0 ? [] : [t`${lost} refused or failed`]),
    ...(retrying === undefined ? [] : [t`retrying (attempt ${retrying.attempt} of ${retrying.attempts})`]),
  ].join(', ')
}
