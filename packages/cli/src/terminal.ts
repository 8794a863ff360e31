import { styleText } from 'node:util'
import { hasColours, type Line, type Problem, painted, printableLine, renderProblems } from '@symup/core'
import { linked } from './links.ts'

type Style = Parameters<typeof styleText>[0]

export type Output = NodeJS.WriteStream

export function paint(style: Style, text: string, output: Output): string {
  return hasColours(output) ? styleText(style, text, { validateStream: false }) : text
}

/** @param cwd the project directory. File names in the lines are relative to this directory. */
export function printLines(lines: readonly Line[], output: Output, cwd: string = process.cwd()): void {
  for (const line of lines.map(printableLine)) {
    output.write(`${painted(linked(line, output, cwd), line.severity, output)}\n`)
  }
}

/** Prints problems to standard error, so that standard output contains only the result. */
export function showProblems(problems: readonly Problem[]): void {
  printLines(renderProblems(problems), process.stderr)
}
