import { createReadStream } from 'node:fs'

/**
 * Iterates over the lines of a text file, split only at `\n`. In Node 24 or later, `node:readline` also splits at U+2028 and U+2029, which
 * are valid in JSON strings.
 * @throws a file system error.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path).setEncoding('utf8') as AsyncIterable<string>) {
    const lines = piece.split('\n')
    // Each piece is split separately, because otherwise a long line would be scanned and copied again for every piece.
    lines[0] = rest + lines[0]
    rest = lines.pop() as string
    yield* lines
  }
  if (rest !== '') yield rest
}
