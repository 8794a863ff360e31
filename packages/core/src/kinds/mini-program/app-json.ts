import { join } from 'node:path'
import { readRegular } from '../../files/open-regular.ts'

/** What `app.json` in a directory says, with comments as some hosts' tools allow them: `unreadable` where it is not JSON, undefined where there is none. */
export async function readAppJson(directory: string): Promise<Record<string, unknown> | 'unreadable' | undefined> {
  return readJsonFile(join(directory, 'app.json'))
}

/** A file that the hosts' tools write or read. */
export async function readJsonFile(path: string): Promise<Record<string, unknown> | 'unreadable' | undefined> {
  let text: string
  try {
    text = readRegular(path)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
  } catch {
    return undefined
  }
  try {
    const value: unknown = await parsed(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : 'unreadable'
  } catch {
    return 'unreadable'
  }
}

/** Characters of a text that is read with comments: that takes seconds for tens of megabytes. */
const MAX_COMMENTED = 1024 * 1024

async function parsed(text: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (text.length > MAX_COMMENTED) throw error
    const { default: JSON5 } = await import('json5')
    return JSON5.parse(text)
  }
}

/** Whether a directory is what a mini program is built into. Expo has an `app.json` as well, without pages. */
export async function isMiniProgram(directory: string): Promise<boolean> {
  const app = await readAppJson(directory)
  return typeof app === 'object' && Array.isArray(app.pages)
}
