import { readHead } from '../file-content.ts'

/** `MODULE <system> <architecture> <id> <name>`; the groups are the last three. Source: Breakpad's symbol file format. */
export const BREAKPAD_MODULE = /^MODULE \S+ (\S+) ([0-9A-F]{33,40}) (\S.*)/i

/** The debug id and the name of a Breakpad symbol file's module; undefined for other files. @throws the file system's error. */
export async function breakpadModule(path: string): Promise<{ id: string; name: string } | undefined> {
  const [line = ''] = (await readHead(path)).toString('utf8').split(/\r?\n/, 1)
  const [, , id, name] = BREAKPAD_MODULE.exec(line) ?? []
  return id === undefined || name === undefined ? undefined : { id: id.toUpperCase(), name: name.slice(0, 200) }
}

const BEGIN = 'MODULE '

/** Whether a file such as `libshop.so.sym` is a Breakpad file. Gradle uses the same name for a library's symbol table. */
export async function isBreakpadFile(path: string): Promise<boolean> {
  const head = await readHead(path, BEGIN.length).catch(() => undefined)
  return head?.toString('latin1') === BEGIN
}
