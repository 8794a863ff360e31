import { styleText } from 'node:util'
import type { Line } from './line.ts'

const COLOURS = { error: 'red', warning: 'yellow', good: 'green' } as const

/**
 * Whether text written to a stream may have colours: `NO_COLOR` (no-color.org) turns them off, `FORCE_COLOR` on (`0` and `false`: off); else a
 * terminal that has them decides.
 */
export function hasColours(output: Pick<NodeJS.WriteStream, 'isTTY'>, env: NodeJS.ProcessEnv = process.env): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return output.isTTY === true && env.TERM !== 'dumb'
}

/** The text in the colour of its severity, where the stream has colours. */
export function painted(text: string, severity: Line['severity'], output: Pick<NodeJS.WriteStream, 'isTTY'>): string {
  if (severity === 'info' || !hasColours(output)) return text
  return styleText(COLOURS[severity], text, { validateStream: false })
}
