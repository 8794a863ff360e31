import { styleText } from 'node:util'
import type { Line } from '@symup/core/internal'
import type { SymupOptions } from './options.ts'

const LEVELS = ['silent', 'error', 'warn', 'info'] as const
export type LogLevel = (typeof LEVELS)[number]

const LEVEL_OF: Readonly<Record<Line['severity'], LogLevel>> = {
  error: 'error',
  warning: 'warn',
  info: 'info',
  good: 'info',
}
const COLOURS = { error: 'red', warning: 'yellow', good: 'green' } as const

/**
 * Where the plugins print: the streams of the process. A bundler's own logger may swallow what comes after the build (Rollup's command), strip colours
 * (Vite's) or print nothing at all (a framework's), and what became of an upload must not be missed.
 * @param bundlers the bundler's own level, asked for at each line. One that is quieter than `info` hides details; problems are shown unless `logLevel` hides them.
 */
export function logTo({ logLevel }: SymupOptions, bundlers: () => unknown = () => undefined): (line: Line) => void {
  return ({ severity, text }) => {
    const wanted = logLevel ?? (isQuiet(bundlers()) ? 'warn' : 'info')
    if (LEVELS.indexOf(LEVEL_OF[severity]) > LEVELS.indexOf(wanted)) return
    print({ severity, text })
  }
}

function isQuiet(level: unknown): boolean {
  return ['silent', 'none', 'error', 'warn', 'warning', false].includes(level as string)
}

/** Warnings and errors go to standard error. */
function print({ severity, text }: Line): void {
  const isTrouble = severity === 'error' || severity === 'warning'
  const message = `[symup] ${painted(severity, text, isTrouble ? process.stderr : process.stdout)}`
  if (severity === 'error') console.error(message)
  else if (severity === 'warning') console.warn(message)
  else console.info(message)
}

function painted(severity: Line['severity'], text: string, output: NodeJS.WriteStream): string {
  return severity !== 'info' && hasColours(output)
    ? styleText(COLOURS[severity], text, { validateStream: false })
    : text
}

/** `NO_COLOR` (no-color.org) turns colours off, `FORCE_COLOR` on; else a terminal that has them decides. */
export function hasColours(output: Pick<NodeJS.WriteStream, 'isTTY'>, env: NodeJS.ProcessEnv = process.env): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0'
  return output.isTTY === true && env.TERM !== 'dumb'
}
