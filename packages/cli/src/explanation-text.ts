import { printable, t, translated } from '@symup/core/internal'
import type { Explanation, ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
import { paint } from './terminal.ts'

/** Nothing is to be done about frames of a browser, of a runtime, of a debug build, or that the compiler made. */
const SETTLED: ReadonlySet<string> = new Set(['not-a-project-frame', 'compiler-generated', 'already-original'])

export function isSettled({ resolved, reason }: ResolvedFrame): boolean {
  return resolved !== null || (reason !== undefined && SETTLED.has(reason.code))
}

/** A stack that could be rewritten as a whole is printed so; else frame by frame. What does not resolve is followed by the reason. */
export function printExplanation({ frames, text, note }: Explanation): void {
  const output = process.stdout
  if (text !== undefined) {
    output.write(
      `${text
        .trimEnd()
        .split('\n')
        .map((line) => shortened(line))
        .join('\n')}\n`,
    )
    for (const frame of frames.filter((it) => !isSettled(it))) printFrame(frame)
  } else for (const frame of frames) printFrame(frame)
  if (note !== undefined) output.write(`${paint('yellow', shortened(translated(note)), output)}\n`)
}

function printFrame({ raw, resolved, reason, note }: ResolvedFrame): void {
  const output = process.stdout
  output.write(`${paint('dim', shortened(raw), output)}\n`)
  if (resolved) printPosition(resolved)
  if (note !== undefined) output.write(`    ${paint('dim', shortened(translated(note)), output)}\n`)
  if (!reason) return
  output.write(`  ${paint('yellow', t`${printable(reason.code)}: ${shortened(translated(reason.message))}`, output)}\n`)
  if (reason.fix !== '') output.write(t`  fix: ${shortened(translated(reason.fix))}\n`)
}

/** What was inlined stands above the method that it is in, as in a stack; then what the frame may just as well have been. */
function printPosition(resolved: ResolvedPosition): void {
  const output = process.stdout
  for (const position of [...(resolved.inlined ?? []), resolved])
    output.write(`  → ${paint('green', placeOf(position), output)}\n`)
  const width = String(resolved.snippet?.at(-1)?.line ?? '').length
  for (const { line, code } of resolved.snippet ?? []) {
    const marker = line === resolved.line ? '>' : ' '
    output.write(`    ${marker} ${printable(String(line)).padStart(width)} | ${sourceLine(code, width + 9)}\n`)
  }
  for (const candidate of resolved.candidates ?? []) {
    const [first, ...callers] = [...(candidate.inlined ?? []), candidate].map((position) => placeOf(position))
    output.write(t`  or ${paint('green', first ?? '', output)}\n`)
    for (const caller of callers) output.write(`     ${paint('green', caller, output)}\n`)
  }
}

/** The name is left out where it is not known, as in a stack: a map without the sources' text does not tell whether the function has one. */
function placeOf({ function: name, file, line, column, isIgnored }: ResolvedPosition): string {
  const position = [file, ...(line ? [line, ...(column === undefined ? [] : [column])] : [])].join(':')
  return shortened(`${name === undefined ? '' : `${name}  `}${position}${isIgnored ? t`  (in ignoreList)` : ''}`)
}

/** Longer lines are not a frame that anybody could read. */
const MAX_LINE = 4096
/** A line of minified source is not worth several lines of a terminal. */
const MIN_COLUMNS = 40

/** Stacks and symbol files come from elsewhere: their control characters must not steer the terminal. */
function shortened(text: string, width = MAX_LINE): string {
  const clean = printable(text.slice(0, MAX_LINE).replace(/\t/g, '    '))
  if (clean.length <= width && text.length <= MAX_LINE) return clean
  // Cut between characters, not in one that is two units long.
  return `${clean.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** As much of a source line as fits beside its number; all of it where nobody looks at a terminal. */
function sourceLine(code: string, before: number): string {
  const { isTTY, columns } = process.stdout
  return shortened(code, isTTY && columns ? Math.max(MIN_COLUMNS, columns - before) : MAX_LINE)
}
