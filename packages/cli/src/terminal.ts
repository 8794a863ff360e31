import { styleText } from 'node:util'
import { hasColours, type Line, type Problem, painted, printableLine, renderProblems } from '@symup/core'

type Style = Parameters<typeof styleText>[0]

export type Output = NodeJS.WriteStream

export function paint(style: Style, text: string, output: Output): string {
  return hasColours(output) ? styleText(style, text, { validateStream: false }) : text
}

export function printLines(lines: readonly Line[], output: Output): void {
  for (const { severity, text } of lines.map(printableLine)) output.write(`${painted(text, severity, output)}\n`)
}

/** Prints problems to standard error, so that standard output contains only the result. */
export function showProblems(problems: readonly Problem[]): void {
  printLines(renderProblems(problems), process.stderr)
}
