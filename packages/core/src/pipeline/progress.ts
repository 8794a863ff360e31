import { formatBytes } from '../files/format-bytes.ts'
import { t } from '../text.ts'
import type { Progress } from './upload.ts'

/** The interval at which a line in the log shows that the upload is still running. */
const LOG_LINE_EVERY_MS = 5000
const REDRAW_EVERY_MS = 100
/** The minimum time for which a retry is shown, regardless of other artifacts. */
const RETRY_SHOWN_MS = 2000

/**
 * Shows the progress of an upload. On a terminal, one line is rewritten in place. On other outputs, a line is printed at the first retry
 * and then every few seconds.
 * @param start the prefix of each line.
 * @param log prints a permanent line. Default: writes to `output`.
 */
export function progressOf(
  output: NodeJS.WriteStream,
  start: string,
  log = (line: string): unknown => output.write(`${line}\n`),
  now: () => number = () => performance.now(),
) {
  const started = now()
  const isInPlace = output.isTTY === true && process.env.TERM !== 'dumb'
  const interval = isInPlace ? REDRAW_EVERY_MS : LOG_LINE_EVERY_MS
  let shownAt = isInPlace ? Number.NEGATIVE_INFINITY : started
  let retry: { at: number; progress: Progress['retrying'] } | undefined
  return {
    show(progress: Progress) {
      const at = now()
      const isFirstRetry = progress.retrying !== undefined && retry === undefined
      if (progress.retrying) retry = { at, progress: progress.retrying }
      const isLast = progress.done === progress.total
      if (at - shownAt < interval && !isFirstRetry && !(isInPlace && isLast)) return
      shownAt = at
      const retrying = retry && !isLast && at - retry.at < RETRY_SHOWN_MS ? retry.progress : undefined
      const columns = isInPlace ? output.columns || DEFAULT_COLUMNS : undefined
      const text = describeProgress({ ...progress, ...(retrying && { retrying }) }, at - started, { start, columns })
      if (isInPlace) output.write(`\r\u001b[K${text}`)
      else log(text)
    },
    clear() {
      if (isInPlace) output.write('\r\u001b[K')
    },
  }
}

/** The width to assume for pseudo-terminals that do not report their width. */
const DEFAULT_COLUMNS = 80
const BAR = 20
const BAR_WORTH_ITS_PLACE = 70

/**
 * Returns the progress as one line, which is truncated to the width of the terminal. The complete line is, for example, `118/500 sent, 2
 * refused, retrying (attempt 2 of 5), 3.4 MiB of 12.0 MiB, 2.1 MiB/s, 4 s left`.
 */
function describeProgress(
  progress: Progress,
  milliseconds: number,
  { start, columns }: { start: string; columns: number | undefined },
): string {
  const { done, lost, refused, total, bytes, lostBytes, totalBytes, retrying } = progress
  const rate = milliseconds > 0 ? (bytes / milliseconds) * 1000 : 0
  const left = rate > 0 ? Math.ceil((totalBytes - lostBytes - bytes) / rate) : undefined
  const failed = lost - refused
  const text = [
    t`${done - lost}/${total} sent`,
    ...(refused === 0 ? [] : [t`${refused} refused`]),
    ...(failed === 0 ? [] : [t`${failed} failed`]),
    ...(retrying === undefined ? [] : [t`retrying (attempt ${retrying.attempt} of ${retrying.attempts})`]),
    t`${formatBytes(bytes)} of ${formatBytes(totalBytes)}`,
    ...(milliseconds < 1000 || rate === 0 ? [] : [`${formatBytes(Math.round(rate))}/s`]),
    ...(milliseconds < 1000 || left === undefined ? [] : [t`${left} s left`]),
  ].join(', ')
  if (columns === undefined) return `${start}${text}`
  // The bar shows only sent data. Lost artifacts do not count, so the bar is full only if everything was sent.
  const filled = Math.floor((totalBytes === 0 ? (done - lost) / Math.max(1, total) : bytes / totalBytes) * BAR)
  const bar = columns < BAR_WORTH_ITS_PLACE ? '' : `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} `
  // A wrapped line cannot be rewritten in place.
  return `${start}${bar}${text}`.slice(0, Math.max(0, columns - 1))
}
