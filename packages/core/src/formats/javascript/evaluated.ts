import { readPieces } from '../../files/read-pieces.ts'

/** The comment that webpack and Rspack append to each module if `devtool` contains `eval`. */
const AFTER_MODULE = '//# sourceURL=webpack'
const EVAL = /(?<![\w$.])eval\(/

/**
 * Tests whether a script evaluates its modules from strings. Evaluated modules are not minified, and most have their own map.
 * @param from the path of the file, or its bytes if it is not on disk.
 * @throws a file system error.
 */
export async function evaluatesSources(from: string | Uint8Array): Promise<boolean> {
  let [before, evaluates] = ['', false]
  for await (const piece of typeof from === 'string' ? readPieces(from) : [Buffer.from(from)]) {
    const text = before + piece.toString('latin1')
    evaluates ||= EVAL.test(text)
    if (evaluates && text.includes(AFTER_MODULE)) return true
    before = text.slice(-AFTER_MODULE.length)
  }
  return false
}
