import { printable } from '@symup/core'
import { t, translated } from '@symup/core/text'
import type { Explanation, ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
import { type Cause, causesOf, groupsOf, isLibraryFile, isSettled } from '@symup/symbolicate/presentation'
import { paint } from './terminal.ts'

const MESSAGES_SHOWN = 3

const isResolved = ({ resolved }: ResolvedFrame): boolean => resolved !== null

/** Returns whether the frame is resolved or does not need to be resolved. */
export function isDone(frame: ResolvedFrame): boolean {
  return isResolved(frame) || isSettled(frame)
}

function isForeign({ resolved, reason }: ResolvedFrame): boolean {
  if (!resolved) return reason?.code === 'not-a-project-frame'
  return resolved.isIgnored === true || isLibraryFile(resolved.file)
}

/**
 * Prints the error, the number of resolved frames, the app's frames with their source lines, and each cause once. If the explanation
 * contains a translated stack, that text is printed instead, followed by the unresolved frames.
 * @param error the text before the frames.
 */
export function printExplanation({ frames, text, note }: Explanation, error: string): void {
  const output = process.stdout
  const lines = (text ?? error).trimEnd()
  if (lines !== '') {
    const shown = lines.split('\n').map((line) => shortened(line))
    output.write(`${text === undefined ? paint('bold', shown.join('\n'), output) : shown.join('\n')}\n`)
  }
  // Print a fully translated stack without the count, so that the output can be piped to other commands.
  if (text === undefined || !frames.every(isDone)) printCount(frames)
  const causes = causesOf(frames, isResolved)
  if (text !== undefined) for (const frame of frames.filter((it) => !isDone(it))) printFrame(frame, causes.length > 1)
  else
    for (const group of groupsOf(frames, isForeign))
      if (group.isFolded) printFolded(group.frames.length)
      else for (const frame of group.frames) printFrame(frame, causes.length > 1)
  for (const cause of causes) printCause(cause)
  if (note !== undefined) output.write(`${paint('yellow', shortened(translated(note)), output)}\n`)
}

function printCount(frames: readonly ResolvedFrame[]): void {
  const output = process.stdout
  const own = frames.filter((frame) => !isForeign(frame))
  const resolved = own.filter(isDone).length
  const count =
    own.length === 0
      ? t`All frames are in libraries or the operating system.`
      : t`Resolved ${resolved} of ${own.length} frame${own.length === 1 ? '' : 's'}.`
  output.write(`${paint(resolved === own.length ? 'green' : 'red', count, output)}\n`)
}

function printFolded(count: number): void {
  const text = t`  … ${count} library frame${count === 1 ? '' : 's'}`
  process.stdout.write(`${paint('dim', text, process.stdout)}\n`)
}

/** @param showsCode set if there are several causes. A single cause is printed once, below the frames. */
function printFrame(frame: ResolvedFrame, showsCode: boolean): void {
  const { raw, resolved, reason, note } = frame
  const output = process.stdout
  output.write(`${paint('dim', shortened(raw), output)}\n`)
  if (resolved) printPosition(resolved)
  else if (reason && isSettled(frame))
    output.write(`  ${paint('dim', shortened(translated(reason.message)), output)}\n`)
  else if (reason && showsCode) output.write(`  ${paint('red', printable(reason.code), output)}\n`)
  if (note !== undefined) output.write(`    ${paint('dim', shortened(translated(note)), output)}\n`)
}

function printCause({ code, fix, messages, frames }: Cause<ResolvedFrame>): void {
  const output = process.stdout
  const [first = '', ...others] = messages.slice(0, MESSAGES_SHOWN).map((message) => shortened(translated(message)))
  const count = frames.length === 1 ? '' : t` (${frames.length} frames)`
  output.write(`${paint('yellow', t`${printable(code)}${count}: ${first}`, output)}\n`)
  for (const other of others) output.write(`  ${paint('yellow', other, output)}\n`)
  if (messages.length > MESSAGES_SHOWN) output.write(t`  … and ${messages.length - MESSAGES_SHOWN} more\n`)
  if (fix !== '') output.write(t`  fix: ${shortened(translated(fix))}\n`)
}

/** Prints a position. As in a stack, inlined calls precede their caller. Alternative positions are printed last. */
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

/** Omits the name of the function if it is unknown, for example because the map contains no source text. */
function placeOf({ function: name, file, line, column, isIgnored }: ResolvedPosition): string {
  const position = [file, ...(line ? [line, ...(column === undefined ? [] : [column])] : [])].join(':')
  return shortened(`${name === undefined ? '' : `${name}  `}${position}${isIgnored ? t`  (in ignoreList)` : ''}`)
}

const MAX_LINE = 4096
/** The minimum width to which source lines are shortened on narrow terminals. */
const MIN_COLUMNS = 40

/** Shortens text. Control characters are removed because stacks and symbol files are untrusted. */
function shortened(text: string, width = MAX_LINE): string {
  const clean = printable(text.slice(0, MAX_LINE).replace(/\t/g, '    '))
  if (clean.length <= width && text.length <= MAX_LINE) return clean
  // Do not split surrogate pairs.
  return `${clean.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** On a terminal, shortens a source line to the width that remains next to the line number. */
function sourceLine(code: string, before: number): string {
  const { isTTY, columns } = process.stdout
  return shortened(code, isTTY && columns ? Math.max(MIN_COLUMNS, columns - before) : MAX_LINE)
}
