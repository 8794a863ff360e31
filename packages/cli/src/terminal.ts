import { styleText } from 'node:util'
import { formatBytes, type Line, type Progress, printableLine } from '@symup/core/internal'

type Style = Parameters<typeof styleText>[0]

const STYLE: Readonly<Record<Line['severity'], Style>> = {
  error: 'red',
  warning: 'yellow',
  info: 'reset',
  good: 'green',
}

/** A stream that people may be looking at. */
export type Output = NodeJS.WriteStream

export function paint(style: Style, text: string, output: Output): string {
  return hasColours(output, process.env) ? styleText(style, text, { validateStream: false }) : text
}

/** `NO_COLOR` (no-color.org) turns colours off, `FORCE_COLOR` on; else a terminal that has them decides. */
function hasColours(output: Output, env: NodeJS.ProcessEnv): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0'
  return output.isTTY === true && env.TERM !== 'dumb'
}

export function printLines(lines: readonly Line[], output: Output): void {
  for (const { severity, text } of lines.map(printableLine)) {
    output.write(`${severity === 'info' ? text : paint(STYLE[severity], text, output)}\n`)
  }
}

export interface ProgressOutput {
  show(progress: Progress): void
  clear(): void
}

/** Where nobody watches, a line so often tells a log's reader that it is alive. */
const LOG_LINE_EVERY_MS = 5000
const REDRAW_EVERY_MS = 100

/** On a terminal one line that is rewritten in place; elsewhere a plain line every few seconds. */
export function progressOf(output: Output, now: () => number = () => performance.now()): ProgressOutput {
  const started = now()
  const { isTTY } = output
  const interval = isTTY ? REDRAW_EVERY_MS : LOG_LINE_EVERY_MS
  let shownAt = isTTY ? Number.NEGATIVE_INFINITY : started
  return {
    show(progress) {
      const at = now()
      const isLast = isTTY && progress.done === progress.total
      if (at - shownAt < interval && !isLast) return
      shownAt = at
      const text = describeProgress(progress, at - started, isTTY ? output.columns || DEFAULT_COLUMNS : undefined)
      output.write(isTTY ? `\r\u001b[K${text}` : `${text}\n`)
    },
    clear() {
      if (isTTY) output.write('\r\u001b[K')
    },
  }
}

/** A pseudo-terminal may not know its size. */
const DEFAULT_COLUMNS = 80
const BAR = 20
const BAR_WORTH_ITS_PLACE = 70

/** `  120/500 artifacts, 3.4 MiB of 12.0 MiB, 2.1 MiB/s, 4 s left`, cut to the width of the terminal. */
function describeProgress(
  { done, total, bytes, totalBytes }: Progress,
  milliseconds: number,
  columns?: number,
): string {
  const rate = milliseconds > 0 ? (bytes / milliseconds) * 1000 : 0
  const left = rate > 0 ? Math.ceil((totalBytes - bytes) / rate) : undefined
  const text = [
    `${done}/${total} artifacts`,
    `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`,
    ...(milliseconds < 1000 ? [] : [`${formatBytes(Math.round(rate))}/s`]),
    ...(milliseconds < 1000 || left === undefined ? [] : [`${left} s left`]),
  ].join(', ')
  if (columns === undefined) return `  ${text}`
  const filled = totalBytes === 0 ? BAR : Math.round((bytes / totalBytes) * BAR)
  const bar = columns < BAR_WORTH_ITS_PLACE ? '' : `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} `
  // A line that wraps cannot be rewritten in place.
  return `  ${bar}${text}`.slice(0, Math.max(0, columns - 1))
}
