import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const DATABASE = /^intake\.db(?:-wal|-shm|-journal)?$/
const DIRECTORIES: ReadonlySet<string> = new Set(['blobs', 'incoming', 'owners'])
const GROUP_AND_OTHERS = 0o077

/**
 * Takes what other users of the machine may do with a store away from them, which an older version let them. A directory that holds other things,
 * too, keeps its own mode; what lies in it does not.
 */
export async function tighten(directory: string): Promise<void> {
  const names = await readdir(directory)
  const own = names.filter((name) => DATABASE.test(name) || DIRECTORIES.has(name))
  // Nobody else gets at what is in a directory that is closed to them.
  for (const name of own) await close(join(directory, name))
  if (own.length === names.length) await close(directory)
}

async function close(path: string): Promise<void> {
  try {
    const { mode } = await stat(path)
    if (mode & GROUP_AND_OTHERS) await chmod(path, mode & ~GROUP_AND_OTHERS & 0o7777)
  } catch {
    // Of another user, or gone: nothing that can be changed.
  }
}
