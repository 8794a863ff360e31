import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser'

/**
 * Sets a value. JSON with comments is supported, and the formatting of everything else is preserved.
 * @returns undefined if the text is not JSON.
 */
export function withValue(text: string, path: JSONPath, value: unknown): string | undefined {
  const errors: ParseError[] = []
  parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0) return undefined
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? []
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  return applyEdits(text, modify(text, path, value, { formattingOptions }))
}

export function valueAt(text: string | undefined, path: JSONPath): unknown {
  let value: unknown = parse(text ?? '{}')
  for (const name of path) value = (value as Record<string | number, unknown> | null | undefined)?.[name]
  return value
}
