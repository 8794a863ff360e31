import { join } from 'node:path'
import { readJsonFile } from '../../files/read-json.ts'

/**
 * Reads `app.json` in a directory. Some hosts allow comments in it.
 * @returns `unreadable` if the file is not JSON; undefined if it does not exist.
 */
export async function readAppJson(directory: string): Promise<Record<string, unknown> | 'unreadable' | undefined> {
  return readJsonFile(join(directory, 'app.json'))
}

/** Whether a directory contains a built mini program. Expo also has an `app.json`, but without pages. */
export async function isMiniProgram(directory: string): Promise<boolean> {
  const app = await readAppJson(directory)
  return typeof app === 'object' && Array.isArray(app.pages)
}
