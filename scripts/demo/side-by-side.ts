export interface EnrichedFrame {
  raw: string
  function?: string
  file?: string
  line?: number
  column?: number
  converted: boolean
  code_snippets?: { line: number; code: string }[]
  reason?: { code: string; message: string }
}

/** Returns the frames in two columns. On a narrow terminal, each frame takes up two lines instead. */
export function sideBySide(frames: readonly EnrichedFrame[], width: number): string {
  const left = frames.map(({ raw }) => raw)
  const right = frames.map(resolvedText)
  const column = Math.max(0, ...left.map((text) => text.length))
  const fits = column + 4 + Math.max(0, ...right.map((text) => text.length)) <= width
  return left
    .map((text, index) => (fits ? `  ${text.padEnd(column)}  → ${right[index]}` : `  ${text}\n    → ${right[index]}`))
    .join('\n')
}

function resolvedText({ converted, function: name, file, line, column, reason }: EnrichedFrame): string {
  return converted ? `${name ?? '<anonymous>'} (${file}:${line}:${column})` : `${reason?.code}: ${reason?.message}`
}

export function snippet({ file, line, code_snippets: lines = [] }: EnrichedFrame): string {
  const width = String(lines.at(-1)?.line ?? '').length
  const code = lines.map((it) => `${it.line === line ? '>' : ' '} ${String(it.line).padStart(width)} | ${it.code}`)
  return [`  ${file}`, ...code.map((text) => `  ${text}`)].join('\n')
}
