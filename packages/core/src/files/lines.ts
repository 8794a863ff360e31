import { createReadStream } from 'node:fs'

/**
 * The lines of a text file, which end with `\n` and with nothing else. `node:readline` ends one at U+2028 and U+2029 as well, from Node 24 on, and JSON has these as they are.
 * @throws the file system's error.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path, 'utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
