import { join } from 'node:path'
import { readJsonFile } from '../../files/read-json.ts'

/**
 * The content of `app.json` in a directory, with comments as some hosts allow them: `unreadable` if it is not JSON, undefined if it does
 * not exist.
 */
export async function readAppJson(directory: string): Promise<Record<string, unknown> | 'unreadable' | undefined> {
  return readJsonFile(join(directory, 'app.json'))
}

/** Whether a directory is a built mini program. Expo also has an `app.json`, but without pages. */
export async function isMiniProgram(directory: string): Promise<boolean> {
  const app = await readAppJson(directory)
  return typeof app === 'object' && Array.isArray(app.pages)
}
