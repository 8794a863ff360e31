import { readHead } from '../file-content.ts'

/** `MODULE <system> <architecture> <id> <name>`; the groups are the last three. Source: Breakpad's symbol file format. */
export const BREAKPAD_MODULE = /^MODULE \S+ (\S+) ([0-9A-F]{33,40}) (\S.*)/i

const BEGIN = 'MODULE '

/** Whether a file such as `libshop.so.sym` is Breakpad's. Gradle uses the same name for a library's symbol table. */
export async function isBreakpadFile(path: string): Promise<boolean> {
  const head = await readHead(path, BEGIN.length).catch(() => undefined)
  return head?.toString('latin1') === BEGIN
}
