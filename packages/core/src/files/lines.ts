import { createReadStream } from 'node:fs'

/**
 * The lines of a text file, which end with `\n` and with nothing else. `node:readline` ends one at U+2028 and U+2029 as well, from Node 24 on, and JSON has these as they are.
 * @throws the file system's error.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path).setEncoding('utf8') as AsyncIterable<string>) {
    const lines = piece.split('\n')
    // Without looking at what came before: else a long line would be copied with each piece of it.
    lines[0] = rest + lines[0]
    rest = lines.pop() as string
    yield* lines
  }
  if (rest !== '') yield rest
}
