import { styleText } from 'node:util'
import type { Line } from './line.ts'

const COLOURS = { error: 'red', warning: 'yellow', good: 'green' } as const

/**
 * Tests whether output to a stream may use colors. `NO_COLOR` (no-color.org) turns colors off, and `FORCE_COLOR` turns them on unless its
 * value is `0` or `false`. If neither variable is set, colors are used only on a terminal.
 */
export function hasColours(output: Pick<NodeJS.WriteStream, 'isTTY'>, env: NodeJS.ProcessEnv = process.env): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return output.isTTY === true && env.TERM !== 'dumb'
}

export function painted(text: string, severity: Line['severity'], output: Pick<NodeJS.WriteStream, 'isTTY'>): string {
  if (severity === 'info' || !hasColours(output)) return text
  return styleText(COLOURS[severity], text, { validateStream: false })
}
