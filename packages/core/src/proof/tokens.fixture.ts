import { keyBefore, tokenAt as kindAt, type Token } from './tokens.ts'

/** The token that begins at an index in a text. Undefined if nothing there is comparable. */
export function tokenAt(content: string, index: number): Token | undefined {
  const word = { at: 0, length: 0 }
  const kind = kindAt(Buffer.from(content, 'latin1'), index, word)
  const text = content.slice(word.at, word.at + word.length)
  return kind && { kind, word: text, key: kind === 'name' ? keyBefore(content, index) : undefined }
}
