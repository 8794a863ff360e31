import { createReadStream } from 'node:fs'

/**
 * Iterates over the lines of a text file, split at `\n` only. Since Node 24, `node:readline` also splits at U+2028 and
 * U+2029, which JSON may contain.
 * @throws the file system's error.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path).setEncoding('utf8') as AsyncIterable<string>) {
    const lines = piece.split('\n')
    // Append without scanning the earlier text again. Otherwise each piece would copy the long line.
    lines[0] = rest + lines[0]
    rest = lines.pop() as string
    yield* lines
  }
  if (rest !== '') yield rest
}
