import { statSync } from 'node:fs'
import { readRegular } from './open-regular.ts'

const MAX_BYTES = 16 * 1024 * 1024

/**
 * Reads a JSON file that contains an object. JSON5 comments are allowed.
 * @returns `unreadable` if the file does not contain an object, or undefined if the file does not exist.
 */
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

/** The maximum length of text to parse as JSON5. The JSON5 parser would take seconds to parse tens of megabytes. */
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
