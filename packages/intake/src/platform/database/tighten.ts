import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const DATABASE = /^intake\.db(?:-wal|-shm|-journal)?$/
const DIRECTORIES: ReadonlySet<string> = new Set(['blobs', 'incoming', 'owners'])
const GROUP_AND_OTHERS = 0o077

/**
 * Removes other users' access to a store, which older versions allowed. A directory with other content keeps its mode; the store's files do
 * not.
 */
export async function tighten(directory: string): Promise<void> {
  const names = await readdir(directory)
  const own = names.filter((name) => DATABASE.test(name) || DIRECTORIES.has(name))
  // A closed directory also protects its content.
  for (const name of own) await close(join(directory, name))
  if (own.length === names.length) await close(directory)
}

async function close(path: string): Promise<void> {
  try {
    const { mode } = await stat(path)
    if (mode & GROUP_AND_OTHERS) await chmod(path, mode & ~GROUP_AND_OTHERS & 0o7777)
  } catch {
    // Owned by another user, or deleted.
  }
}
