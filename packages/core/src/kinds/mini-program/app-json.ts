import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../../files/open-regular.ts'

/**
 * The content of `app.json` in a directory, with comments as some hosts allow them: `unreadable` if it is not JSON, undefined if it does
 * not exist.
 */
export async function readAppJson(directory: string): Promise<Record<string, unknown> | 'unreadable' | undefined> {
  return readJsonFile(join(directory, 'app.json'))
}

const MAX_BYTES = 16 * 1024 * 1024

/** A JSON file of the hosts' tools. */
export async function readJsonFile(path: string): Promise<Record<string, unknown> | 'unreadable' | undefined> {
  let text: string
  try {
    if (statSync(path).size > MAX_BYTES) return 'unreadable'
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

/** Length limit for parsing with comments, which would take seconds for tens of megabytes. */
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

/** Whether a directory is a built mini program. Expo also has an `app.json`, but without pages. */
export async function isMiniProgram(directory: string): Promise<boolean> {
  const app = await readAppJson(directory)
  return typeof app === 'object' && Array.isArray(app.pages)
}
