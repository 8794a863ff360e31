import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onEarlyEnd } from '../early-end.ts'

/** Calls `work` with an empty temporary directory. The directory is removed afterwards, even if the process ends early. */
export async function withTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'symup-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  const stop = onEarlyEnd(remove)
  try {
    return await work(directory)
  } finally {
    stop()
    remove()
  }
}
