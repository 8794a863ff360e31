import { styleText } from 'node:util'
import { formatBytes, type Line, type Progress } from '@symup/core'

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
  return output.isTTY && hasColours(process.env) ? styleText(style, text) : text
}

/** `NO_COLOR` (no-color.org) turns colours off. */
function hasColours(env: NodeJS.ProcessEnv): boolean {
  return (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
}

export function printLines(lines: readonly Line[], output: Output): void {
  for (const { severity, text } of lines) {
    output.write(`${severity === 'info' ? text : paint(STYLE[severity], text, output)}\n`)
  }
}

/** One line that is rewritten in place; on anything but a terminal, silence. */
export function progressLine(output: Output): { show(progress: Progress): void; clear(): void } {
  if (!output.isTTY) return { show: () => undefined, clear: () => undefined }
  return {
    show: ({ done, total, bytes, totalBytes }) => {
      output.write(`\r\x1b[K  ${done}/${total} artifacts, ${formatBytes(bytes)} of ${formatBytes(totalBytes)}`)
    },
    clear: () => {
      output.write('\r\x1b[K')
    },
  }
}
