import { readHead } from '../file-content.ts'

/**
 * Matches `MODULE <system> <architecture> <id> <name>` and captures the last three fields. Source: Breakpad's documentation of the symbol
 * file format.
 */
export const BREAKPAD_MODULE = /^MODULE \S+ (\S+) ([0-9A-F]{33,40}) (\S.*)/i

/**
 * Returns the debug id and name of the module, or undefined if the file is not a Breakpad symbol file.
 * @throws a file system error if the file cannot be read.
 */
export async function breakpadModule(path: string): Promise<{ id: string; name: string } | undefined> {
  const [line = ''] = (await readHead(path)).toString('utf8').split(/\r?\n/, 1)
  const [, , id, name] = BREAKPAD_MODULE.exec(line) ?? []
  return id === undefined || name === undefined ? undefined : { id: id.toUpperCase(), name: name.slice(0, 200) }
}

const BEGIN = 'MODULE '

/** Returns whether a file such as `libshop.so.sym` is a Breakpad file. Gradle uses the same file name for the symbol table of a library. */
export async function isBreakpadFile(path: string): Promise<boolean> {
  const head = await readHead(path, BEGIN.length).catch(() => undefined)
  return head?.toString('latin1') === BEGIN
}
