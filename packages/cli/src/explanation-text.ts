import type { Explanation, ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
import { paint } from './terminal.ts'

/** Nothing is to be done about frames of a browser, of a runtime, of a debug build, or that the compiler made. */
const SETTLED: ReadonlySet<string> = new Set(['not-a-project-frame', 'compiler-generated', 'already-original'])

export function isSettled({ resolved, reason }: ResolvedFrame): boolean {
  return resolved !== null || (reason !== undefined && SETTLED.has(reason.code))
}

/** A stack that could be rewritten as a whole is printed so; else frame by frame. What does not resolve is followed by the reason. */
export function printExplanation({ frames, text }: Explanation): void {
  const output = process.stdout
  if (text !== undefined) {
    output.write(`${text.trimEnd().split('\n').map(printable).join('\n')}\n`)
    for (const frame of frames.filter((it) => !isSettled(it))) printFrame(frame)
  } else for (const frame of frames) printFrame(frame)
}

function printFrame({ raw, resolved, reason, note }: ResolvedFrame): void {
  const output = process.stdout
  output.write(`${paint('dim', printable(raw), output)}\n`)
  if (resolved) printPosition(resolved)
  if (note !== undefined) output.write(`    ${paint('dim', printable(note), output)}\n`)
  if (!reason) return
  output.write(`  ${paint('yellow', `${reason.code}: ${printable(reason.message)}`, output)}\n`)
  if (reason.fix !== '') output.write(`  fix: ${printable(reason.fix)}\n`)
}

/** What was inlined stands above the method that it is in, as in a stack; then what the frame may just as well have been. */
function printPosition(resolved: ResolvedPosition): void {
  const output = process.stdout
  for (const position of [...(resolved.inlined ?? []), resolved])
    output.write(`  → ${paint('green', placeOf(position), output)}\n`)
  const width = String(resolved.snippet?.at(-1)?.line ?? '').length
  for (const { line, code } of resolved.snippet ?? []) {
    const marker = line === resolved.line ? '>' : ' '
    output.write(`    ${marker} ${String(line).padStart(width)} | ${printable(code)}\n`)
  }
  for (const candidate of resolved.candidates ?? []) {
    const [first, ...callers] = [...(candidate.inlined ?? []), candidate].map(placeOf)
    output.write(`  or ${paint('green', first ?? '', output)}\n`)
    for (const caller of callers) output.write(`     ${paint('green', caller, output)}\n`)
  }
}

function placeOf({ function: name, file, line, column, isIgnored }: ResolvedPosition): string {
  const position = [file, ...(line ? [line, ...(column === undefined ? [] : [column])] : [])].join(':')
  return printable(`${name ?? '<anonymous>'}  ${position}${isIgnored ? '  (in ignoreList)' : ''}`)
}

/** Stacks and symbol files come from elsewhere: lines may be long, and their control characters must not steer the terminal. */
function printable(text: string): string {
  const clean = text.replace(/\t/g, '    ').replace(/\p{Cc}/gu, '·')
  return clean.length > 160 ? `${clean.slice(0, 159)}…` : clean
}
