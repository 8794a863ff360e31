/** Maximum number of characters per line. Real frames are shorter. Regular expressions on longer lines would block other requests. */
const MAX_LINE = 8 * 1024
const MAX_LENGTH = 128 * 1024

/** Truncates long lines. The result is sufficient to detect the format of the stack. */
export function startOf(stack: string): string {
  if (stack.length <= MAX_LINE) return stack
  const lines: string[] = []
  let length = 0
  for (let at = 0; at < stack.length && length < MAX_LENGTH; ) {
    const next = stack.indexOf('\n', at)
    const end = next === -1 ? stack.length : next
    const line = stack.slice(at, Math.min(end, at + MAX_LINE))
    lines.push(line)
    length += line.length + 1
    at = end + 1
  }
  return lines.join('\n')
}
