import { closeSync, openSync } from 'node:fs'

/** Error codes for paths that do not exist or that cannot be opened or synced. Windows and some file systems cannot sync directories. */
const IGNORED: ReadonlySet<string | undefined> = new Set([
  ...['ENOENT', 'EISDIR', 'EPERM', 'EACCES'],
  ...['EINVAL', 'EBADF', 'ENOTSUP', 'ENOSYS'],
])

/**
 * Waits until a file or directory is on disk. A file is durable after its data has been synced. Its name is durable after the directory has
 * been synced.
 * @param sync syncs an open file: `fdatasync` is sufficient for files, but directories need `fsync`.
 * @throws file system errors if the path cannot be opened.
 */
export async function syncPath(path: string, sync: (file: number) => Promise<void>): Promise<void> {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    await sync(file)
  } catch (error) {
    if (!IGNORED.has((error as NodeJS.ErrnoException).code)) throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * Shares work that covers everything that happened before it starts. Calls that arrive while the work is running share the next run,
 * because the running one may have started too early for them.
 */
export function shared(work: () => Promise<void>): () => Promise<void> {
  let latest = Promise.resolve()
  let next: Promise<void> | undefined
  const begin = () => {
    next = undefined
    return work()
  }
  return () => {
    next ??= latest = latest.then(begin, begin)
    return next
  }
}
