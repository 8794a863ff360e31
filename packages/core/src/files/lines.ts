import { createReadStream } from 'node:fs'

/**
 * The lines of a text file, split at `\n` only. `node:readline` also splits at U+2028 and U+2029 since Node 24, and JSON may contain these
 * characters.
 * @throws the file system's error.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path).setEncoding('utf8') as AsyncIterable<string>) {
    const lines = piece.split('\n')
    // Append without scanning the earlier text again. A long line would otherwise be copied for each piece.
    lines[0] = rest + lines[0]
    rest = lines.pop() as string
    yield* lines
  }
  if (rest !== '') yield rest
}
