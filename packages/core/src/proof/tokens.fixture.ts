import { javaScriptKernel } from '../formats/javascript/kernel.ts'
import { KINDS, keyBefore, type Token } from './tokens.ts'

/** The token that begins at an index of a text; undefined where none does that could be compared. */
export function tokenAt(content: string, index: number): Token | undefined {
  const { run, text, token } = javaScriptKernel()
  const end = text.byteOffset + text.write(content, 'latin1')
  const kind = KINDS[run.tokenAt(text.byteOffset, end, text.byteOffset + index)]
  const [at = 0, length = 0] = token
  const word = text.toString('latin1', at - text.byteOffset, at - text.byteOffset + length)
  return kind && { kind, word, key: kind === 'name' ? keyBefore(content, index) : undefined }
}
