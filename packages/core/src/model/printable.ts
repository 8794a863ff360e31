/**
 * Matches characters that can control a terminal or mislead readers: control characters (C0, DEL, C1), line and paragraph separators,
 * bidirectional controls, invisible characters, and lone surrogates.
 */
const STEERING =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * GitHub Actions, Azure Pipelines and TeamCity execute commands from logs: `::add-mask::` at the start of a line, `##[…]` and `##vso[…]`
 * anywhere.
 */
const COMMAND_ANYWHERE = /##(?=\w*\[)/g
const COMMAND_AT_START = /^(\s*):(?=:)/

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Makes untrusted text (file names, source maps, Git output, intake responses) safe for one line of a terminal or CI log. Dangerous
 * characters become escapes such as `\x1b` and `\u202e`. The function is idempotent.
 */
export function printable(text: string): string {
  return text.replace(STEERING, escapeOf).replace(COMMAND_ANYWHERE, '#\\#').replace(COMMAND_AT_START, '$1\\:')
}

/** Returns a document as JSON for a terminal or log. Dangerous characters are escaped, and the JSON parses to the same value. */
export function printableJson(document: unknown): string {
  return JSON.stringify(document, null, 2)
    .replace(STEERING, (found) => (found === '\n' ? found : unicodeEscapes(found)))
    .replace(COMMAND_ANYWHERE, '#\\u0023')
}

function escapeOf(found: string): string {
  const code = found.codePointAt(0) as number
  return SHORT[found] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : unicodeEscapes(found))
}

function unicodeEscapes(found: string): string {
  return found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
