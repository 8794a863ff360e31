import { readPieces } from '../../files/read-pieces.ts'

/** What webpack and Rspack write behind each module where their `devtool` has `eval` in its name. */
const BEHIND_MODULE = '//# sourceURL=webpack'
const EVAL = /(?<![\w$.])eval\(/

/**
 * Whether a script holds modules as texts that it evaluates: as they were before minification, most of them with a map.
 * @param from path of the file, or its bytes where it is not on disk.
 * @throws the file system's error.
 */
export async function evaluatesSources(from: string | Uint8Array): Promise<boolean> {
  let [before, evaluates] = ['', false]
  for await (const piece of typeof from === 'string' ? readPieces(from) : [Buffer.from(from)]) {
    const text = before + piece.toString('latin1')
    evaluates ||= EVAL.test(text)
    if (evaluates && text.includes(BEHIND_MODULE)) return true
    before = text.slice(-BEHIND_MODULE.length)
  }
  return false
}
