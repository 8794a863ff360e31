import { join } from 'node:path'
import { readJsonFile } from '../../files/read-json.ts'

/**
 * Reads the `app.json` in a directory. Some hosts allow comments in `app.json`.
 * @returns `unreadable` if the file is not JSON, or undefined if it does not exist.
 */
export async function readAppJson(directory: string): Promise<Record<string, unknown> | 'unreadable' | undefined> {
  return readJsonFile(join(directory, 'app.json'))
}

/** Returns whether a directory contains a built mini program. The `app.json` of an Expo app has no `pages`. */
export async function isMiniProgram(directory: string): Promise<boolean> {
  const app = await readAppJson(directory)
  return typeof app === 'object' && Array.isArray(app.pages)
}
